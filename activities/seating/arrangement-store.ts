/**
 * Who has which seat. Callers: the seat keeper, its sweep, the operations of the area. Which seats are free follows from
 * the carriages, not from here.
 */
import type { Connection, mongo } from 'mongoose';
import { isOnlyDuplicateKeys } from '../../platform/mongo/mongo.ts';
import type { OrderId, ReservationId } from '../../workflows/shared/ids.ts';
import type { ArrangementStatus, SeatHold } from '../shared/seating.ts';
import { ARRANGEMENTS, type ArrangementDocument, type ArrangementSeat } from './seating-model.ts';

/** What a reservation that was released keeps of its seat. */
const FORGOTTEN = {
  carriageNumber: 1,
  seatNumber: 1,
  compartmentNumber: 1,
  seatingProperties: 1,
  isJoined: 1,
} as const;

const LIVE: ArrangementStatus[] = ['HELD', 'CONFIRMED'];

export class ArrangementStore {
  readonly #arrangements: mongo.Collection<ArrangementDocument>;

  constructor(connection: Connection) {
    this.#arrangements = ARRANGEMENTS.open(connection);
  }

  async find(ids: readonly ReservationId[]): Promise<readonly ArrangementDocument[]> {
    return await this.#arrangements.find({ _id: { $in: [...ids] } }).toArray();
  }

  /**
   * Takes over what earlier attempts of the same request have left unfinished or released. FOUND: some of it is held
   * already, or was begun before.
   */
  async note(notes: readonly ArrangementDocument[]): Promise<'NEW' | 'FOUND'> {
    const writes = notes.map(({ _id, ...note }) => ({
      updateOne: {
        filter: { _id, status: { $in: ['PENDING' as const, 'RELEASED' as const] } },
        update: {
          $set: note,
          $unset: { ...FORGOTTEN, ...(note.replacedBy === undefined && { replacedBy: 1 as const }) },
        },
        upsert: true,
      },
    }));
    try {
      const { upsertedCount } = await this.#arrangements.bulkWrite(writes, { ordered: false });
      return upsertedCount === notes.length ? 'NEW' : 'FOUND';
    } catch (error) {
      if (!isOnlyDuplicateKeys(error)) throw error;
      return 'FOUND';
    }
  }

  /** False when another attempt of the same request, or the sweep, has taken over. */
  async finish(attempt: string, seats: ReadonlyMap<ReservationId, ArrangementSeat>): Promise<boolean> {
    const writes = [...seats].map(([_id, seat]) => ({
      updateOne: {
        filter: { _id, attempt, status: 'PENDING' as const },
        update: { $set: { ...seat, status: 'HELD' as const } },
      },
    }));
    const { matchedCount } = await this.#arrangements.bulkWrite(writes, { ordered: false });
    return matchedCount === seats.size;
  }

  /** Seats that another attempt of the request holds stay held when that one gives its own back. */
  async join(found: readonly ArrangementDocument[]): Promise<void> {
    const held = found.filter(({ status }) => status === 'HELD');
    if (held.length === 0) return;
    const these = { $or: held.map(({ _id, attempt }) => ({ _id, attempt })), status: 'HELD' as const };
    await this.#arrangements.updateMany(these, { $set: { isJoined: true } });
  }

  /**
   * Answers those of the holds that nobody else counts on. They are PENDING from here on, so that a repeat of the request
   * takes them over, and the sweep frees them after a crash.
   */
  async surrender(orderId: OrderId, holds: readonly SeatHold[]): Promise<readonly ArrangementDocument[]> {
    if (holds.length === 0) return [];
    const these = { orderId, $or: holds.map(({ reservationId: _id, attempt }) => ({ _id, attempt })) };
    const unused = { ...these, status: 'HELD' as const, checkAt: { $exists: true }, isJoined: { $exists: false } };
    await this.#arrangements.updateMany(unused, { $set: { status: 'PENDING' } });
    return await this.#arrangements.find({ ...these, status: 'PENDING' }).toArray();
  }

