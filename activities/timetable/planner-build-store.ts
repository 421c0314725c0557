/**
 * Writes the builds of planner snapshots (sources, end, report) and the pointer to the snapshot in use. Every write is one
 * conditional update, so that running it twice, or two at once, equals once. `planner-build-queries.ts` and
 * `planner-in-use-queries.ts` have the reads.
 *
 * Callers: the activities of the planner build, its sweep, the step PLANNER_BUILD.
 */
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { BuildFailure } from '../../workflows/timetable/planner-build-activities.ts';
import type { PlannerPointerDocument } from '../shared/planner-snapshot.ts';
import { findFault, MOST_AHEAD_SECONDS, type SignedSnapshot, signSnapshot } from '../shared/snapshot-signature.ts';
import type { LeftOutVersion } from './left-out-version.ts';
import {
  type BuiltFile,
  PLANNER_BUILDS,
  PLANNER_NUMBERS,
  type PlannerBuild,
  type PlannerBuildReport,
} from './planner-build-model.ts';
import { PlannerInUseQueries } from './planner-in-use-queries.ts';
import type { PlannerInput } from './planner-input.ts';

/** `inputHash`: of the sources that the file was made from. */
export type NotedFile = BuiltFile & Pick<PlannerBuild, 'inputHash'>;

export class PlannerBuildStore extends PlannerInUseQueries {
  async ensureIndexes(): Promise<void> {
    await PLANNER_BUILDS.ensureIndexes(this.connection);
  }

  /**
   * Higher than any number before. Take it before reading the input, so that a higher number means a later input. It
   * begins with the time, so that a changed counter neither makes it go back nor leaves no number for later builds.
   */
  async nextNumber(): Promise<number> {
    const seconds = Math.floor(this.now().getTime() / 1_000);
    const isUsable = {
      $and: [
        { $in: [{ $type: '$last' }, ['int', 'long', 'double']] },
        { $lt: ['$last', seconds + MOST_AHEAD_SECONDS] },
      ],
    };
    const next = { $add: [{ $trunc: { $cond: [isUsable, '$last', 0] } }, 1] };
    const numbers = PLANNER_NUMBERS.open(this.connection);
    for (;;) {
      try {
        const found = await numbers.findOneAndUpdate(
          { _id: 'builds' },
          [{ $set: { last: { $max: [next, seconds] } } }],
          { upsert: true, returnDocument: 'after' },
        );
        if (found) return found.last;
      } catch (error) {
        // Another process has created the document: the next try finds it.
        if (!isDuplicateKey(error)) throw error;
      }
    }
  }

  async plan(build: number, { sources, hash }: PlannerInput): Promise<void> {
    await this.builds.insertOne({
      _id: build,
      state: 'PLANNED',
      plannedAt: this.now(),
      inputHash: hash,
      sources: [...sources],
    });
  }

  /** Number of attempts that have begun and not ended, with this one. */
  async beginAttempt(build: number): Promise<number> {
    const counted = await this.builds.findOneAndUpdate(
      { _id: build },
      { $inc: { attempts: 1 } },
      { returnDocument: 'after' },
    );
    return counted?.attempts ?? 1;
  }

  /** Call after an attempt, whatever its end. */
  async endAttempt(build: number): Promise<void> {
    await this.builds.updateOne({ _id: build }, { $inc: { attempts: -1 } });
  }

  /**
   * Records each version once, whatever the repeats. Answers all versions that the build leaves out. Throws RangeError
   * for a build that has ended: its record does not change, so a search for more would not end.
   */
  async leaveOut(build: number, version: LeftOutVersion): Promise<readonly LeftOutVersion[]> {
    await this.builds.updateOne(
      { _id: build, state: { $in: ['PLANNED', 'BUILT'] }, 'leftOut.correlationId': { $ne: version.correlationId } },
      { $push: { leftOut: version } },
    );
    const { leftOut = [] } = await this.get(build);
    if (leftOut.some(({ correlationId }) => correlationId === version.correlationId)) return leftOut;
    throw new RangeError(`Planner build ${build} has ended already`);
  }

