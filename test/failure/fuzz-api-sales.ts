/**
 * What a partner sells: offers, drafts with lines and fees, seats, and bodies of requests that name them. Made anew for each
 * area, since offers and drafts end. So generated requests sell and change, too. Used by fuzz-api.ts.
 */
import { randomUUID } from 'node:crypto';
import type { Service } from '../support/service.ts';
import { CHANNEL, legOf, PLACES, seatOf, TRAINS, trainId } from '../support/sold-trains.ts';
import { FUZZ_CATALOGUE } from './fuzz-api-catalogue.ts';
import type { Lists } from './fuzz-api-values.ts';
import { importedOrder } from './imported-order.ts';

/** Whole bodies that may succeed, by operation. */
export type Bodies = Readonly<Record<string, readonly unknown[]>>;
export interface Sales {
  readonly lists: Lists;
  readonly bodies: Bodies;
}

const ORDERS = 30;
const SEATED = 24;
const IMPORTS = 60;
const DRAFTS_LIVE_MS = 5 * 3_600_000;
const DAY_MS = 86_400_000;
/** The same in each order, so that every path of an order and a line exists. */
const [TRAVELLER, SPARE, LINE] = [randomUUID(), randomUUID(), randomUUID()];
const ADULT = [{ id: 't1', userType: 'ADULT' }];

// biome-ignore lint/suspicious/noExplicitAny: answers of many operations
type Answer = any;
type Call = (path: string, body: object, method?: string) => Promise<Answer>;

export async function createSales(service: Service, token: string): Promise<Sales> {
  const call = callsOf(service, token);
  await call('/v1/catalogue', FUZZ_CATALOGUE, 'PUT');
  const offers = await findOffers(call);
  const written = await many(ORDERS, () => writeOrder(call));
  const seated = await many(SEATED, (at) => reserve(call, offers[at % offers.length] ?? ''));
  const webhooks = await many(4, () => createWebhook(call));
  const reset = await many(ORDERS, () => changedOrder(call));
  const { settlementId } = await call('/v1/settlements', {});
  const lists = {
    ...{ trainSettlements: [String(settlementId)], offers, webhooks, orders: written.map(({ id }) => id) },
    lineOrders: (await many(ORDERS, () => writeOrder(call))).map(({ id }) => id),
    confirmable: (await many(ORDERS, () => writeOrder(call))).map(({ id }) => id),
    toCancel: (await many(ORDERS, () => writeOrder(call))).map(({ id }) => id),
    toReset: reset,
    ...pairs(await many(ORDERS, () => writeOrder(call))),
    ...{ lines: [LINE], spareTravellers: [SPARE], soldOrders: seated.map(({ orderId }) => orderId) },
    'seating-arrangements': seated.flatMap(({ reservationIds }) => reservationIds),
    journeys: Array.from({ length: TRAINS }, (_, train) => `${trainId(train)}@${dayOf(2)}`),
    ...{ firstStops: [PLACES[0]], lastStops: [PLACES[2]], days: [dayOf(2)], trainChannels: [CHANNEL] },
  };
  return { lists, bodies: bodiesOf(offers, seated) };
}

function bodiesOf(offers: readonly string[], seated: readonly Reserved[]): Bodies {
  const search = { travellers: ADULT, travelDate: dayOf(2) };
  const line = lineOf({ id: LINE });
  const linesOf = ({ orderLineIds }: Reserved) => ({ orderLineId: orderLineIds[0], selectableProductIds: ['MEAL'] });
  return {
    importOrder: Array.from({ length: IMPORTS }, (_, at) => importedOrder(at)),
    putContactInfo: [{}],
    putExpireAt: [{ expireAt: new Date(Date.now() + DRAFTS_LIVE_MS).toISOString() }],
    putTravellers: [[{ id: TRAVELLER, userType: 'ADULT' }], [{ id: TRAVELLER, userType: 'ADULT', age: 40 }]],
    addOrderLines: [{ orderLines: [lineOf({})] }, { orderLines: [lineOf({}), lineOf({ amount: '50.00' })] }],
    putOrderLines: [{ orderLines: [line] }, { orderLines: [lineOf({ id: LINE, amount: '90.00' })] }],
    putOrderLine: [line, lineOf({ id: LINE, amount: '80.00' })],
    confirmOrder: [{ orderVersion: 1 }, { orderVersion: 1, creditBalance: false }],
    searchTripPattern: Array.from({ length: TRAINS }, (_, train) => patternOf(train)),
    searchStopPlaces: [{ ...search, from: PLACES[0], to: PLACES[2] }],
    searchAuthority: [{ ...search, authority: 'TST:Authority:TST' }],
    reserveOffers: offers.map((offerId) => ({ offerConfigurations: [{ offerId }] })),
    updateOrder: seated.map(({ orderId, orderLineIds }, at) => ({
      orderId,
      changeOfferConfigurations: [{ offerId: offers[(at + 1) % offers.length], selectedOrderLineIds: orderLineIds }],
      refundPriceDifference: at % 2 === 0,
    })),
    addSupplementProducts: seated.map((each) => ({ orderId: each.orderId, supplementProducts: [linesOf(each)] })),
    moveSeat: Array.from({ length: 60 }, (_, at) => seatOf(at)),
    putCatalogue: [FUZZ_CATALOGUE],
  };
}

