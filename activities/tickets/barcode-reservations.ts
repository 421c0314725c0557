/**
 * The seats of a ticket as documents of UIC's rail ticket. Pure. Each ride has one for the seats of a carriage, and others for its berths and
 * couchettes and for its first class: a document has one service and one class.
 */

import type { ValueOf } from '../../barcode/per/per-type.ts';
import { toUicInstant } from '../../barcode/uic/day-of-year.ts';
import type { reservationData } from '../../barcode/uic/reservation.ts';
import type { SoldLeg } from '../../workflows/offers/rules/offer.ts';
import type { Distribution, TicketSeat } from '../../workflows/tickets/rules/ticket-group.ts';
import { dayOffset, isIa5, stationMembers } from './barcode-members.ts';

type Reservation = ValueOf<typeof reservationData>;

const PLACE_NUMBER = /^[1-9]\d{0,2}$/;
const LAST_PLACE_NUMBER = 254;
const SERVICE = { SEATING: 'seat', COUCHETTE: 'couchette', SLEEPER: 'berth' } as const;

export type ReservationExtent = 'WITH_STATIONS' | 'WITHOUT_STATIONS' | 'NONE';

export function reservationsOf(
  ticket: Distribution,
  extent: ReservationExtent = 'WITH_STATIONS',
): readonly Reservation[] {
  if (extent === 'NONE') return [];
  return ticket.legs.flatMap((leg) => {
    const ofLeg = ticket.seatReservations.filter(({ legId }) => legId === leg.legId);
    const byKind = Map.groupBy(ofLeg, kindOf);
    const departureDate = dayOffset(ticket.issuedAt, leg.expectedStartTime);
    // The module has no room for what departed before the day of issue, or will after 500 days.
    if (departureDate < -1 || departureDate > 500) return [];
    const stations = extent === 'WITH_STATIONS' ? stationsOf(leg) : {};
    return [...byKind.values()].map((seats) => ({
      ...reservationOf(ticket, leg, departureDate, seats),
      ...stations,
    }));
  });
}

function kindOf({ carriageNumber, seatingProperties: { accommodationFacility, fareClass } }: TicketSeat): string {
  return JSON.stringify([carriageNumber, accommodationFacility, fareClass]);
}

function reservationOf(
  { id }: Distribution,
  leg: SoldLeg,
  departureDate: number,
  seats: readonly TicketSeat[],
): Reservation {
  const { serviceJourneyPrivateCode, datedServiceJourneyId } = leg;
  const train = isIa5(serviceJourneyPrivateCode) ? serviceJourneyPrivateCode : datedServiceJourneyId;
  const [first] = seats;
  return {
    ...(isIa5(train) && { trainIA5: train }),
    departureDate,
    referenceIA5: String(id),
    service: SERVICE[first?.seatingProperties.accommodationFacility ?? 'SEATING'],
    departureTime: toUicInstant(leg.expectedStartTime).minutes,
    ...(first && {
      classCode: first.seatingProperties.fareClass === 'FIRST' ? ('first' as const) : ('second' as const),
    }),
    places: placesOf(seats),
  };
}

function stationsOf({ fromStopPlaceId: from, toStopPlaceId: to, calls }: SoldLeg) {
  const nameOf = (stopPlaceId: string) => calls.find((call) => call.stopPlaceId === stopPlaceId)?.name;
  return stationMembers({ from, to, fromName: nameOf(from), toName: nameOf(to) });
}

/** Numbers where all seats have one that the module knows; else texts. */
function placesOf(seats: readonly TicketSeat[]): NonNullable<Reservation['places']> {
  const [coach] = seats.map(({ carriageNumber }) => carriageNumber);
  const numbers = seats.map(({ seatNumber }) => seatNumber);
  const named = isIa5(coach) ? { coach } : {};
  if (numbers.every((number) => PLACE_NUMBER.test(number) && Number(number) <= LAST_PLACE_NUMBER)) {
    return { ...named, placeNum: numbers.map(Number) };
  }
  if (isIa5(coach) && numbers.every(isIa5)) return { ...named, placeIA5: numbers };
  const description = seats.map(({ carriageNumber, seatNumber }) => `${carriageNumber} ${seatNumber}`).join(', ');
  return { ...named, placeDescription: description };
}