  /**
   * Signs and records the file, whose bytes the caller has just made. Call it before storing the file, so that each
   * file belongs to a build. Throws RangeError for a build that has ended.
   */
  async noteFile(build: number, file: NotedFile, report: PlannerBuildReport): Promise<void> {
    const { keyId, signature } = signSnapshot(this.keys, { build, ...file });
    const noted = await this.builds.updateOne({ _id: build, state: { $in: ['PLANNED', 'BUILT'] } }, [
      { $set: { state: 'BUILT', ...file, keyId, signature, report: { $literal: report } } },
    ]);
    if (noted.matchedCount === 0) throw new RangeError(`Planner build ${build} has ended already`);
  }

  /** The snapshot of this build, undefined when it has none that was signed here. */
  async findSnapshot(build: number): Promise<SignedSnapshot | undefined> {
    const { _id, removedAt, snapshotId, sha256, sizeBytes, inputHash, keyId, signature } = await this.get(build);
    const found = { build: _id, snapshotId, sha256, sizeBytes, inputHash, keyId, signature };
    if (removedAt || findFault(found, this.keys.publicKeys, this.now()) !== undefined) return undefined;
    return found as SignedSnapshot;
  }

  /** Moves the pointer, in one write, unless a later build holds it. */
  async publish(build: number): Promise<'PUBLISHED' | 'NOT_NEWER'> {
    const snapshot = await this.findSnapshot(build);
    if (!snapshot) throw new RangeError(`Planner build ${build} has no snapshot`);
    const outcome = await this.pointers.move(snapshot);
    await this.builds.updateOne({ _id: build, state: 'BUILT' }, { $set: { state: 'PUBLISHED', endedAt: this.now() } });
    return outcome;
  }

  async fail(build: number, { errorCode, reason }: BuildFailure): Promise<void> {
    await this.builds.updateOne(
      { _id: build, state: { $in: ['PLANNED', 'BUILT'] } },
      { $set: { state: 'FAILED', endedAt: this.now(), errorCode, reason } },
    );
  }

  /** Claims builds whose snapshot was replaced before `before`, or was never in use: no process reads it any more. */
  async claimRemovals(before: Date, limit: number): Promise<readonly PlannerBuild[]> {
    const pointer = await this.findPointer();
    if (!pointer) return [];
    const old = {
      _id: { $lt: await this.#latestInUse(pointer, before) },
      snapshotId: { $exists: true, $ne: pointer.snapshotId },
    };
    // First the claim: a claimed build cannot be published any more.
    await this.builds.updateMany({ ...old, removedAt: { $exists: false } }, { $set: { removedAt: this.now() } });
    const claimed = { ...old, removedAt: { $exists: true } };
    return await this.builds
      .find(claimed, { projection: { report: 0 } })
      .limit(limit)
      .toArray();
  }

  /** The build in use at `before`: those with lower numbers were replaced by then. 0: unknown. */
  async #latestInUse(pointer: PlannerPointerDocument, before: Date): Promise<number> {
    if (pointer.publishedAt < before) return pointer.build;
    const ended = { state: 'PUBLISHED', endedAt: { $lt: before } } as const;
    const latest = await this.builds.findOne(ended, { sort: { _id: -1 }, projection: { _id: 1 } });
    return latest?._id ?? 0;
  }

  /** After its snapshot and journeys are deleted. The record for operators stays. */
  async markRemoved(build: number): Promise<void> {
    await this.builds.updateOne({ _id: build }, { $unset: { snapshotId: 1, sha256: 1, keyId: 1, signature: 1 } });
  }

  /** Deletes records of old builds. */
  async forgetBefore(before: Date): Promise<void> {
    await this.builds.deleteMany({ plannedAt: { $lt: before }, snapshotId: { $exists: false } });
  }
}
