/**
 * Makes a snapshot from the planned versions that can be read. A version that can never be read is left out, and the
 * codespace's previous version takes its place. Caller: the build of a snapshot.
 *
 * Passing faults (store unavailable, disk full) are thrown, and Temporal retries. So is a build without any source
 * left. Then the fault is not in a dataset, and the snapshot in use is better than an empty one.
 */
import { ApplicationFailure } from '@temporalio/activity';
import type { ArchiveLimits } from '../../netex/zip/index.ts';
import type { Logger } from '../../platform/log.ts';
import { ObjectMissingError, type ObjectStore } from '../../platform/object-store/object-store.ts';
import { GAVE_UP } from '../../workflows/timetable/activities.ts';
import { type LeftOutVersion, usedSources } from './left-out-version.ts';
import { fetchArchive, type LocalArchive } from './planner-archives.ts';
import type { PlannerBuild } from './planner-build-model.ts';
import type { PlannerBuildStore } from './planner-build-store.ts';
import { type SnapshotInMemory, SnapshotThreadError, UnreadableDatasetsError } from './planner-build-thread.ts';
import type { PlannerInputStore, PlannerSource } from './planner-input.ts';
import { readStopRegister } from './stop-register-store.ts';

export interface ReadableDependencies {
  readonly objects: ObjectStore;
  readonly inputs: Pick<PlannerInputStore, 'findOlder'>;
  readonly builds: PlannerBuildStore;
  readonly archiveLimits: ArchiveLimits;
  readonly log: Logger;
}

export interface SnapshotMaterial {
  readonly archives: readonly LocalArchive[];
  /** In shared memory. */
  readonly register: Uint8Array | undefined;
}

interface Unreadable {
  readonly source: PlannerSource;
  readonly reason: string;
}

/** A version that this release cannot map stays unmappable: each try is a whole build. */
const VERSIONS_TRIED = 3;

/** `make` throws UnreadableDatasetsError for archives that it cannot map. */
export async function makeOfReadable(
  dependencies: ReadableDependencies,
  plan: PlannerBuild,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
  make: (material: SnapshotMaterial) => Promise<SnapshotInMemory>,
): Promise<SnapshotInMemory> {
  for (let leftOut = plan.leftOut ?? []; ; ) {
    const sources = usedSources(plan.sources, leftOut);
    requireSources(plan.sources, sources, leftOut);
    const unreadable: Unreadable[] = [];
    const register = await readRegister(dependencies, sources, unreadable);
    const archives = await fetchArchives(dependencies, sources, { folder, signal }, unreadable);
    if (unreadable.length === 0) {
      const made = await tryToMake(make, { archives, register }, unreadable);
      if (made) return made;
    }
    for (const version of unreadable) leftOut = await leaveOut(dependencies, plan._id, version, leftOut);
  }
}

/** Throws when a planned kind has no source left. */
function requireSources(
  planned: readonly PlannerSource[],
  used: readonly PlannerSource[],
  leftOut: readonly LeftOutVersion[],
): void {
  for (const kind of ['timetable', 'stop-register'] as const) {
    const isOf = (version: { kind: string }) => version.kind === kind;
    if (!planned.some(isOf) || used.some(isOf)) continue;
    const reasons = leftOut.filter(isOf).map(({ codespace, reason }) => `${codespace}: ${reason}`);
    throw new SnapshotThreadError(`No ${kind} that is published can be read (${reasons.join('; ')})`);
  }
}

async function readRegister(
  { objects, archiveLimits }: ReadableDependencies,
  sources: readonly PlannerSource[],
  unreadable: Unreadable[],
): Promise<Uint8Array | undefined> {
  const source = sources.find(({ kind }) => kind === 'stop-register');
  if (!source) return undefined;
  const { codespace, correlationId, receivedAt } = source;
  try {
    const version = { codespace, correlationId, receivedAt: receivedAt.toISOString() };
    return await readStopRegister(objects, version, archiveLimits);
  } catch (error) {
    if (!(error instanceof ApplicationFailure && error.type === GAVE_UP)) throw error;
    unreadable.push({ source, reason: error.message });
    return undefined;
  }
}

async function fetchArchives(
  { objects }: ReadableDependencies,
  sources: readonly PlannerSource[],
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
  unreadable: Unreadable[],
): Promise<LocalArchive[]> {
  const archives: LocalArchive[] = [];
  for (const source of sources) {
    if (source.kind !== 'timetable') continue;
    try {
      archives.push({ source, path: await fetchArchive(objects, source, folder, signal) });
    } catch (error) {
      if (!(error instanceof ObjectMissingError)) throw error;
      unreadable.push({ source, reason: error.message });
    }
  }
  return archives;
}

async function tryToMake(
  make: (material: SnapshotMaterial) => Promise<SnapshotInMemory>,
  material: SnapshotMaterial,
  unreadable: Unreadable[],
): Promise<SnapshotInMemory | undefined> {
  try {
    return await make(material);
  } catch (error) {
    if (!(error instanceof UnreadableDatasetsError)) throw error;
    for (const { codespace, message } of error.datasets) {
      const { source } = material.archives.find((archive) => archive.source.codespace === codespace) ?? {};
      if (source) unreadable.push({ source, reason: message });
    }
    // Otherwise it would be repeated without end.
    if (unreadable.length === 0) throw new SnapshotThreadError(error.message);
    return undefined;
  }
}

async function leaveOut(
  { inputs, builds, log }: ReadableDependencies,
  build: number,
  { source, reason }: Unreadable,
  before: readonly LeftOutVersion[],
): Promise<readonly LeftOutVersion[]> {
  const { codespace, correlationId, kind } = source;
  const tried = before.filter((other) => other.codespace === codespace && other.kind === kind).length + 1;
  const instead = tried < VERSIONS_TRIED ? await inputs.findOlder(source) : undefined;
  const taken = instead && { instead: instead.correlationId };
  log.error({ build, codespace, correlationId, kind, reason, ...taken }, 'left a version out of the planner snapshot');
  return await builds.leaveOut(build, { codespace, correlationId, kind, reason, ...(instead && { instead }) });
}
