/**
 * The builds of planner snapshots: what each was made from, how it ended, its report; and the pointer to the snapshot in
 * use. Every write is one conditional update, so that running it twice, or two at once, equals once.
 *
 * Callers: the activities of the planner build, its sweep, the step PLANNER_BUILD.
 */
import type { Connection, mongo } from 'mongoose';
import type { BuildReport } from '../../planner/index.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { BuildFailure, PlannerBuildState } from '../../workflows/timetable/planner-build-activities.ts';
import { findPlannerPointer, PLANNER_POINTER, type PlannerPointerDocument } from '../shared/planner-snapshot.ts';
import { type LeftOutVersion, usedSources } from './left-out-version.ts';
import type { ImportReport } from './planner-import/import-types.ts';
import type { PlannerInput, PlannerSource } from './planner-input.ts';

export interface BuiltFile {
  readonly snapshotId: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

export interface PlannerBuildReport extends BuildReport {
  readonly imported: ImportReport;
  readonly durationMs: number;
}

export interface PlannerBuild extends Partial<BuiltFile> {
  readonly _id: number;
  readonly state: 'PLANNED' | 'BUILT' | 'PUBLISHED' | 'FAILED';
  readonly plannedAt: Date;
  readonly inputHash: string;
  /** What was planned; see `usedSources` for what it was made from. */
  readonly sources: readonly PlannerSource[];
  /** Noted as it is found, so that an attempt after a crash need not find it again. */
  readonly leftOut?: readonly LeftOutVersion[];
  readonly report?: PlannerBuildReport;
  readonly endedAt?: Date;
  readonly errorCode?: BuildFailure['errorCode'];
  readonly reason?: string;
  /** Attempts to make the snapshot that have begun and not ended: under way, or gone with their process. */
  readonly attempts?: number;
  /** The snapshot and its journeys are deleted, or about to be. */
  readonly removedAt?: Date;
}

export const PLANNER_BUILDS = new CollectionDefinition<PlannerBuild>('planner_builds', [
  { name: 'snapshots', key: { snapshotId: 1 }, sparse: true },
  { name: 'endings', key: { state: 1, endedAt: -1 } },
]);

/** The last number given to a build. */
export const PLANNER_NUMBERS = new CollectionDefinition<{ readonly _id: 'builds'; readonly last: number }>(
  'planner_numbers',
);

/** How many builds back a version is looked for. */
const LOOKED_AT = 20;
/** What could not be read may have been mended or brought back, of which nobody tells. */
const LOOK_AGAIN_MS = 24 * 60 * 60_000;

export class PlannerBuildStore {
  readonly #connection: Connection;
  readonly #builds: mongo.Collection<PlannerBuild>;
  readonly #now: () => Date;

  constructor(connection: Connection, now: () => Date = () => new Date()) {
    this.#connection = connection;
    this.#builds = PLANNER_BUILDS.open(connection);
    this.#now = now;
  }

  async ensureIndexes(): Promise<void> {
    await PLANNER_BUILDS.ensureIndexes(this.#connection);
  }

  async findPointer(): Promise<PlannerPointerDocument | undefined> {
    return await findPlannerPointer(this.#connection);
  }

  /** Higher than any number given before. To be taken before the input is read, so that later numbers mean later inputs. */
  async nextNumber(): Promise<number> {
    const numbers = PLANNER_NUMBERS.open(this.#connection);
    for (;;) {
      try {
        const found = await numbers.findOneAndUpdate(
          { _id: 'builds' },
          { $inc: { last: 1 } },
          { upsert: true, returnDocument: 'after' },
        );
        if (found) return found.last;
      } catch (error) {
        // Two first ones at once: the loser finds the document on its next try.
        if (!isDuplicateKey(error)) throw error;
      }
    }
  }

  async plan(build: number, { sources, hash }: PlannerInput): Promise<void> {
    await this.#builds.insertOne({
      _id: build,
      state: 'PLANNED',
      plannedAt: this.#now(),
      inputHash: hash,
      sources: [...sources],
    });
  }

  async get(build: number): Promise<PlannerBuild> {
    const found = await this.#builds.findOne({ _id: build });
    if (!found) throw new RangeError(`There is no planner build ${build}`);
    return found;
  }

  /** How many have begun and not ended, this one with them. */
  async beginAttempt(build: number): Promise<number> {
    const counted = await this.#builds.findOneAndUpdate(
      { _id: build },
      { $inc: { attempts: 1 } },
      { returnDocument: 'after' },
    );
    return counted?.attempts ?? 1;
  }

