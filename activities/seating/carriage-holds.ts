/** Chosen seats as writes of carriages, and as what reservations get. Pure. */
import type { ChosenSeats, SeatOf } from '../../workflows/seating/rules/party.ts';
import type { ReservationId } from '../../workflows/shared/ids.ts';
import { DAY_MS } from '../../workflows/shared/spans.ts';
import type { CarriageHold } from './carriage-store.ts';
import type { HeldParty, JourneyParties } from './parties.ts';
import type { ArrangementSeat, TakenStretch } from './seating-model.ts';

export type HeldSeats = ReadonlyMap<ReservationId, ArrangementSeat>;

/** Documents of carriages outlive their journey: delays, and questions about who sat where. */
const KEPT_MS = 7 * DAY_MS;

/** `chosen`: for each party. */
export function holdsOf(
  { run, parties, departure, attempt }: JourneyParties & { readonly attempt: string },
  chosen: readonly ChosenSeats[],
): readonly CarriageHold[] {
  const byCarriage = new Map<string, TakenStretch[]>();
  for (const [at, { seats, closed }] of chosen.entries()) {
    const { stretch, fromStop, toStop, reservationIds, wholeCompartment } = parties[at] as HeldParty;
    for (const [place, { carriageNumber, seat }] of [...seats, ...closed].entries()) {
      // Strangers get no seat of the compartment before the last of the party has given up its own.
      const holders = wholeCompartment ? reservationIds : [reservationIds[place] as ReservationId];
      const stretches = byCarriage.get(carriageNumber) ?? [];
      byCarriage.set(carriageNumber, stretches);
      stretches.push({ seatNumber: seat.seatNumber, ...stretch, fromStop, toStop, holders, attempt });
    }
  }
  const removeAt = new Date(departure.getTime() + KEPT_MS);
  const carriages = [...byCarriage];
  return carriages.map(([carriageNumber, stretches]) => ({
    run,
    carriageNumber,
    stretches,
    removeAt,
  }));
}

export function seatsOf(parties: readonly HeldParty[], chosen: readonly ChosenSeats[]): HeldSeats {
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
