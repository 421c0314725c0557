/**
 * Makes and stores the snapshot of one planned build. Caller: the activity buildSnapshot. The same build gives the same
 * bytes, so two attempts at once write the same object. Never moves the pointer.
 */
import type { SnapshotOptions } from '../../planner/index.ts';
import type { ServiceDay } from '../../planner/model/indices.ts';
import { DAY_MS } from '../../workflows/shared/spans.ts';
import { plannerSnapshotKey } from '../shared/planner-snapshot.ts';
import { withBuildFolder } from './build-folder.ts';
import type { BuiltFile } from './planner-build-model.ts';
import type { PlannerBuildStore } from './planner-build-store.ts';
import { buildInThread, SnapshotThreadError } from './planner-build-thread.ts';
import type { ImportProgress } from './planner-import/import-types.ts';
import { hashOfInput, type PlannerPeriod } from './planner-input.ts';
import { makeOfReadable, type ReadableDependencies } from './readable-snapshot.ts';

export interface SnapshotBuildDependencies extends ReadableDependencies {
  readonly period: PlannerPeriod;
}

export interface SnapshotAttempt {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ImportProgress) => void;
}

/** Number of attempts that may end with their process. A build that exceeds the memory would kill every retry too. */
const MOST_DEATHS = 4;
/** Size of a part of an upload. */
const SLICE_BYTES = 5 * 1024 * 1024;

export async function makeSnapshotOf(
  dependencies: SnapshotBuildDependencies,
  build: number,
  { signal, onProgress }: SnapshotAttempt,
): Promise<BuiltFile> {
  const { objects, builds, archiveLimits, period } = dependencies;
  const plan = await builds.get(build);
  const known = plan.state === 'BUILT' ? await builds.findSnapshot(build) : undefined;
  if (known) {
    const stored = await objects.head(plannerSnapshotKey(known.snapshotId), signal);
    if (stored?.sizeBytes === known.sizeBytes) return known;
  }
  const options = optionsOf(plan.plannedAt, period);
  const made = await withBuildFolder((folder) =>
    makeOfReadable(dependencies, plan, { folder, signal }, ({ archives, register }) => {
      const datasets = archives.map(({ source, path }) => ({ codespace: source.codespace, path }));
      const job = { datasets, register, archiveLimits, options };
      return countingDeaths(builds, build, () => buildInThread(job, signal, onProgress));
    }),
  );
  const { bytes, snapshotId, sha256, report } = made;
  const file = { snapshotId, sha256, sizeBytes: bytes.length };
  // Names the sources that were built, whatever the build's record holds by now.
  await builds.noteFile(build, { ...file, inputHash: hashOfInput(plan.sources, period) }, report);
  await objects.putStream(plannerSnapshotKey(snapshotId), slices(bytes), {
    contentType: 'application/octet-stream',
    signal,
  });
  return file;
}

/** An attempt that dies with its process cannot report it, so it is counted before and subtracted after. */
async function countingDeaths<Result>(
  builds: PlannerBuildStore,
  build: number,
  attempt: () => Promise<Result>,
): Promise<Result> {
  if ((await builds.beginAttempt(build)) > MOST_DEATHS) {
    throw new SnapshotThreadError(`${MOST_DEATHS} attempts ended with their process: it may want more memory`);
  }
  try {
    return await attempt();
  } finally {
    await builds.endAttempt(build);
  }
}

/** Uses the instant of the plan, not of the attempt: the bytes depend on it. */
function optionsOf(plannedAt: Date, { from, to }: PlannerPeriod): SnapshotOptions {
  return { builtAt: Math.floor(plannedAt.getTime() / 1_000), fromDay: serviceDay(from), toDay: serviceDay(to) };
}

/** Parses `yyyy-MM-dd`. */
function serviceDay(date: string | undefined): ServiceDay | undefined {
  return date === undefined ? undefined : ((Date.parse(`${date}T00:00:00Z`) / DAY_MS) as ServiceDay);
}

async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}
