/**
 * The partner's chapter on a sale: a journey, its offers, a reservation with seats where the train has them, a change to
 * another departure, and what the order's events tell of it.
 */

import { type Caller, read, write } from './partner-client.ts';
import { queryPlanner, searchJourney } from './planner-client.ts';
import { addDays, todayInOslo } from './service-days.ts';
import { StoryError, say } from './story.ts';
import { type PlannedTrips, ridesOf, type SearchedPattern, searchedPatterns, TRIP_PATTERNS } from './trip-patterns.ts';

const CHANNEL = 'SVC:DistributionChannel:PaymentPage';
const HEADERS = { 'service-distribution-channel': CHANNEL };
const TRAVELLERS = [
  { id: 'parent', age: 38 },
  { id: 'child', age: 9 },
];
const LINES = `query ($ids: [ID!]) { lines(ids: $ids) { journeyPatterns { quays { stopPlace { id name } } } } }`;

interface Seller extends Caller {
  readonly plannerUrl: string;
}

interface Place {
  readonly id: string;
  readonly name: string;
}

interface Offer {
  readonly id: string;
  readonly available: boolean;
  readonly name: readonly { readonly value: string }[];
  readonly totalPrice: { readonly amount: string; readonly currency: string };
  readonly travellerMapping: readonly { readonly travellerIds: readonly string[] }[];
}

interface Reserved {
  readonly orderId: string;
  readonly orderLineIds: readonly string[];
  readonly reservationIds: readonly string[];
}

interface Order {
  readonly status: string;
  readonly version: number;
  readonly totalAmount: string;
  readonly currency: string;
  readonly expireAt?: string;
  readonly orderLines: readonly {
    readonly id: string;
    readonly version: number;
    readonly price: { readonly amount: string };
  }[];
  readonly reservations: readonly { readonly carriageNumber: string; readonly seatNumber: string }[];
}

export async function tellSale(caller: Seller): Promise<void> {
  const [first, second] = await findTrips(caller);
  const offer = await chooseOffer(caller, first, 'Offers for that journey');
  const configuration = { offerConfigurations: [{ offerId: offer.id }] };
  const reserved = await write<Reserved>(caller, 'POST', '/v1/reserve-offers', configuration, 200, HEADERS);
  const { orderId, orderLineIds } = reserved;
  const path = `/v1/orders/${orderId}`;
  const order = await read<Order>(caller, path);
  say('Reserved', `order ${orderId}, held until ${order.expireAt}`, tellOrder(order), tellSeats(order));
  const other = await chooseOffer(caller, second, 'Offers for a later departure', offer);
  const change = { orderId, changeOfferConfigurations: [{ offerId: other.id, selectedOrderLineIds: orderLineIds }] };
  const changed = await write<Reserved>(caller, 'POST', '/v1/update-order', change, 200, HEADERS);
  if (changed.orderLineIds[0] !== orderLineIds[0]) {
    throw new StoryError('The changed line has another id', 'This is a defect.');
  }
  const after = await read<Order>(caller, path);
  say('Changed to it', tellOrder(after), tellSeats(after));
  const cancelled = await write<Order>(caller, 'POST', `${path}/cancel`, { reason: 'Only a demo' }, 200);
  say('Cancelled, since nobody pays', `order ${orderId} is ${cancelled.status}`);
  const { items } = await read<{ items: readonly { sequence: number; type: string }[] }>(caller, `${path}/history`);
  say('The events of the order', ...items.map(({ sequence, type }) => `${sequence} ${type}`));
  if (!items.some(({ type }) => type.includes('OrderCancelled'))) {
    throw new StoryError('The order has no event of its end', 'This is a defect.');
  }
}

