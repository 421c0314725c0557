/**
 * One attempt to hold all seats of a call. A reservation is noted before its seat is held, and shown once it is: a crash
 * between leaves a note that the sweep finds. Caller: the seat keeper.
 */
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { FareReader } from '../shared/fares.ts';
import type { SeatArrangement } from '../shared/seating.ts';
import { toArrangement } from './arrangement-view.ts';
import type { HeldSeats } from './carriage-holds.ts';
import { holdJourney, type SeatStores } from './hold-journey.ts';
import type { RunCall } from './hold-notes.ts';
import { partiesOf } from './parties.ts';
import { listCarriages } from './seat-plans.ts';
import { type ArrangementDocument, runsOf } from './seating-model.ts';
import type { Turns } from './turns.ts';

export interface HoldAttemptOptions {
  readonly stores: SeatStores;
  readonly turns: Turns;
  readonly fares: FareReader;
  readonly call: RunCall;
  /** Of this attempt. */
  readonly notes: readonly ArrangementDocument[];
  readonly attempt: string;
}

export class HoldAttempt {
  readonly #options: HoldAttemptOptions;
  #isNoted = false;

  constructor(options: HoldAttemptOptions) {
    this.#options = options;
  }

  async run(): Promise<readonly SeatArrangement[]> {
    const { stores, attempt } = this.#options;
    try {
      const held = await this.#holdAll();
      if (held.size > 0 && !(await stores.arrangements.finish(attempt, held))) throw takenOver();
      return await this.#describe(held);
    } catch (error) {
      // The sweep frees what stays when the database is away.
      if (this.#isNoted) await this.#forget().catch(() => undefined);
      throw error;
    }
  }

  /** All or nothing, but for what {@link HoldAttempt.#forget} then frees. */
  async #holdAll(): Promise<HeldSeats> {
    const { stores, turns, fares, call, notes, attempt } = this.#options;
    const asked = stores.lists.ask();
    const onNote = () => {
      this.#isNoted = true;
    };
    const outcomes = await Promise.allSettled(
      partiesOf(call.requests).map(async (parties) => {
        const { runId } = parties.run;
        const carriages = await listCarriages(fares, parties.journey);
        const ofJourney = notes.filter((note) => note.runId === runId);
        const { mayHold } = call;
        const hold = { ...parties, carriages, notes: ofJourney, attempt, asked, onNote, ...(mayHold && { mayHold }) };
        return await turns.take(runId, () => holdJourney(stores, hold));
      }),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
    return new Map(outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [...outcome.value] : [])));
  }

  async #forget(): Promise<void> {
    const { stores, notes, attempt } = this.#options;
    await stores.carriages.releaseAttempt(runsOf(notes), attempt);
    await stores.arrangements.forget(attempt, notes);
  }

  /** Those that an earlier attempt holds are read again. */
  async #describe(held: HeldSeats): Promise<readonly SeatArrangement[]> {
    const { stores, notes } = this.#options;
    const others = notes.filter(({ _id }) => !held.has(_id)).map(({ _id }) => _id);
    if (others.length > 0) await stores.arrangements.join(await stores.arrangements.find(others));
    // Read after joining: what was given back meanwhile is held no more.
    const earlier = others.length === 0 ? [] : await stores.arrangements.find(others);
    const known = new Map(earlier.map((each) => [each._id, each]));
    return notes.map((note) => {
      const seat = held.get(note._id);
      const arrangement = toArrangement(seat ? { ...note, ...seat, status: 'HELD' } : known.get(note._id));
      if (!arrangement) throw takenOver();
      return arrangement;
    });
  }
}

/** The request was repeated while this attempt was under way. */
function takenOver(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'The request is being handled again; ask once more.', {
    headers: { 'Retry-After': '1' },
  });
}
