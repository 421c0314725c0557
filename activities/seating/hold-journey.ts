/**
 * Holds the seats of one call on one journey. Chooses by what it has read, and holds by conditional updates: whoever loses
 * a seat to another chooses again, among more seats, so that many callers do not all want the same one.
 */
import { chooseSeats } from '../../workflows/seating/rules/choose-seats.ts';
import type { ChosenSeats, SeatOf } from '../../workflows/seating/rules/party.ts';
import type { ReservationId } from '../../workflows/shared/ids.ts';
import type { Carriage } from '../../workflows/shared/seats.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { CarriageHold, CarriageStore } from './carriage-store.ts';
import type { HeldParty, JourneyParties } from './parties.ts';
import type { ArrangementSeat, TakenStretch } from './seating-model.ts';
import { TakenByCarriage } from './taken-seats.ts';

export interface JourneyHold extends JourneyParties {
  readonly carriages: readonly Carriage[];
  readonly attempt: string;
}

export type HeldSeats = ReadonlyMap<ReservationId, ArrangementSeat>;

/** Each lost try means that another caller has got a seat. */
const MOST_TRIES = 100;
const AMONG_AFTER_LOSS = 16;
/** Documents of carriages outlive their journey: delays, and questions about who sat where. */
const KEPT_MS = 7 * 86_400_000;

/** Throws SEAT_UNAVAILABLE; then this call holds nothing on the journey, unless it fails otherwise. */
export async function holdJourney(store: CarriageStore, hold: JourneyHold): Promise<HeldSeats> {
  const { datedServiceJourneyId } = hold.journey;
  for (let lost = 0; lost < MOST_TRIES; lost++) {
    const taken = new TakenByCarriage(await store.list([datedServiceJourneyId]));
    const chosen = hold.parties.map((party) => choose(hold, taken, party, lost));
    const writes = writesOf(hold, chosen);
    const held = await Promise.all(writes.map((write) => store.hold(write)));
    if (held.every(Boolean)) return seatsOf(hold, chosen);
    if (held.some(Boolean)) await store.releaseAttempt([datedServiceJourneyId], hold.attempt);
  }
  throw new ServiceError('UNAVAILABLE', 'Too many others book seats of this journey at this moment; try again.', {
    headers: { 'Retry-After': '1' },
  });
}

export function noSeat(): ServiceError {
  return new ServiceError('SEAT_UNAVAILABLE', 'The journey has no such free seat on this stretch.');
}

function choose({ carriages }: JourneyHold, taken: TakenByCarriage, party: HeldParty, lost: number): ChosenSeats {
  const among = lost === 0 ? 1 : AMONG_AFTER_LOSS * lost;
  const chosen = chooseSeats(carriages, taken.carriages, party, { among, random: Math.random });
  if (!chosen) throw noSeat();
  for (const { carriageNumber, seat } of [...chosen.seats, ...chosen.closed]) {
    taken.add(carriageNumber, { seatNumber: seat.seatNumber, ...party.stretch });
  }
  return chosen;
}

function writesOf(
  { journey, parties, departure, attempt }: JourneyHold,
  chosen: readonly ChosenSeats[],
): readonly CarriageHold[] {
  const byCarriage = new Map<string, TakenStretch[]>();
  for (const [at, { seats, closed }] of chosen.entries()) {
    const { stretch, reservationIds, wholeCompartment } = parties[at] as HeldParty;
    for (const [place, { carriageNumber, seat }] of [...seats, ...closed].entries()) {
      // Strangers get no seat of the compartment before the last of the party has given up its own.
      const holders = wholeCompartment ? reservationIds : [reservationIds[place] as ReservationId];
      const stretches = byCarriage.get(carriageNumber) ?? [];
      byCarriage.set(carriageNumber, stretches);
      stretches.push({ seatNumber: seat.seatNumber, ...stretch, holders, attempt });
    }
  }
  const removeAt = new Date(departure.getTime() + KEPT_MS);
  const { datedServiceJourneyId } = journey;
  return [...byCarriage].map(([carriageNumber, stretches]) => ({
    datedServiceJourneyId,
    carriageNumber,
    stretches,
    removeAt,
  }));
}

function seatsOf({ parties }: JourneyHold, chosen: readonly ChosenSeats[]): HeldSeats {
  return new Map(
    parties.flatMap(({ reservationIds }, at) =>
      reservationIds.map((id, place) => [id, arrangementSeat(chosen[at]?.seats[place] as SeatOf)] as const),
    ),
  );
}

function arrangementSeat({ carriageNumber, seat }: SeatOf): ArrangementSeat {
  const { seatNumber, compartmentNumber, properties } = seat;
  return {
    carriageNumber,
    seatNumber,
    ...(compartmentNumber !== undefined && { compartmentNumber }),
    seatingProperties: properties,
  };
}