/** Two departures of tomorrow, on a line whose seats are reserved where there is one. */
async function findTrips({ plannerUrl, ...caller }: Seller): Promise<readonly [SearchedPattern, SearchedPattern]> {
  const tomorrow = addDays(todayInOslo(new Date()), 1);
  const { from, to } =
    (await seatedEnds(plannerUrl, caller, tomorrow)) ?? (await searchJourney(plannerUrl, new Date()));
  const variables = { from: from.id, to: to.id, at: `${tomorrow}T08:00:00+01:00`, count: 5 };
  const trips = await queryPlanner<PlannedTrips>(plannerUrl, TRIP_PATTERNS, variables);
  const patterns = searchedPatterns(trips).filter((pattern) => ridesOf(pattern).length > 0);
  const [first, second = first] = patterns;
  if (!first || !second) throw new StoryError(`No journey from ${from.name} to ${to.name} tomorrow`, 'Try again.');
  say(
    `A journey to buy, from ${from.name} to ${to.name}`,
    ...ridesOf(first).map(({ mode, expectedStartTime, lineId }) => `${expectedStartTime} ${mode} ${lineId}`),
  );
  return [first, second];
}

async function seatedEnds(plannerUrl: string, caller: Caller, date: string) {
  const catalogue = await read<{
    trains: readonly { readonly seatReservation: string; readonly lineIds?: readonly string[] }[];
  }>(caller, `/v1/catalogue?travelDate=${date}&perPage=1`);
  const ids = catalogue.trains.flatMap(({ seatReservation, lineIds = [] }) =>
    seatReservation === 'COMPULSORY' ? lineIds : [],
  );
  const { lines } = await queryPlanner<{
    lines: readonly ({ journeyPatterns: readonly { quays: readonly { stopPlace: Place | null }[] }[] } | null)[];
  }>(plannerUrl, LINES, { ids });
  for (const { quays } of lines.flatMap((line) => line?.journeyPatterns ?? [])) {
    const [from, to] = [quays[0]?.stopPlace, quays.at(-1)?.stopPlace];
    if (from && to && from.id !== to.id) return { from, to };
  }
  return undefined;
}

/** The cheapest one; in place of another, the same ticket for the same travellers. */
async function chooseOffer(caller: Caller, pattern: SearchedPattern, title: string, other?: Offer): Promise<Offer> {
  const body = { travellers: TRAVELLERS, tripPattern: pattern };
  const { offers } = await write<{ offers: readonly Offer[] }>(
    ...([caller, 'POST', '/offers/v2/search/trip-pattern', body, 200, HEADERS] as const),
  );
  const open = offers.filter(({ available }) => available).sort((a, b) => amountOf(a) - amountOf(b));
  say(title, ...open.slice(0, 6).map(tellOffer), ...(open.length > 6 ? [`and ${open.length - 6} more`] : []));
  const cheapest = open.find((each) => other && ticketOf(each) === ticketOf(other)) ?? open[0];
  if (!cheapest) throw new StoryError('Nothing is sold for this journey', 'See the demo catalogue.');
  return cheapest;
}

function ticketOf({ name, travellerMapping }: Offer): string {
  return JSON.stringify([name, travellerMapping.map(({ travellerIds }) => travellerIds)]);
}

function amountOf({ totalPrice }: Offer): number {
  return Number(totalPrice.amount);
}

function tellOffer({ name, totalPrice, travellerMapping }: Offer): string {
  const who = travellerMapping.flatMap(({ travellerIds }) => travellerIds).join(', ');
  return `${name[0]?.value} for ${who}: ${totalPrice.amount} ${totalPrice.currency}`;
}

function tellOrder({ status, totalAmount, currency, orderLines }: Order): string {
  const lines = orderLines.map(({ version, price }) => `version ${version} at ${price.amount}`);
  return `${status}, ${orderLines.length} line${orderLines.length === 1 ? '' : 's'} (${lines.join(', ')}), ${totalAmount} ${currency} in all`;
}

function tellSeats({ reservations }: Order): string {
  if (reservations.length === 0) return 'no seats, as this journey has none to reserve';
  return `seats: ${reservations.map((seat) => `carriage ${seat.carriageNumber} seat ${seat.seatNumber}`).join(', ')}`;
}
