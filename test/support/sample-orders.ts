/** Orders, lines and seats for tests of the rules and stores of orders. */
import { randomUUID } from 'node:crypto';
import { createOrder, type NewOrder } from '../../workflows/orders/rules/creation.ts';
import type { NewLine } from '../../workflows/orders/rules/lines.ts';
import type { Fee, FeeType, Order, OrderTraveller, Reservation } from '../../workflows/orders/rules/order.ts';
import type {
  DistributionChannelId,
  OrderId,
  OrderLineId,
  OrganisationId,
  ReservationId,
  TravellerId,
} from '../../workflows/shared/ids.ts';
import { priceWithTax } from '../../workflows/shared/price.ts';

export const OURS = 1 as OrganisationId;
export const THEIRS = 2 as OrganisationId;
export const NOW = new Date('2026-05-04T12:00:00Z');
export const MINUTE_MS = 60_000;
export const VAT = { code: 'VAT_LOW', basisPoints: 1_200 };

export function later(minutes: number, from: Date = NOW): Date {
  return new Date(from.getTime() + minutes * MINUTE_MS);
}

export const newLineId = () => randomUUID() as OrderLineId;
export const newReservationId = () => randomUUID() as ReservationId;

export function sampleTraveller(more: Partial<OrderTraveller> = {}): OrderTraveller {
  return { id: randomUUID() as TravellerId, userTypeId: 'ADULT', ...more };
}

export function sampleOrder(more: Partial<NewOrder> = {}): NewOrder {
  return {
    id: 'K7QW2MXP' as OrderId,
    organisationId: OURS,
    distributionChannelId: 'SVC:DistributionChannel:Web' as DistributionChannelId,
    currency: 'NOK',
    ...more,
  };
}

/** A draft at {@link NOW}. */
export function draftOrder(more: Partial<NewOrder> = {}): Order {
  return createOrder(sampleOrder(more), NOW).order;
}

interface LineWish extends Partial<NewLine> {
  readonly amountMinor?: number;
  readonly traveller?: OrderTraveller;
}

export function sampleLine({ amountMinor = 10_000, traveller, ...more }: LineWish = {}): NewLine {
  return {
    id: newLineId(),
    description: [{ lang: 'nob', value: 'Enkeltbillett' }],
    price: priceWithTax(amountMinor, VAT),
    fareProducts: [{ id: 'SINGLE', version: 1, kind: 'PREASSIGNED', price: priceWithTax(amountMinor, VAT) }],
    travellers: traveller ? [{ travellerId: traveller.id }] : [],
    travelSpecification: {
      legs: [],
      startOfValidity: NOW,
      endOfValidity: later(120),
      fromStopPlaceId: 'NSR:StopPlace:1',
      toStopPlaceId: 'NSR:StopPlace:2',
    },
    reservationIds: [],
    ...more,
  };
}

/** With its ride from stop 1 to stop 2 at the departure of the seat. */
export function seatedLine(wish: LineWish & { readonly departure?: Date; readonly seat?: string } = {}): {
  readonly line: NewLine;
  readonly reservation: Reservation;
} {
  const { departure = later(24 * 60), seat = '1', traveller = sampleTraveller(), ...more } = wish;
  const id = newReservationId();
  const plain = sampleLine({ traveller, compulsoryLegIds: ['leg-1'], reservationIds: [id], ...more });
  const leg = {
    legId: 'leg-1',
    mode: 'rail',
    fromStopPlaceId: 'NSR:StopPlace:1',
    toStopPlaceId: 'NSR:StopPlace:2',
    expectedStartTime: departure,
    expectedEndTime: later(60, departure),
    lineId: 'RUT:Line:1',
    authorityId: 'RUT:Authority:1',
    serviceJourneyId: 'RUT:ServiceJourney:1',
    datedServiceJourneyId: 'RUT:ServiceJourney:1@2026-05-05',
    serviceDay: '2026-05-05',
    distanceMetres: 50_000,
    fromPosition: 0,
    toPosition: 3,
    calls: [],
  };
  const line = { ...plain, travelSpecification: { ...plain.travelSpecification, legs: [leg] } };
  return {
    line,
    reservation: sampleReservation({
      id,
      orderLineId: line.id,
      travellerId: traveller.id,
      departure,
      seatNumber: seat,
    }),
  };
}

export function sampleReservation(more: Partial<Reservation> & Pick<Reservation, 'orderLineId'>): Reservation {
  return {
    id: newReservationId(),
    travellerId: randomUUID() as TravellerId,
    legId: 'leg-1',
    datedServiceJourneyId: 'RUT:ServiceJourney:1@2026-05-05',
    fromStopPlaceId: 'NSR:StopPlace:1',
    toStopPlaceId: 'NSR:StopPlace:2',
    departure: later(24 * 60),
    isCompulsory: true,
    carriageNumber: '1',
    seatNumber: '1',
    seatingProperties: { fareClass: 'STANDARD', accommodationFacility: 'SEATING', facilities: [] },
    ...more,
  };
}

export function sampleFee(type: FeeType, amountMinor: number): Omit<Fee, 'orderVersion'> {
  return { id: randomUUID(), type, price: priceWithTax(amountMinor, VAT), orderLineIds: [] };
}