interface Reserved {
  readonly orderId: string;
  readonly orderLineIds: readonly string[];
  readonly reservationIds: readonly string[];
}

function patternOf(train: number): object {
  return { travellers: ADULT, tripPattern: { legs: [legOf({ from: 0, to: 2, train })] } };
}

/** Tickets that take no other condition, on each train. */
async function findOffers(call: Call): Promise<readonly string[]> {
  const found = await many(TRAINS, (train) => call('/offers/v2/search/trip-pattern', patternOf(train)));
  const offers = found.flatMap(({ offers: each }) => each);
  return offers.flatMap(({ id, preassignedProducts: [product] }) => (product.id === 'FLEX' ? [String(id)] : []));
}

async function reserve(call: Call, offerId: string): Promise<Reserved> {
  const answer = await call('/v1/reserve-offers', { offerConfigurations: [{ offerId }] });
  const expireAt = new Date(Date.now() + DRAFTS_LIVE_MS).toISOString();
  await call(`/v1/orders/${answer.orderId}/expire-at`, { expireAt }, 'PUT');
  return answer;
}

/** A draft with a line that a reduction pays. */
async function writeOrder(call: Call): Promise<{ readonly id: string; readonly feeId: string }> {
  const travellers = [TRAVELLER, SPARE].map((id) => ({ id, userType: 'ADULT' }));
  const expireAt = new Date(Date.now() + DRAFTS_LIVE_MS).toISOString();
  const { id } = await call('/v1/orders', { travellers, expireAt, externalReference: 'fuzz' });
  await call(`/v1/orders/${id}/orderlines`, { orderLines: [lineOf({ id: LINE })] });
  const fee = { type: 'REDUCTION', price: { amount: '-100.00', taxRate: 12 }, reason: 'fuzz' };
  const { id: feeId } = await call(`/v1/orders/${id}/fees`, fee);
  return { id: String(id), feeId: String(feeId) };
}

/** Confirmed, and then the draft of the next version. */
async function changedOrder(call: Call): Promise<string> {
  const { id } = await writeOrder(call);
  await call(`/v1/orders/${id}/confirm`, { orderVersion: 1 });
  await call(`/v1/orders/${id}/fees`, { type: 'MANUAL', price: { amount: '10.00' }, reason: 'fuzz' });
  return id;
}

async function createWebhook(call: Call): Promise<string> {
  const secret = randomUUID().replaceAll('-', '');
  return (await call('/v1/webhooks', { url: 'https://events.example.org/fuzz', topics: ['order-events-dev'], secret }))
    .id;
}

function lineOf({ id, amount = '100.00' }: { readonly id?: string; readonly amount?: string }): object {
  const start = Date.now() + DAY_MS;
  return {
    ...(id !== undefined && { id }),
    ...{ description: [{ lang: 'nob', value: 'Billett' }], price: { amount, taxRate: 12 } },
    travellers: [{ travellerId: TRAVELLER }],
    travelSpecification: {
      ...{ legs: [], startOfValidity: new Date(start).toISOString() },
      endOfValidity: new Date(start + DAY_MS).toISOString(),
    },
  };
}

/** At each place of one list that of the other at the same place. */
function pairs(written: readonly { readonly id: string; readonly feeId: string }[]) {
  return { feeOrders: written.map(({ id }) => id), fees: written.map(({ feeId }) => feeId) };
}

function dayOf(daysAhead: number): string {
  return new Date(Date.now() + daysAhead * DAY_MS).toISOString().slice(0, 10);
}

async function many<Made>(count: number, make: (at: number) => Promise<Made>): Promise<readonly Made[]> {
  const made: Made[] = [];
  for (let at = 0; at < count; at += 1) made.push(await make(at));
  return made;
}

function callsOf({ apiUrl }: Service, token: string): Call {
  const headers = {
    ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    'service-distribution-channel': CHANNEL,
  };
  return async (path, body, method = 'POST') => {
    const response = await fetch(`${apiUrl}${path}`, { method, headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 2_000)}`);
    return JSON.parse(text);
  };
}
