/**
 * The partner's chapter on a sale: a journey, its offers, a reservation with seats where the train has them, a change to
 * another departure, its payment, what the feed of events tells of it, an order that is paid on a payment page,
 * whose tickets and receipt are mailed, and a refund of one of its travellers.
 */

import { type EventReader, eventsEnd, tellEvents } from './event-story.ts';
import { tellMails } from './mail-story.ts';
import { tellPaymentPage } from './page-story.ts';
import { type Caller, read, write } from './partner-client.ts';
import { tellPayment } from './payment-story.ts';
import { tellRefund } from './refund-story.ts';
import { StoryError, say } from './story.ts';
import type { SearchedPattern } from './trip-patterns.ts';
import { findTrips, type Seller } from './trips-to-buy.ts';

const CHANNEL = 'SVC:DistributionChannel:PaymentPage';
const HEADERS = { 'service-distribution-channel': CHANNEL };
const TRAVELLERS = [
  { id: 'parent', age: 38 },
  { id: 'child', age: 9 },
];
const SHOWN = 6;
/** The summary of rules that give nothing back. */
const FORBIDDEN = 'No refund.';

interface Offer {
  readonly id: string;
  readonly name: readonly { readonly value: string }[];
  readonly totalPrice: { readonly amount: string; readonly currency: string };
  readonly refundRuleSummary: readonly { readonly lang: string; readonly value: string }[];
  readonly requiredEntitlements: readonly unknown[];
  readonly travellerMapping: readonly { readonly travellerIds: readonly string[]; readonly minTravellers: number }[];
}

interface Recommendation {
  readonly offers: readonly { readonly offerId: string; readonly travellerIds: readonly string[] }[];
  readonly totalPrice: { readonly amount: string; readonly currency: string };
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

interface Partner extends Seller, EventReader {
  readonly organisationId: number;
  /** The in-box of development, where there is one. */
  readonly mailUrl: string | undefined;
}

export async function tellSale(caller: Partner): Promise<void> {
  const before = await eventsEnd(caller);
  const [first, second] = await findTrips(caller);
  const wanted = await findCheapest(caller, first, 'Offers for that journey');
  const offerConfigurations = configure(wanted);
  const reserved = await write<Reserved>(caller, 'POST', '/v1/reserve-offers', { offerConfigurations }, 200, HEADERS);
  const { orderId, orderLineIds } = reserved;
  const path = `/v1/orders/${orderId}`;
  const order = await read<Order>(caller, path);
  say('Reserved', `order ${orderId}, held until ${order.expireAt}`, tellOrder(order), tellSeats(order));
  const later = await findCheapest(caller, second, 'Offers for a later departure');
  const [lineId] = orderLineIds;
  const changes = [{ offerId: later[0]?.offerId, selectedOrderLineIds: [lineId] }];
  const change = { orderId, changeOfferConfigurations: changes };
  const changed = await write<Reserved>(caller, 'POST', '/v1/update-order', change, 200, HEADERS);
  if (changed.orderLineIds[0] !== lineId) throw new StoryError('The changed line has another id', 'This is a defect.');
  const after = await read<Order>(caller, path);
  say('One of them travels later', tellOrder(after), tellSeats(after));
  await tellPayment(caller, orderId, HEADERS);
  await tellEvents(caller, orderId, before);
  const refundable = await findRefundable(caller, second);
  const sent = await tellPaymentPage(caller, configure(refundable), HEADERS);
  await tellMails(caller, caller.mailUrl, sent, HEADERS);
  await tellRefund(caller, sent, caller.mailUrl, HEADERS);
}

function configure(offers: Recommendation['offers']): readonly object[] {
  return offers.map(({ offerId, travellerIds }) => ({ offerId, selectedTravellerIds: travellerIds }));
}

/** For each traveller the cheapest offer that can be given back. */
async function findRefundable(caller: Caller, pattern: SearchedPattern): Promise<Recommendation['offers']> {
  const body = { travellers: TRAVELLERS, tripPattern: pattern };
  const path = '/offers/v2/search/trip-pattern';
  const { offers } = await write<{ readonly offers: readonly Offer[] }>(caller, 'POST', path, body, 200, HEADERS);
  const single = offers.filter(
    ({ refundRuleSummary, requiredEntitlements, travellerMapping }) =>
      !refundRuleSummary.some(({ value }) => value === FORBIDDEN) &&
      requiredEntitlements.length === 0 &&
      travellerMapping[0]?.minTravellers === 1,
  );
  const chosen = TRAVELLERS.map(({ id }) => {
    const [cheapest] = single
      .filter(({ travellerMapping }) => travellerMapping.some(({ travellerIds }) => travellerIds.includes(id)))
      .toSorted((one, other) => Number(one.totalPrice.amount) - Number(other.totalPrice.amount));
    if (!cheapest) throw new StoryError(`No ticket of ${id} can be given back`, 'See the demo catalogue.');
    return { offer: cheapest, id };
  });
  say('Tickets that can be given back', ...chosen.map(({ offer }) => tellOffer(offer)));
  return chosen.map(({ offer, id }) => ({ offerId: offer.id, travellerIds: [id] }));
}

/** The cheapest offers that take every traveller over every ride. */
async function findCheapest(
  caller: Caller,
  pattern: SearchedPattern,
  title: string,
): Promise<Recommendation['offers']> {
  const body = { travellers: TRAVELLERS, tripPattern: pattern };
  const { offers, recommendations } = await write<{
    readonly offers: readonly Offer[];
    readonly recommendations: readonly Recommendation[];
  }>(caller, 'POST', '/offers/v2/search/trip-pattern', body, 200, HEADERS);
  const [cheapest] = recommendations;
  if (!cheapest) throw new StoryError('Not every traveller can buy a ticket', 'See the demo catalogue.');
  const { totalPrice } = cheapest;
  const more = offers.length > SHOWN ? [`and ${offers.length - SHOWN} more`] : [];
  const total = `the cheapest for both: ${totalPrice.amount} ${totalPrice.currency}`;
  say(title, ...offers.slice(0, SHOWN).map(tellOffer), ...more, total);
  return cheapest.offers;
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
  if (reservations.length === 0) return 'no seats: this journey has none to reserve';
  return `seats: ${reservations.map((seat) => `carriage ${seat.carriageNumber} seat ${seat.seatNumber}`).join(', ')}`;
}