  /** However it ended. */
  async endAttempt(build: number): Promise<void> {
    await this.#builds.updateOne({ _id: build }, { $inc: { attempts: -1 } });
  }

  /**
   * Once for each version, whatever the repeats. Answers all that the build leaves out. Throws RangeError for a build that has
   * ended: looking on for what it does not note would have no end.
   */
  async leaveOut(build: number, version: LeftOutVersion): Promise<readonly LeftOutVersion[]> {
    await this.#builds.updateOne(
      { _id: build, state: { $in: ['PLANNED', 'BUILT'] }, 'leftOut.correlationId': { $ne: version.correlationId } },
      { $push: { leftOut: version } },
    );
    const { leftOut = [] } = await this.get(build);
    if (leftOut.some(({ correlationId }) => correlationId === version.correlationId)) return leftOut;
    throw new RangeError(`Planner build ${build} has ended already`);
  }

  /** Versions that the snapshot in use was to be made from, and is not. */
  async listLeftOut(): Promise<readonly LeftOutVersion[]> {
    return (await this.#findInUse())?.leftOut ?? [];
  }

  /** Older versions that are in the snapshot in use, in place of those. */
  async listTakenInstead(): Promise<readonly PlannerSource[]> {
    const { sources = [], leftOut = [] } = (await this.#findInUse()) ?? {};
    const planned = new Set(sources.map(({ correlationId }) => correlationId));
    return usedSources(sources, leftOut).filter(({ correlationId }) => !planned.has(correlationId));
  }

  async #findInUse(): Promise<Pick<PlannerBuild, 'sources' | 'leftOut'> | undefined> {
    const pointer = await this.findPointer();
    if (!pointer) return undefined;
    const projection = { sources: 1, leftOut: 1 } as const;
    return (await this.#builds.findOne({ _id: pointer.build }, { projection })) ?? undefined;
  }

  /** Whether the snapshot in use is of this input, and leaves nothing out that should be tried again. */
  async isInUse({ hash, sources }: PlannerInput): Promise<boolean> {
    const pointer = await this.findPointer();
    if (!pointer) return sources.length === 0;
    if (pointer.inputHash !== hash) return false;
    const isDue = pointer.publishedAt.getTime() < this.#now().getTime() - LOOK_AGAIN_MS;
    return !(isDue && (await this.listLeftOut()).length > 0);
  }

  /** Before the file is stored, so that none lies about that no build knows. Throws RangeError for a build that has ended. */
  async noteFile(build: number, file: BuiltFile, report: PlannerBuildReport): Promise<void> {
    const noted = await this.#builds.updateOne({ _id: build, state: { $in: ['PLANNED', 'BUILT'] } }, [
      { $set: { state: 'BUILT', ...file, report: { $literal: report } } },
    ]);
    if (noted.matchedCount === 0) throw new RangeError(`Planner build ${build} has ended already`);
  }