  /** The order has them: they are shown instead of what they replace. Repeatable. */
  async show(written: readonly ArrangementDocument[]): Promise<void> {
    for (const each of written) {
      const { replaces } = each;
      if (replaces === undefined) continue;
      const live = { _id: each._id, status: { $in: LIVE } };
      const { matchedCount } = await this.#arrangements.updateOne(live, { $unset: { replacedBy: 1 } });
      if (matchedCount === 0) continue;
      await this.#arrangements.updateMany(othersOf({ ...each, replaces }), { $set: { replacedBy: each._id } });
      // The order has given it up meanwhile.
      if (!(await this.#arrangements.findOne(live))) await this.#showReplaced([each]);
    }
  }

  /** Forgets what an attempt did not finish, or could not keep. What it was to replace is shown again. */
  async forget(attempt: string, notes: readonly ArrangementDocument[]): Promise<void> {
    const ids = notes.map(({ _id }) => _id);
    await this.#arrangements.deleteMany({ _id: { $in: ids }, attempt, status: { $in: ['PENDING', 'HELD'] } });
    await this.#showReplaced(notes);
  }

  /** True when all of them are confirmed now. */
  async confirm(orderId: OrderId, ids: readonly ReservationId[]): Promise<boolean> {
    const these = { _id: { $in: [...ids] }, orderId, status: { $in: LIVE } };
    const isShown = { $eq: [{ $type: '$replacedBy' }, 'missing'] };
    // The sweep shows what is still hidden behind the seat that it replaces.
    const checkAt = { $cond: [isShown, '$$REMOVE', '$checkAt'] };
    const { matchedCount } = await this.#arrangements.updateMany(these, [{ $set: { status: 'CONFIRMED', checkAt } }]);
    return matchedCount === new Set(ids).size;
  }

  /** After their seats are free. What they were to replace is shown again. */
  async markReleased(released: readonly ArrangementDocument[]): Promise<void> {
    if (released.length === 0) return;
    const these = { $or: released.map(({ _id, attempt }) => ({ _id, attempt })) };
    await this.#arrangements.deleteMany({ ...these, status: 'PENDING' });
    await this.#arrangements.updateMany(these, { $set: { status: 'RELEASED' }, $unset: { checkAt: 1 } });
    await this.#showReplaced(released);
  }

  /** Holds whose order should have been written by now, the oldest first. */
  async listDue(now: Date, limit: number): Promise<readonly ArrangementDocument[]> {
    return await this.#arrangements
      .find({ checkAt: { $lte: now } })
      .sort({ checkAt: 1 })
      .limit(limit)
      .toArray();
  }

  /** The order has the reservations: they live as long as it says. */
  async keep(attempt: string, kept: readonly ArrangementDocument[]): Promise<void> {
    await this.show(kept);
    const ids = kept.map(({ _id }) => _id);
    await this.#arrangements.updateMany({ _id: { $in: ids }, attempt }, { $unset: { checkAt: 1 } });
  }

  /** By reservation. */
  async arrangementIds(ids: readonly ReservationId[]): Promise<ReadonlyMap<ReservationId, ReservationId>> {
    if (ids.length === 0) return new Map();
    return new Map((await this.find(ids)).map(({ _id, arrangementId }) => [_id, arrangementId]));
  }

  /** Where the traveller still has a seat that was to be replaced, that one counts again. */
  async #showReplaced(arrangements: readonly ArrangementDocument[]): Promise<void> {
    for (const { _id, organisationId, arrangementId, replaces } of arrangements) {
      if (replaces === undefined) continue;
      const hidden = { organisationId, arrangementId, status: { $in: LIVE }, replacedBy: _id };
      const shown = await this.#arrangements.findOneAndUpdate(hidden, { $unset: { replacedBy: 1 } });
      if (shown) await this.#arrangements.updateOne({ _id }, { $set: { replacedBy: shown._id } });
    }
  }
}

type Replacing = ArrangementDocument & { readonly replaces: ReservationId };

/**
 * What it replaces, and the sold seat that this one had replaced before. Not the holds of other requests, which are hidden
 * already, and nothing newer: a late word hides no later seat.
 */
function othersOf(replacing: Replacing): mongo.Filter<ArrangementDocument> {
  const { _id, organisationId, arrangementId, replaces, heldAt } = replacing;
  const isNoHold = { $or: [{ replacedBy: { $exists: false } }, { $expr: { $ne: ['$replacedBy', '$replaces'] } }] };
  return {
    ...{ organisationId, arrangementId },
    $or: [{ _id: replaces }, { _id: { $ne: _id }, status: { $in: LIVE }, heldAt: { $lte: heldAt }, ...isNoHold }],
  };
}
