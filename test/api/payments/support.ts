/** Orders and payments on real servers with real databases. Tokens are plain `client/organisation/scopes`. */
import assert from 'node:assert/strict';
import { SETTLEMENTS_COLLECTION } from '../../../activities/books/settlement-document.ts';
import { SettlementStore } from '../../../activities/books/settlement-store.ts';
import { OrderAccessor } from '../../../activities/orders/order-access.ts';
import { OrderMoneyWriter } from '../../../activities/orders/order-money.ts';
import { PenaltyOrders } from '../../../activities/orders/penalty-orders.ts';
import type { TransactionPlace } from '../../../activities/payments/capture-calls.ts';
import { CREDITS_COLLECTION } from '../../../activities/payments/credit-document.ts';
import { CreditSearch } from '../../../activities/payments/credit-search.ts';
import { CreditStore } from '../../../activities/payments/credit-store.ts';
import { INVOICES_COLLECTION } from '../../../activities/payments/invoice-document.ts';
import { InvoiceStore } from '../../../activities/payments/invoice-store.ts';
import { NeedlessTransactions } from '../../../activities/payments/needless-transactions.ts';
import { OrderNotes } from '../../../activities/payments/order-notes.ts';
import { PAYMENTS_COLLECTION } from '../../../activities/payments/payment-document.ts';
import { PaymentSearch } from '../../../activities/payments/payment-search.ts';
import { PaymentStore } from '../../../activities/payments/payment-store.ts';
import { Providers } from '../../../activities/payments/provider/providers.ts';
import { RefundedMoney } from '../../../activities/payments/refund-money.ts';
import type { PaymentsDependencies } from '../../../api/payments/dependencies.ts';
import { createPaymentsArea } from '../../../api/payments/routes.ts';
import { createApp } from '../../../api/shared/app.ts';
import { serve } from '../../../api/shared/serve.ts';
import { AnswerSeal } from '../../../platform/personal/answer-seal.ts';
import { BOOK } from '../../../workflows/payments/rules/book.ts';
import type { OrderId, OrganisationId, PaymentId, TransactionId } from '../../../workflows/shared/ids.ts';
import { CHANNEL } from '../orders/small-market.ts';
import { type OrdersServer, startOrders } from '../orders/support.ts';
import { type Answer, type CallOptions, send } from '../support/call.ts';
import { keyedRequests } from '../support/keyed-requests.ts';
import { readPlainToken, silentLog } from '../support/parcels.ts';
import { ImmediateCalls } from './calls.ts';

const SCOPES = 'offers:search,orders:read,orders:write,orders:price,payments:read,payments:write,refunds:write';
export const OWN = `web/1/${SCOPES}`;
export const OTHER = `other/2/${SCOPES}`;
export const OPERATOR = `operator/1/${SCOPES},organisation:any`;
export const WITH_CHANNEL = { 'service-distribution-channel': CHANNEL };

export interface PaymentsServer {
  readonly orders: OrdersServer;
  readonly url: string;
  readonly dependencies: PaymentsDependencies;
  readonly settlements: SettlementStore;
  readonly calls: ImmediateCalls;
  /** Transactions that have ended by themselves, as others have paid for them. */
  readonly woken: readonly TransactionId[];
  openAddresses: boolean;
  /** False: as if the configuration named BOOK alone. */
  usesProviders: boolean;
  call(path: string, options?: CallOptions): Promise<Answer>;
  close(): Promise<void>;
}

