/**
 * Kills a part of the running service in the middle of a planner build, and starts it again. The outcome must equal
 * that of an undisturbed build of the same plan: one snapshot published, byte for byte the same, with all its journeys.
 * Used by kill-matrix.ts, and by its short twin planner-kill.test.ts.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { PLANNER_POINTER } from '../../activities/shared/planner-snapshot.ts';
import { fetchSnapshot } from '../../activities/shared/planner-snapshot-file.ts';
import { CodespaceStore } from '../../activities/timetable/codespace-store.ts';
import { ImportStore } from '../../activities/timetable/import-store.ts';
import { PLANNER_BUILDS, type PlannerBuild } from '../../activities/timetable/planner-build-model.ts';
import { signalPlannerBuild } from '../../activities/timetable/planner-build-start.ts';
import { PlannerBuildStore } from '../../activities/timetable/planner-build-store.ts';
import { PlannerInputStore } from '../../activities/timetable/planner-input.ts';
import { PlannerJourneyStore } from '../../activities/timetable/planner-journey-store.ts';
import { makeSnapshotOf } from '../../activities/timetable/planner-snapshot-build.ts';
import { ReceiptStore } from '../../activities/timetable/receipt-store.ts';
import { DEFAULT_ARCHIVE_LIMITS } from '../../netex/zip/index.ts';
import { openTimetable } from '../../planner/index.ts';
import { parseSigningKeys, type SigningKeys } from '../../platform/keys/signing-keys.ts';
import { createLog } from '../../platform/log.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { ObjectStore, type ObjectStoreConfig } from '../../platform/object-store/object-store.ts';
import { TemporalClient } from '../../platform/temporal/temporal.ts';
import type { Codespace, OrganisationId } from '../../workflows/shared/ids.ts';
import { publishArchive } from '../support/publish-archive.ts';
import { until } from '../support/until.ts';

/** While the build fetches archives, maps them, or stores snapshot and journeys. */
export const MOMENTS = ['FETCHING', 'MAPPING', 'STORING'] as const;
export type Moment = (typeof MOMENTS)[number];

export interface PlannerWorld<Victim extends string> {
  readonly mongoUri: string;
  readonly objectStore: ObjectStoreConfig;
  readonly temporalAddress: string;
  readonly payloadKeys: string;
  readonly plannerSigningKeys: string;
  readonly kill: (victim: Victim) => Promise<void>;
  readonly restart: (victim: Victim) => Promise<void>;
}

export interface PlannerOutcome {
  /**
   * Builds in this state. A build is planned twice when its worker dies before the workflow receives the first plan;
   * the first plan then never begins.
   */
  readonly published: number;
  readonly failed: number;
  readonly isInUse: boolean;
  readonly isSameAsUndisturbed: boolean;
  readonly hasAllJourneys: boolean;
}

export const SOUND: PlannerOutcome = {
  published: 1,
  failed: 0,
  isInUse: true,
  isSameAsUndisturbed: true,
  hasAllJourneys: true,
};

const NSR = 'nsr' as Codespace;
const RETRY_MS = 100;
const BUILD_TIMEOUT_MS = 300_000;

export class PlannerKillRuns<Victim extends string> {
  readonly #world: PlannerWorld<Victim>;
  readonly #mongo: Connection;
  readonly #objects: ObjectStore;
  readonly #temporal: TemporalClient;
  readonly #keys: SigningKeys;
  readonly #builds: PlannerBuildStore;

