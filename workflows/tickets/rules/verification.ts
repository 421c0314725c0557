/** An order is verified once more before its tickets are signed: what is signed, inspectors trust. Pure. */
import { heldMinor, totalAmountMinor } from '../../orders/rules/amounts.ts';
import { departsWithin } from '../../orders/rules/departs-within.ts';
import type { ConfirmedVersion, Order, OrderLine, Reservation } from '../../orders/rules/order.ts';
import { latestEnd } from '../../shared/longest-ticket.ts';
import { sumOf } from '../../shared/money.ts';

/** `place` names the line, or is `order`. No personal data. */
export interface SaleFault {
  readonly place: string;
  readonly fault:
    | 'PRODUCTS_AND_PRICE_DIFFER'
    | 'NOT_PAID'
    | 'LEGS_OUT_OF_ORDER'
    | 'LEG_OUTSIDE_VALIDITY'
    | 'VALIDITY_ENDS_BEFORE_IT_BEGINS'
    | 'VALIDITY_ENDS_TOO_LATE'
    | 'UNKNOWN_TRAVELLER'
    | 'SEAT_OF_ANOTHER_JOURNEY'
    | 'SEAT_OF_ANOTHER_TRAVELLER'
    | 'SEAT_TWICE'
    | 'COMPULSORY_SEAT_MISSING';
}

type Version = Pick<ConfirmedVersion, 'version' | 'orderLines' | 'fees' | 'reservations' | 'travellers'>;

type PaidOrder = Pick<Order, 'status' | 'version' | 'lock' | 'money' | 'paidMinor'>;

/** All faults of the version that is sold. Empty: its tickets may be signed now. */
export function verifySale(order: PaidOrder, version: Version, now: Date): readonly SaleFault[] {
  const lines = version.orderLines.filter(({ status }) => status === 'CONFIRMED');
  return [
    ...(isPaid(order, version) ? [] : [{ place: 'order', fault: 'NOT_PAID' } as const]),
    ...lines.flatMap((line) =>
      [...new Set(faultsOfLine(line, version, now))].map((fault) => ({ place: line.id, fault })),
    ),
  ];
}

/**
 * Money beyond the total is on its way back: a second payment came too late, and is credited. While a draft is open, or a refund runs,
 * some may have gone back already, and some is the draft's; then what the version was sold for must suffice.
 */
function isPaid({ status, version: current, lock, money, paidMinor }: PaidOrder, version: Version): boolean {
  const total = totalAmountMinor(version);
  const isSettled = status === 'CONFIRMED' && current === version.version && lock === undefined;
  // Orders that were sold before it was kept: what was ever taken.
  return (isSettled ? heldMinor(money) : (paidMinor ?? money.capturedMinor)) >= total;
}

function* faultsOfLine(line: OrderLine, version: Version, now: Date): Generator<SaleFault['fault']> {
  const { fareProducts, price, travellers } = line;
  const products = fareProducts.map((product) => product.price);
  const isSum =
    sumOf(products.map(({ amountMinor }) => amountMinor)) === price.amountMinor &&
    sumOf(products.map(({ taxMinor }) => taxMinor)) === price.taxMinor;
  if (products.length > 0 && !isSum) yield 'PRODUCTS_AND_PRICE_DIFFER';
  const known = new Set(version.travellers.map(({ id }) => id));
  if (travellers.some(({ travellerId }) => !known.has(travellerId))) yield 'UNKNOWN_TRAVELLER';
  yield* faultsOfTravel(line, now);
  yield* faultsOfSeats(line, version);
}

function* faultsOfTravel({ travelSpecification }: OrderLine, now: Date): Generator<SaleFault['fault']> {
  const { legs, startOfValidity, endOfValidity } = travelSpecification;
  if (endOfValidity <= startOfValidity) yield 'VALIDITY_ENDS_BEFORE_IT_BEGINS';
  // No key signs it yet.
  if (endOfValidity > latestEnd(now)) yield 'VALIDITY_ENDS_TOO_LATE';
  for (const [at, leg] of legs.entries()) {
    const before = legs[at - 1];
    if (leg.expectedEndTime < leg.expectedStartTime) yield 'LEGS_OUT_OF_ORDER';
    if (before && leg.expectedStartTime < before.expectedStartTime) yield 'LEGS_OUT_OF_ORDER';
    if (!departsWithin(leg, startOfValidity, endOfValidity)) yield 'LEG_OUTSIDE_VALIDITY';
  }
}

function* faultsOfSeats(line: OrderLine, version: Version): Generator<SaleFault['fault']> {
  const ofLine = version.reservations.filter(({ orderLineId }) => orderLineId === line.id);
  const seats = ofLine.filter(({ id }) => line.reservationIds.includes(id));
  for (const seat of seats) yield* faultsOfSeat(seat, line);
  const places = seats.map(placeOf);
  if (new Set(places).size < places.length || hasTwoOnOneSeat(seats)) yield 'SEAT_TWICE';
  const held = new Set(places);
  const needed = (line.compulsoryLegIds ?? []).flatMap((legId) =>
    line.travellers.map(({ travellerId }) => placeOf({ legId, travellerId })),
  );
  if (needed.some((place) => !held.has(place))) yield 'COMPULSORY_SEAT_MISSING';
}

function* faultsOfSeat(
  seat: Reservation,
  { travelSpecification, travellers }: OrderLine,
): Generator<SaleFault['fault']> {
  const leg = travelSpecification.legs.find(({ legId }) => legId === seat.legId);
  if (leg?.datedServiceJourneyId !== seat.datedServiceJourneyId) yield 'SEAT_OF_ANOTHER_JOURNEY';
  if (travellers.every(({ travellerId }) => travellerId !== seat.travellerId)) yield 'SEAT_OF_ANOTHER_TRAVELLER';
}

function hasTwoOnOneSeat(seats: readonly Reservation[]): boolean {
  const places = seats.map(({ legId, carriageNumber, seatNumber }) =>
    JSON.stringify([legId, carriageNumber, seatNumber]),
  );
  return new Set(places).size < places.length;
}

function placeOf({ legId, travellerId }: Pick<Reservation, 'legId' | 'travellerId'>): string {
  return `${legId}/${travellerId}`;
}
