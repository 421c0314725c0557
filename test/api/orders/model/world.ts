/** The real side of the model: a server with the small market, its clock, its event log, and one empty train for each run. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { DueOrders } from '../../../../activities/orders/due-orders.ts';
import { createOrderExpiryActivities } from '../../../../activities/orders/order-expiry-activities.ts';
import { sweepDueOrders } from '../../../../activities/orders/order-sweeps.ts';
import { ARRANGEMENTS, CARRIAGES } from '../../../../activities/seating/seating-model.ts';
import type { OrderPayments } from '../../../../activities/shared/order-payments.ts';
import { balanceMinor, excessMinor } from '../../../../workflows/orders/rules/amounts.ts';
import type { Order } from '../../../../workflows/orders/rules/order.ts';
import { notePayment } from '../../../../workflows/orders/rules/payment-notes.ts';
import type { OrderId } from '../../../../workflows/shared/ids.ts';
import { sumOf } from '../../../../workflows/shared/money.ts';
import { noTickets } from '../../../support/no-tickets.ts';
import type { Answer, CallOptions } from '../../support/call.ts';
import { silentLog } from '../../support/parcels.ts';
import { findOffers } from '../journeys.ts';
import { FREE_TRAIN, TRAIN } from '../small-market.ts';
import { type OrdersServer, startOrders } from '../support.ts';
import { serveEvents } from './served-events.ts';

const OFFERS_FOR_MS = 10 * 60_000;
export const OFFER_LIFE_MS = 30 * 60_000;
export const EXPIRED_FOR_MS = 60 * 60_000;
export const OFFER_NAMES = ['FREE', 'FREE_PAIR', 'SEATED', 'SEATED_PAIR'] as const;
export type OfferName = (typeof OFFER_NAMES)[number];

export interface World {
  readonly server: OrdersServer;
  readonly customer: string;
  readonly offers: Readonly<Record<OfferName, string>>;
  /** When the offers were found, and every run begins. */
  readonly beginning: number;
  call(path: string, options: CallOptions, now: number): Promise<Answer>;
  readEvents(topic: string, after: number): Promise<Answer>;
  /** As payments note it. */
  noteMoney(orderId: string, money: { readonly captured: number; readonly credited: number }): Promise<void>;
  /** `mayEnd`: whether the workflow may end this draft, which has money. */
  sweep(now: number, mayEnd: (orderId: string) => boolean): Promise<void>;
  relay(): Promise<void>;
  /** Empties the train, and finds offers where they have become old. */
  begin(): Promise<void>;
  close(): Promise<void>;
}

export async function openWorld(): Promise<World> {
  const server = await startOrders();
  const events = await serveEvents(server);
  const state = { offers: {} as World['offers'], beginning: 0 };
  const { orders } = server.dependencies;
  const noteMoney: World['noteMoney'] = async (orderId, { captured, credited }) => {
    const payment = { paymentId: 1, orderVersion: 1, openTransactions: 0 };
    const noted = { ...payment, capturedMinor: captured, creditedMinor: credited };
    const work = { workId: randomUUID(), correlationId: randomUUID(), clientId: 'test' };
    await orders.change('ANY', orderId as never, work, (order, now) => notePayment(order, { payment: noted }, now));
  };
  async function creditBalanceOf({ orderId }: { readonly orderId: OrderId }): Promise<void> {
    const { order } = await orders.get('ANY', orderId);
    const credited = order.money.creditedMinor - Math.min(0, balanceMinor(order));
    await noteMoney(orderId, { captured: paidMinor(order), credited });
  }
  const payments: OrderPayments = {
    // The model has none.
    endOpenTransactions: async () => 0,
    endNeedless: async () => {},
    isCrediting: async () => false,
    creditDraft: async (draft) => await creditDraftOf(orders, draft.orderId, noteMoney),
    creditBalance: creditBalanceOf,
  };
  Object.assign(server.dependencies, { payments: () => payments });
  const world: Omit<World, 'offers' | 'beginning'> = {
    server,
    customer: await server.createCustomer(),
    call: async (path, options, now) => {
      server.now = new Date(now);
      return await server.call(path, options);
    },
    readEvents: events.read,
    noteMoney,
    sweep: async (now, mayEnd) => {
      server.now = new Date(now);
      const due = new DueOrders(server.connection);
      const startExpiry = async (order: Order) => mayEnd(order.id) && (await endPaid(server, order, payments));
      await sweepDueOrders({ orders, due, startExpiry, log: silentLog, now: () => new Date(now) });
    },
    relay: events.relay,
    begin: async () => {
      server.now = undefined;
      for (const { collection } of [CARRIAGES, ARRANGEMENTS])
        await server.connection.collection(collection).deleteMany({});
      if (Date.now() - state.beginning < OFFERS_FOR_MS) return;
      state.beginning = Date.now();
      server.now = new Date(state.beginning);
      state.offers = await findAll(server);
    },
    close: async () => {
      await events.close();
      await server.close();
    },
  };
  return Object.assign(state, world);
}

/** Money that the draft has captured beyond what was sold is credited at once. */
async function creditDraftOf(
  orders: OrdersServer['dependencies']['orders'],
  orderId: OrderId,
  noteMoney: World['noteMoney'],
): Promise<void> {
  const { order } = await orders.get('ANY', orderId);
  const credited = order.money.creditedMinor + excessMinor(order);
  await noteMoney(orderId, { captured: paidMinor(order), credited });
}

/** The activities of the workflow, in its order. All transactions have ended, and money is credited at once. */
async function endPaid(server: OrdersServer, { id, organisationId, version }: Order, payments: OrderPayments) {
  const { orders } = server.dependencies;
  const activities = createOrderExpiryActivities({ orders, payments: () => payments, tickets: noTickets });
  const input = { organisationId, orderId: id, version };
  assert.equal(await activities.lockDraft(input), 'LOCKED');
  if ((await activities.endDraft(input)) !== 'UNSETTLED') return;
  await activities.creditDraft(input);
  await activities.endDraft(input);
}

/** Without what came with an import. */
function paidMinor({ money, importedTransactions = [] }: Order): number {
  return money.capturedMinor - sumOf(importedTransactions.map(({ amountMinor }) => amountMinor));
}

async function findAll(server: OrdersServer): Promise<World['offers']> {
  const [one, two] = ['t1', 't2'].map((id) => ({ id, userType: 'ADULT' })) as [object, object];
  const find = async (serviceJourneyId: string, ...travellers: readonly object[]) =>
    (await findOffers(server, { serviceJourneyId, travellers })).FLEX ?? '';
  return {
    FREE: await find(FREE_TRAIN, one),
    FREE_PAIR: await find(FREE_TRAIN, one, two),
    SEATED: await find(TRAIN, one),
    SEATED_PAIR: await find(TRAIN, one, two),
  };
}
