/**
 * Holds the seats of one call on one journey. Chooses by what it has read, notes that, and holds by conditional updates:
 * a process that loses a seat to another chooses again, among more seats, so that they do not all want the same one.
 */
import { chooseSeats } from '../../workflows/seating/rules/choose-seats.ts';
import type { ChosenSeats } from '../../workflows/seating/rules/party.ts';
import type { Carriage } from '../../workflows/shared/seats.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { ArrangementStore } from './arrangement-store.ts';
import { type HeldSeats, holdsOf, seatsOf } from './carriage-holds.ts';
import type { CarriageLists } from './carriage-lists.ts';
import type { CarriageStore } from './carriage-store.ts';
import { noSeat } from './no-seat.ts';
import { type HeldParty, type JourneyParties, partiesWithin } from './parties.ts';
import { isCurrent } from './renumbered.ts';
import { isKnown } from './seated-runs.ts';
import type { ArrangementDocument, CarriageDocument } from './seating-model.ts';
import { TakenByCarriage } from './taken-seats.ts';

export interface JourneyHold extends JourneyParties {
  readonly carriages: readonly Carriage[];
  readonly notes: readonly ArrangementDocument[];
  readonly attempt: string;
  /** When the caller has asked; see CarriageLists. */
  readonly asked: number;
  /** Called before anything is written. */
  readonly onNote: () => void;
  /** See HoldCall. */
  readonly mayHold?: () => void;
}

export interface SeatStores {
  readonly arrangements: ArrangementStore;
  readonly carriages: CarriageStore;
  readonly lists: CarriageLists;
}

/** Each lost try means that another caller has got a seat, or that the calls of the run have changed. */
const MOST_TRIES = 100;
const AMONG_AFTER_LOSS = 16;

/**
 * The seats that this attempt holds: without those that an earlier one of the same request has. Throws SEAT_UNAVAILABLE;
 * the caller then frees what the attempt holds elsewhere, as after
 * what `mayHold` throws.
 */
export async function holdJourney(stores: SeatStores, hold: JourneyHold): Promise<HeldSeats> {
  const { runId } = hold.run;
  let { parties } = hold;
  let isNoted = false;
  let lost = 0;
  refuseBySharedList(stores.lists, hold);
  while (lost < MOST_TRIES) {
    hold.mayHold?.();
    const stored = await stores.lists.read(runId);
    const outdated = stored.filter((carriage) => !isCurrent(carriage, hold.run));
    if (outdated.length > 0) {
      await Promise.all(outdated.map((carriage) => stores.carriages.renumber(carriage, hold.run)));
      lost += 1;
      continue;
    }
    // A repeat may find the journey sold out by itself.
    const chosen = !isNoted && isHeldBy(stored, hold) ? [] : choose(hold, parties, stored, lost);
    if (!isNoted) {
      hold.onNote();
      isNoted = true;
      if ((await stores.arrangements.note(hold.notes)) === 'FOUND') {
        parties = await takeOver(stores, hold);
        if (parties.length === 0) return new Map();
        continue;
      }
    }
    const writes = holdsOf({ ...hold, parties }, chosen);
    const held = await Promise.all(writes.map((write) => stores.carriages.hold(write)));
    if (held.every(Boolean)) {
      const seats = seatsOf(parties, chosen);
      stores.lists.noteHeld(runId, seats.keys());
      return seats;
    }
    if (held.some(Boolean)) await stores.carriages.releaseAttempt([runId], hold.attempt);
    lost += 1;
  }
  throw new ServiceError('UNAVAILABLE', 'Too many others book seats of this journey at this moment; try again.', {
    headers: { 'Retry-After': '1' },
  });
}

/** Throws SEAT_UNAVAILABLE where a read that began since the caller asked has no seats for it. */
function refuseBySharedList(lists: CarriageLists, hold: JourneyHold): void {
  const { run, parties, notes, asked } = hold;
  const shared = lists.findSince(
    run.runId,
    asked,
    notes.map(({ _id }) => _id),
  );
  if (!shared?.every((carriage) => isCurrent(carriage, run)) || isHeldBy(shared, hold)) return;
  choose(hold, parties, shared, 0);
}

function isHeldBy(stored: readonly CarriageDocument[], { notes }: JourneyHold): boolean {
  const ids = new Set(notes.map(({ _id }) => _id));
  return stored.some(({ stretches }) => stretches.some(({ holders }) => holders.some((id) => ids.has(id))));
}

function choose(
  { carriages, run, journey }: JourneyHold,
  parties: readonly HeldParty[],
  stored: readonly CarriageDocument[],
  lost: number,
): readonly ChosenSeats[] {
  // Without its calls nothing says where the stretches that are sold end.
  if (!isKnown(run)) throw noSeat();
  const taken = new TakenByCarriage(stored, run);
  const chance = { among: lost === 0 ? 1 : AMONG_AFTER_LOSS * lost, random: Math.random };
  return parties.map((party) => {
    const chosen = chooseSeats(carriages, taken.carriages, party, chance);
    if (!chosen) {
      const { datedServiceJourneyId } = journey;
      throw noSeat({ carriages, taken: taken.carriages, datedServiceJourneyId, party });
    }
    for (const { carriageNumber, seat } of [...chosen.seats, ...chosen.closed]) {
      taken.add(carriageNumber, { seatNumber: seat.seatNumber, ...party.stretch });
    }
    return chosen;
  });
}

/** The parties as far as no earlier attempt of the request has seats for them. Its remains are freed. */
async function takeOver(
  { arrangements, carriages }: SeatStores,
  { run, notes, attempt, parties }: JourneyHold,
): Promise<readonly HeldParty[]> {
  const found = await arrangements.find(notes.map(({ _id }) => _id));
  const own = new Set(found.filter((each) => each.attempt === attempt).map(({ _id }) => _id));
  await carriages.release({
    runIds: [run.runId],
    reservationIds: [...own],
    exceptAttempt: attempt,
  });
  return partiesWithin(parties, own);
}
