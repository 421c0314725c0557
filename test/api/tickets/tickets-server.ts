/**
 * Tickets on a real server with real databases, object store, workflows and mails. Orders are sold on the same server's market.
 * Tokens are plain `client/organisation/scopes`.
 */
import assert from 'node:assert/strict';
import { CatalogueStore } from '../../../activities/catalogue/catalogue-store.ts';
import { listenInBox } from '../../../dev/mail/in-box.ts';
import { MailBox } from '../../../dev/mail/mail-box.ts';
import type { OrderId } from '../../../workflows/shared/ids.ts';
import { temporaryDirectory } from '../../support/folders.ts';
import { findOffers, payAndConfirm, WITH_CHANNEL } from '../orders/journeys.ts';
import { A, C, departureOf, FREE_TRAIN, MARKET, TRAIN } from '../orders/small-market.ts';
import { type OrdersServer, startOrders } from '../orders/support.ts';
import { type Answer, type CallOptions, send } from '../support/call.ts';
import { openTickets } from './tickets-parts.ts';

const SCOPES = 'offers:search,orders:read,orders:write,tickets:read,tickets:write';
export const OWN = `web/1/${SCOPES},tickets:validate`;
export const OTHER = `other/2/${SCOPES}`;
export const OPERATOR = `operator/1/${SCOPES},tickets:validate,organisation:any`;
export const INSPECTOR = 'inspector/2/tickets:validate';

/** FLEX holds a seat on its train. DAY and PERSONAL are valid from a departure on, for a day, on any train. */
export type Sold = 'FLEX' | 'DAY' | 'PERSONAL';
const DAYS = ['DAY', 'PERSONAL'] as const;

export interface SoldTickets {
  readonly orderId: string;
  /** The order's contact. */
  readonly contact: string;
  readonly email: string;
  /** In the order of the products. */
  readonly orderLineIds: readonly string[];
  readonly groupIds: readonly number[];
  readonly tickets: readonly { readonly id: number; readonly legIds: readonly string[] }[];
}

export interface Reachable {
  readonly customerNumber: string;
  readonly email: string;
}

export interface ReceivedMail {
  readonly subject: string;
  readonly attachments: readonly { readonly filename: string }[];
}

export interface TicketsServer {
  readonly url: string;
  readonly orders: OrdersServer;
  call(path: string, options?: CallOptions): Promise<Answer>;
  /** A confirmed order with a line of each product, and its tickets, which nobody has got. */
  sell(wish: { readonly products: readonly Sold[]; readonly contact?: false }): Promise<SoldTickets>;
  draft(): Promise<string>;
  createReachable(): Promise<Reachable>;
  mailsTo(email: string): Promise<readonly ReceivedMail[]>;
  makeInspectionFile(): Promise<void>;
  /** The keys end, and a new one signs. */
  withdrawSigningKeys(): Promise<void>;
  /** The most PDFs that were read at the same time so far. */
  mostPdfsAtOnce(): number;
  close(): Promise<void>;
}

export async function startTickets(): Promise<TicketsServer> {
  const orders = await startOrders();
  await new CatalogueStore(orders.connection).replace(TICKET_MARKET);
  const inBox = await listenInBox(await MailBox.open(temporaryDirectory('in-box')), { smtp: 0, http: 0 });
  const parts = await openTickets(orders, inBox.smtpPort);
  const call = async (path: string, options: CallOptions = {}) =>
    await send(`${parts.url}${path}`, { token: OWN, ...options, headers: { ...WITH_CHANNEL, ...options.headers } });
  const reserve = async (products: readonly Sold[]) => {
    const configurations = await Promise.all(products.map(async (product) => await configurationOf(orders, product)));
    const body = { offerConfigurations: configurations };
    const answer = await orders.call('/v1/reserve-offers', { body, headers: WITH_CHANNEL });
    assert.equal(answer.status, 200, answer.text);
    return answer.json as { readonly orderId: string; readonly orderLineIds: readonly string[] };
  };
  return {
    url: parts.url,
    orders,
    call,
    draft: async () => (await reserve(['DAY'])).orderId,
    createReachable: async () => await createReachable(orders),
    mailsTo: async (email) => (await (await fetch(`${inBox.url}/messages?to=${email}`)).json()) as never,
    sell: async ({ products, contact = true }) => {
      const { orderId, orderLineIds } = await reserve(products);
      const owner = contact ? await createReachable(orders) : { customerNumber: '', email: '' };
      if (contact) {
        const body = { contact: { id: owner.customerNumber } };
        const answer = await orders.call(`/v1/orders/${orderId}/contact-info`, { method: 'PUT', body });
        assert.equal(answer.status, 200, answer.text);
      }
      await payAndConfirm(orders, orderId);
      await parts.issue(orderId as OrderId);
      const found = await call(`/v1/ticket-distribution-groups?orderId=${orderId}`);
      return { orderId, contact: owner.customerNumber, email: owner.email, ...soldIn(orderLineIds, found.json.items) };
    },
    mostPdfsAtOnce: parts.mostPdfsAtOnce,
    makeInspectionFile: async () => await parts.makeInspectionFile(),
    withdrawSigningKeys: async () => await parts.withdrawSigningKeys(),
    close: async () => {
      await parts.close();
      inBox.close();
      await orders.close();
    },
  };
}

