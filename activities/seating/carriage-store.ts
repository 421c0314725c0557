/**
 * The seats of carriages that are held or sold. Callers: the seat keeper and its sweep. A hold is one conditional update
 * of a carriage; two that overlap cannot both succeed, whatever the concurrency.
 */
import type { Connection, mongo } from 'mongoose';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { ReservationId } from '../../workflows/shared/ids.ts';
import { renumbered } from './renumbered.ts';
import type { SeatedRun } from './seated-runs.ts';
import { CARRIAGES, type CarriageDocument, carriageId, type TakenStretch } from './seating-model.ts';

export interface CarriageHold {
  readonly run: SeatedRun;
  readonly carriageNumber: string;
  readonly stretches: readonly TakenStretch[];
  readonly removeAt: Date;
}

export interface HeldBy {
  readonly runIds: readonly string[];
  readonly reservationIds: readonly ReservationId[];
  /** Only what this attempt wrote. */
  readonly attempt?: string;
  /** Only what other attempts wrote. */
  readonly exceptAttempt?: string;
}

export class CarriageStore {
  readonly #carriages: mongo.Collection<CarriageDocument>;

  constructor(connection: Connection) {
    this.#carriages = CARRIAGES.open(connection);
  }

  /** Those with a seat that was ever held. */
  async list(runId: string): Promise<readonly CarriageDocument[]> {
    return await this.#carriages.find({ runId }).toArray();
  }

  /** Counts the calls of the run as they are now. Without effect when the carriage has changed since it was read. */
  async renumber(carriage: CarriageDocument, run: SeatedRun): Promise<void> {
    const { _id, callsHash, stretches } = carriage;
    await this.#carriages.updateOne(
      { _id, callsHash, stretches: { $eq: stretches } },
      { $set: { callsHash: run.callsHash, stretches: renumbered(carriage, run) } },
    );
  }

  /** False when another stretch of one of the seats overlaps, or counts other calls; then nothing is held. */
  async hold({ run: { runId, callsHash }, carriageNumber, stretches, removeAt }: CarriageHold): Promise<boolean> {
    const overlaps = stretches.map(({ seatNumber, from, to }) => ({
      stretches: { $elemMatch: { seatNumber, from: { $lt: to }, to: { $gt: from } } },
    }));
    try {
      const { matchedCount, upsertedCount } = await this.#carriages.updateOne(
        {
          _id: carriageId(runId, carriageNumber),
          $nor: overlaps,
          callsHash,
        },
        {
          $push: { stretches: { $each: [...stretches] } },
          $setOnInsert: { runId, carriageNumber },
          $max: { removeAt },
        },
        { upsert: true },
      );
      return matchedCount + upsertedCount === 1;
    } catch (error) {
      // The carriage exists, and its condition failed; or another process has created it just now.
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** Frees every seat that an attempt holds, in these runs. */
  async releaseAttempt(runIds: readonly string[], attempt: string): Promise<void> {
    await this.#carriages.updateMany(
      { runId: { $in: [...runIds] }, 'stretches.attempt': attempt },
      { $pull: { stretches: { attempt } } },
    );
  }

  /** A seat is free when its last holder has released it. */
  async release({ runIds, reservationIds, attempt, exceptAttempt }: HeldBy): Promise<void> {
    if (reservationIds.length === 0) return;
    const ids = [...reservationIds];
    const isMeant = [
      ...(attempt === undefined ? [] : [{ $eq: ['$$each.attempt', attempt] }]),
      ...(exceptAttempt === undefined ? [] : [{ $ne: ['$$each.attempt', exceptAttempt] }]),
    ];
    const left = { $setDifference: ['$$each.holders', { $literal: ids }] };
    const holders = { $cond: [{ $and: isMeant }, left, '$$each.holders'] };
    const withHolders = { $map: { input: '$stretches', as: 'each', in: { $mergeObjects: ['$$each', { holders }] } } };
    const held = { $filter: { input: withHolders, as: 'each', cond: { $ne: ['$$each.holders', []] } } };
    await this.#carriages.updateMany({ runId: { $in: [...runIds] }, 'stretches.holders': { $in: ids } }, [
      { $set: { stretches: held } },
    ]);
  }
}