export async function startPayments(): Promise<PaymentsServer> {
  const orders = await startOrders();
  const { connection, keys } = orders;
  const now = () => orders.now ?? new Date();
  const state = { openAddresses: false, usesProviders: true };
  const orderMoney = new OrderMoneyWriter(orders.dependencies.orders, connection);
  const payments = new PaymentStore({ connection, environment: 'dev', now });
  const calls = new ImmediateCalls(payments, orderMoney);
  const credits = new CreditStore({ connection, now });
  const notes = new OrderNotes({ connection, orders: () => orderMoney, log: silentLog, now });
  const access = new OrderAccessor({
    orders: orders.dependencies.orders,
    seats: () => orders.keeper,
    fares: () => orders.dependencies.fares,
    now,
  });
  const noWorkflows = { startCredit: async () => {}, wake: async () => {} };
  const woken: TransactionId[] = [];
  const wake = async ({ transactionId }: TransactionPlace) => void woken.push(transactionId);
  const needless = new NeedlessTransactions({ payments, workflows: { wake }, log: silentLog });
  const money = new RefundedMoney({ payments, credits, notes, orders: () => access, workflows: noWorkflows });
  const dependencies: PaymentsDependencies = {
    ...{ payments, orderMoney, calls, needless, keys, now, log: silentLog },
    invoices: new InvoiceStore(connection),
    penalties: new PenaltyOrders(orders.dependencies.orders),
    search: new PaymentSearch(connection),
    credits,
    creditSearch: new CreditSearch(connection),
    creditResolving: {
      ...{ credits, money, workflows: noWorkflows, now },
      orders: () => access,
      orderMoney: () => orderMoney,
    },
    notes,
    orders: access,
    customers: orders.dependencies.customers,
    callbacks: { providers: new Providers([]), intake: { take: async () => false } },
    usesProvider: (provider) => provider === BOOK || state.usesProviders,
    get openAddresses() {
      return state.openAddresses;
    },
  };
  const settlements = new SettlementStore({ connection, environment: 'dev', now });
  const idempotency = keyedRequests(connection);
  const collections = [PAYMENTS_COLLECTION, CREDITS_COLLECTION, INVOICES_COLLECTION, SETTLEMENTS_COLLECTION];
  await Promise.all([idempotency.store.ensureIndexes(), ...collections.map((each) => each.ensureIndexes(connection))]);
  const { catalogue } = orders.dependencies;
  const app = createApp({
    areas: [createPaymentsArea(dependencies)],
    log: silentLog,
    verifyToken: readPlainToken,
    idempotency,
    answerSeal: new AnswerSeal(keys),
    findChannel: async (id) => await catalogue.findChannel(id),
    findSettlement: async (organisation, id) => await settlements.findOpen(organisation, id),
  });
  const server = await serve(app, { host: '127.0.0.1', port: 0, graceMs: 1_000 });
  return Object.assign(state, {
    ...{ orders, dependencies, settlements, calls, woken, url: server.url },
    call: (path: string, options: CallOptions = {}) =>
      send(`${server.url}${path}`, { token: OWN, ...options, headers: { ...WITH_CHANNEL, ...options.headers } }),
    close: async () => {
      await server.close();
      await orders.close();
    },
  });
}

/** An order that owes this amount: one fee. */
export async function orderOf(server: PaymentsServer, amount: string, token = OWN): Promise<string> {
  const created = await server.orders.call('/v1/orders', { token, body: {} });
  assert.equal(created.status, 201, created.text);
  const { id } = created.json;
  const fee = { type: 'BOOKING', price: { amount }, reason: 'booked' };
  const added = await server.orders.call(`/v1/orders/${id}/fees`, { token, body: fee });
  assert.equal(added.status, 201, added.text);
  return id;
}

export async function readOrder(server: PaymentsServer, orderId: string) {
  const answer = await server.orders.call(`/v1/orders/${orderId}`, { token: OPERATOR });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

export const VISA = { paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA' };

/** A payment of the order with one transaction that pays it. */
export async function paymentOf(server: PaymentsServer, amount = '349.00', method: object = VISA, token = OWN) {
  const orderId = await orderOf(server, amount, token);
  const body = { orderId, orderVersion: 1, totalAmount: amount, transaction: { amount, ...method } };
  const answer = await server.call('/v1/payments', { body, token });
  assert.equal(answer.status, 201, answer.text);
  const { paymentId, organisationId, transactionHistory } = answer.json;
  const { transactionId } = transactionHistory[0];
  const path = `/v1/payments/${paymentId}/transactions/${transactionId}`;
  const place = {
    organisationId: organisationId as OrganisationId,
    orderId: orderId as OrderId,
    paymentId: paymentId as PaymentId,
    transactionId: transactionId as TransactionId,
  };
  return { orderId, paymentId, transactionId, path, place, payment: answer.json };
}

export const REDIRECT = { redirectUrl: 'https://shop.example/paid' };

/** The customer has authorised it. */
export async function authorisedOf(server: PaymentsServer, amount = '349.00') {
  const made = await paymentOf(server, amount);
  const opened = await server.call(`${made.path}/terminal`, { body: REDIRECT });
  assert.equal(opened.status, 200, opened.text);
  await server.calls.authorise(made.place);
  return made;
}
