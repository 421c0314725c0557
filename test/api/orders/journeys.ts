/** What a partner does, call by call, for tests that begin with offers or with a reserved order. */
import assert from 'node:assert/strict';
import { totalAmountMinor } from '../../../workflows/orders/rules/amounts.ts';
import type { CallOptions } from '../support/call.ts';
import { A, C, CHANNEL, departureOf, TRAIN } from './small-market.ts';
import type { OrdersServer } from './support.ts';

export const WITH_CHANNEL = { 'service-distribution-channel': CHANNEL };
const RIDE_MS = 2 * 3_600_000;

export interface FoundOffer {
  readonly id: string;
  readonly preassignedProducts: readonly { readonly id: string }[];
}

export interface SearchedTravel {
  readonly serviceJourneyId?: string;
  readonly travellers?: readonly object[];
  readonly token?: string;
  /** Two legs of the train, with a change here. */
  readonly via?: string;
}

/** The answer for one adult on the seated train unless the search says otherwise. */
export async function searchTrip(server: OrdersServer, search: SearchedTravel = {}) {
  const { serviceJourneyId = TRAIN, travellers = [{ id: 't1', userType: 'ADULT' }], token, via } = search;
  const start = departureOf(serviceJourneyId);
  const times = {
    expectedStartTime: start.toISOString(),
    expectedEndTime: new Date(start.getTime() + RIDE_MS).toISOString(),
  };
  const stops = via === undefined ? [A, C] : [A, via, C];
  const legs = stops.slice(1).map((toStopPlaceId, at) => ({
    ...{ mode: 'rail', fromStopPlaceId: stops[at], toStopPlaceId, serviceJourneyId },
    ...times,
  }));
  const answer = await server.call('/offers/v2/search/trip-pattern', {
    ...(token !== undefined && { token }),
    headers: WITH_CHANNEL,
    body: { travellers, tripPattern: { legs } },
  });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** Offers by their product. */
export async function findOffers(server: OrdersServer, search: SearchedTravel = {}): Promise<Record<string, string>> {
  const offers: readonly FoundOffer[] = (await searchTrip(server, search)).offers;
  return Object.fromEntries(offers.map(({ id, preassignedProducts }) => [preassignedProducts[0]?.id ?? '', id]));
}

export interface Reserved {
  readonly orderId: string;
  readonly orderLineIds: readonly string[];
  readonly reservationIds: readonly string[];
}

export async function callReserve(server: OrdersServer, body: object, options: CallOptions = {}) {
  return await server.call('/v1/reserve-offers', {
    ...options,
    headers: { ...WITH_CHANNEL, ...options.headers },
    body,
  });
}

/** One offer, for all its travellers. */
export async function reserve(server: OrdersServer, offerId: string, more: object = {}): Promise<Reserved> {
  const answer = await callReserve(server, { offerConfigurations: [{ offerId, ...more }] });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

export async function readOrder(server: OrdersServer, orderId: string) {
  const answer = await server.call(`/v1/orders/${orderId}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** Pays the order in full, as a payment would. */
export async function pay(server: OrdersServer, orderId: string) {
  const { orders } = server.dependencies;
  const work = { correlationId: crypto.randomUUID(), clientId: 'test' };
  await orders.change('ANY', orderId as never, { ...work, workId: crypto.randomUUID() }, (order, _now) => ({
    order: { ...order, money: { ...order.money, capturedMinor: totalAmountMinor(order) + order.money.creditedMinor } },
    events: [],
  }));
  return await readOrder(server, orderId);
}

/** Pays the order in full and confirms it. */
export async function payAndConfirm(server: OrdersServer, orderId: string) {
  const { version } = await pay(server, orderId);
  const answer = await server.call(`/v1/orders/${orderId}/confirm`, { body: { orderVersion: version } });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}