  private constructor(world: PlannerWorld<Victim>, mongo: Connection, objects: ObjectStore) {
    this.#world = world;
    this.#mongo = mongo;
    this.#objects = objects;
    this.#keys = parseSigningKeys(world.plannerSigningKeys, 'PLANNER_SIGNING_KEYS');
    this.#builds = new PlannerBuildStore(mongo, this.#keys);
    this.#temporal = new TemporalClient({
      TEMPORAL_ADDRESS: world.temporalAddress,
      TEMPORAL_NAMESPACE: 'default',
      PAYLOAD_KEYS: world.payloadKeys,
    });
  }

  static async open<Name extends string>(world: PlannerWorld<Name>): Promise<PlannerKillRuns<Name>> {
    return new PlannerKillRuns(world, await connectMongo(world.mongoUri), await ObjectStore.open(world.objectStore));
  }

  async close(): Promise<void> {
    await this.#temporal.close();
    this.#objects.close();
    await this.#mongo.close();
  }

  async publish(codespace: Codespace, bytes: Uint8Array): Promise<void> {
    const codespaces = new CodespaceStore(this.#mongo);
    const imports = new ImportStore(this.#mongo, { environment: 'dev' });
    await Promise.all([codespaces.ensureIndexes(), imports.ensureIndexes()]);
    const xmlns = codespace.toUpperCase();
    await codespaces.put(codespace, {
      name: xmlns,
      xmlns,
      allowedXmlns: ['NSR', 'PEN'],
      profile: 'timetable',
      ownerOrganisationId: 1 as OrganisationId,
    });
    const stores = { imports, receipts: new ReceiptStore(this.#mongo), objects: this.#objects };
    await publishArchive(stores, { codespace, bytes, kind: codespace === NSR ? 'stop-register' : 'timetable' });
  }

  /** Runs one build; at the moment given, the victims die. */
  async run(moment?: Moment, victims: readonly Victim[] = []): Promise<PlannerOutcome> {
    const before = (await this.#builds.findPointer())?.build ?? 0;
    // As a change of the published datasets does, it makes the snapshot in use one of another input.
    await PLANNER_POINTER.open(this.#mongo).updateOne({ _id: 'current' }, { $set: { inputHash: 'another' } });
    await signalPlannerBuild(this.#temporal);
    if (moment) {
      await this.#until(async () => hasCome(moment, (await this.#plannedAfter(before)).at(-1)), moment);
      for (const victim of victims) await this.#world.kill(victim);
      for (const victim of victims) await this.#world.restart(victim);
    }
    await this.#until(async () => {
      const state = (await this.#plannedAfter(before)).at(-1)?.state;
      return state === 'PUBLISHED' || state === 'FAILED';
    }, 'the end of the build');
    return await this.#outcomeOf(await this.#plannedAfter(before));
  }

  async #plannedAfter(build: number): Promise<readonly PlannerBuild[]> {
    return await PLANNER_BUILDS.open(this.#mongo)
      .find({ _id: { $gt: build } })
      .sort({ _id: 1 })
      .toArray();
  }

  /** Waits for the condition, and retries while servers are away. */
  async #until(condition: () => Promise<boolean>, what: string): Promise<void> {
    const patient = () => condition().catch(() => delay(RETRY_MS, false));
    await until(patient, { timeoutMs: BUILD_TIMEOUT_MS, what });
  }

  async #outcomeOf(planned: readonly PlannerBuild[]): Promise<PlannerOutcome> {
    const pointer = await this.#builds.findPointer();
    const plan = planned.find(({ _id }) => _id === pointer?.build);
    const count = (state: PlannerBuild['state']) => planned.filter((build) => build.state === state).length;
    const ends = { published: count('PUBLISHED'), failed: count('FAILED') };
    if (!pointer || !plan) return { ...ends, isInUse: false, isSameAsUndisturbed: false, hasAllJourneys: false };
    const { catalogue } = openTimetable(await fetchSnapshot(this.#objects, pointer));
    const journeys = await new PlannerJourneyStore(this.#mongo).count(pointer.snapshotId);
    return {
      ...ends,
      isInUse: true,
      isSameAsUndisturbed: (await this.#undisturbed(plan)) === pointer.sha256,
      hasAllJourneys: journeys === catalogue.serviceJourneys.count,
    };
  }

  /** SHA-256 of the snapshot that the same plan gives in this process, with its own database. */
  async #undisturbed({ _id, plannedAt, sources, inputHash }: PlannerBuild): Promise<string> {
    const mongo = this.#mongo.useDb(`undisturbed_${randomUUID().slice(0, 8)}`);
    const builds = new PlannerBuildStore(mongo, this.#keys, () => plannedAt);
    const inputs = new PlannerInputStore(mongo, { stopRegisterCodespace: NSR, period: {} });
    const log = createLog({ level: 'silent', name: 'undisturbed' });
    await builds.plan(_id, { sources, hash: inputHash });
    const dependencies = { objects: this.#objects, inputs, builds, archiveLimits: DEFAULT_ARCHIVE_LIMITS, log };
    const attempt = { signal: new AbortController().signal, onProgress: () => undefined };
    const { sha256 } = await makeSnapshotOf({ ...dependencies, period: {} }, _id, attempt);
    await mongo.dropDatabase();
    return sha256;
  }
}

function hasCome(moment: Moment, build: PlannerBuild | undefined): boolean {
  if (build === undefined) return false;
  if (moment === 'FETCHING') return true;
  const isMade = build.state !== 'PLANNED';
  return moment === 'STORING' ? isMade : isMade || (build.attempts ?? 0) > 0;
}