interface FoundOffer {
  readonly id: string;
  readonly preassignedProducts: readonly { readonly id: string }[];
}

interface FoundGroup {
  readonly id: number;
  readonly orderLineId: string;
  readonly ticketDistributions: readonly {
    readonly id: number;
    readonly leg: readonly { readonly legId: string }[];
  }[];
}

function soldIn(orderLineIds: readonly string[], groups: readonly FoundGroup[]) {
  const ordered = orderLineIds.flatMap((lineId) => groups.filter(({ orderLineId }) => orderLineId === lineId));
  assert.equal(ordered.length, orderLineIds.length);
  return {
    orderLineIds,
    groupIds: ordered.map(({ id }) => id),
    tickets: ordered.flatMap(({ ticketDistributions }) =>
      ticketDistributions.map(({ id, leg }) => ({ id, legIds: leg.map(({ legId }) => legId) })),
    ),
  };
}

async function configurationOf(orders: OrdersServer, product: Sold): Promise<object> {
  const offers =
    product === 'FLEX' ? await findOffers(orders, { serviceJourneyId: TRAIN }) : await findDayOffers(orders);
  return { offerId: offers[product] ?? assert.fail(`no offer of ${product}`) };
}

/** From the departure of a train on, but bound to none. */
async function findDayOffers(orders: OrdersServer): Promise<Readonly<Record<string, string>>> {
  const travelDate = departureOf(FREE_TRAIN).toISOString();
  const body = { travellers: [{ id: 't1', userType: 'ADULT' }], from: A, to: C, travelDate };
  const answer = await orders.call('/offers/v2/search/stop-places', { body, headers: WITH_CHANNEL });
  assert.equal(answer.status, 200, answer.text);
  const found: readonly FoundOffer[] = answer.json.offers;
  return Object.fromEntries(found.map(({ id, preassignedProducts: [product] }) => [product?.id ?? '', id]));
}

async function createReachable(orders: OrdersServer): Promise<Reachable> {
  const customerNumber = await orders.createCustomer();
  return { customerNumber, email: orders.emailOf(customerNumber) };
}

const [flex] = MARKET.fareProducts;
const dayTicket = (id: string, transferable: boolean) => ({
  ...flex,
  ...{ id, name: [{ lang: 'nob', value: id }], validityDuration: 'P1D', transferable, optionalSupplements: [] },
  area: { kind: 'ZONES' } as const,
});
const TICKET_MARKET = {
  ...MARKET,
  fareProducts: [...MARKET.fareProducts, ...DAYS.map((id) => dayTicket(id, id === 'DAY'))],
  prices: [...MARKET.prices, ...DAYS.map((productId) => ({ productId, basis: { kind: 'FLAT', amountMinor: 10_000 } }))],
  // Enough seats for all tests.
  seatPlans: MARKET.seatPlans.map((plan) => ({
    ...plan,
    carriages: plan.carriages.map((carriage) => ({
      ...carriage,
      seats: [...carriage.seats, ...(carriage.carriageNumber === '1' ? moreSeats(carriage.seats[2]) : [])],
    })),
  })),
} as typeof MARKET;

function moreSeats<Seat extends object>(like: Seat | undefined): Seat[] {
  return Array.from({ length: 200 }, (_, at) => ({ ...like, seatNumber: String(100 + at) }) as unknown as Seat);
}