  /** Moves the pointer, in one write, unless a later build holds it. */
  async publish(build: number): Promise<'PUBLISHED' | 'NOT_NEWER'> {
    const { snapshotId, sha256, sizeBytes, inputHash, removedAt } = await this.get(build);
    if (snapshotId === undefined || sha256 === undefined || sizeBytes === undefined || removedAt) {
      throw new RangeError(`Planner build ${build} has no snapshot`);
    }
    const outcome = await this.#movePointer({ build, snapshotId, sha256, sizeBytes, inputHash });
    await this.#builds.updateOne(
      { _id: build, state: 'BUILT' },
      { $set: { state: 'PUBLISHED', endedAt: this.#now() } },
    );
    return outcome;
  }

  async #movePointer(pointer: Omit<PlannerPointerDocument, '_id' | 'publishedAt'>): Promise<'PUBLISHED' | 'NOT_NEWER'> {
    try {
      await PLANNER_POINTER.open(this.#connection).updateOne(
        { _id: 'current', build: { $lt: pointer.build } },
        { $set: { ...pointer, publishedAt: this.#now() } },
        { upsert: true },
      );
    } catch (error) {
      // There is one, and it is no older.
      if (!isDuplicateKey(error)) throw error;
    }
    return (await this.findPointer())?.build === pointer.build ? 'PUBLISHED' : 'NOT_NEWER';
  }

  async fail(build: number, { errorCode, reason }: BuildFailure): Promise<void> {
    await this.#builds.updateOne(
      { _id: build, state: { $in: ['PLANNED', 'BUILT'] } },
      { $set: { state: 'FAILED', endedAt: this.#now(), errorCode, reason } },
    );
  }

  /** When a build of this very input failed last. */
  async findLastFailure(inputHash: string): Promise<Date | undefined> {
    const newest = { sort: { _id: -1 }, projection: { endedAt: 1 } } as const;
    return (await this.#builds.findOne({ state: 'FAILED', inputHash }, newest))?.endedAt;
  }

  /** How the latest build that has this version, or a newer one of its codespace, stands. Left out is failed. */
  async findState(version: Pick<PlannerSource, 'codespace' | 'kind' | 'receivedAt'>): Promise<PlannerBuildState> {
    const isNewEnough = ({ codespace, kind, receivedAt }: PlannerSource) =>
      codespace === version.codespace && kind === version.kind && receivedAt >= version.receivedAt;
    const recent = this.#builds
      .find({}, { projection: { report: 0 } })
      .sort({ _id: -1 })
      .limit(LOOKED_AT);
    const builds = (await recent.toArray()).filter(({ sources }) => sources.some(isNewEnough));
    const has = ({ sources, leftOut = [] }: PlannerBuild) => usedSources(sources, leftOut).some(isNewEnough);
    const published = builds.find((build) => build.state === 'PUBLISHED' && has(build));
    if (published?.snapshotId !== undefined) {
      return { state: 'BUILT', build: published._id, snapshotId: published.snapshotId };
    }
    const [latest] = builds;
    const failed = latest?.state === 'FAILED' || (latest?.state === 'PUBLISHED' && !has(latest));
    return failed && latest ? { state: 'FAILED', build: latest._id } : { state: 'WAITING' };
  }

  /** Builds whose snapshot was replaced before `before`, or never came into use: nobody can be reading them any more. */
  async claimRemovals(before: Date, limit: number): Promise<readonly PlannerBuild[]> {
    const pointer = await this.findPointer();
    if (!pointer) return [];
    const old = {
      _id: { $lt: await this.#latestInUse(pointer, before) },
      snapshotId: { $exists: true, $ne: pointer.snapshotId },
    };
    // The claim comes first: a build that is claimed can no longer be published.
    await this.#builds.updateMany({ ...old, removedAt: { $exists: false } }, { $set: { removedAt: this.#now() } });
    const claimed = { ...old, removedAt: { $exists: true } };
    return await this.#builds
      .find(claimed, { projection: { report: 0 } })
      .limit(limit)
      .toArray();
  }

  /** The build that was in use at `before`: those with lower numbers had been replaced by then. 0: not known. */
  async #latestInUse(pointer: PlannerPointerDocument, before: Date): Promise<number> {
    if (pointer.publishedAt < before) return pointer.build;
    const ended = { state: 'PUBLISHED', endedAt: { $lt: before } } as const;
    const latest = await this.#builds.findOne(ended, { sort: { _id: -1 }, projection: { _id: 1 } });
    return latest?._id ?? 0;
  }

  /** After its snapshot and journeys are gone; what operators read of the build stays. */
  async markRemoved(build: number): Promise<void> {
    await this.#builds.updateOne({ _id: build }, { $unset: { snapshotId: 1, sha256: 1 } });
  }

  /** Records of builds that ended long ago. */
  async forgetBefore(before: Date): Promise<void> {
    await this.#builds.deleteMany({ plannedAt: { $lt: before }, snapshotId: { $exists: false } });
  }
}
