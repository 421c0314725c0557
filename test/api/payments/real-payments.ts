/**
 * The operations of payments over HTTP with nothing played: workflows on a real Temporal server, their worker, and the payment
 * provider simulator. Orders come from the stores. Tokens are plain `client/organisation/scopes`.
 */

import { ExistingCustomers } from '../../../activities/customers/existing-customers.ts';
import { PenaltyOrders } from '../../../activities/orders/penalty-orders.ts';
import { CreditSearch } from '../../../activities/payments/credit-search.ts';
import { INVOICES_COLLECTION } from '../../../activities/payments/invoice-document.ts';
import { InvoiceStore } from '../../../activities/payments/invoice-store.ts';
import { PaymentSearch } from '../../../activities/payments/payment-search.ts';
import type { PaymentWorkflows } from '../../../activities/payments/payment-workflows.ts';
import { BookProvider } from '../../../activities/payments/provider/book-provider.ts';
import { Providers } from '../../../activities/payments/provider/providers.ts';
import { PROVIDER_REPORTS_COLLECTION, ProviderReports } from '../../../activities/payments/provider-reports.ts';
import { ReportIntake } from '../../../activities/payments/report-intake.ts';
import type { PaymentsDependencies } from '../../../api/payments/dependencies.ts';
import { createPaymentsArea } from '../../../api/payments/routes.ts';
import { createApp } from '../../../api/shared/app.ts';
import { serve } from '../../../api/shared/serve.ts';
import type { OrderId, OrganisationId, PaymentId, TransactionId } from '../../../workflows/shared/ids.ts';
import { MoneyWorld, type PaidPlace } from '../../workflows/payments/money-world.ts';
import { CHANNEL, MARKET } from '../orders/small-market.ts';
import { type Answer, type CallOptions, send } from '../support/call.ts';
import { keyedRequests } from '../support/keyed-requests.ts';
import { readPlainToken, silentLog } from '../support/parcels.ts';

const TOKEN = 'web/1/payments:read,payments:write';

/** Wakes workflows, and counts it. */
class CountedWakes implements Pick<PaymentWorkflows, 'wake' | 'startCredit'> {
  count = 0;
  /** So many fail from now on. */
  failures = 0;
  readonly #workflows: Pick<PaymentWorkflows, 'wake' | 'startCredit'>;

  constructor(workflows: Pick<PaymentWorkflows, 'wake' | 'startCredit'>) {
    this.#workflows = workflows;
  }

  async wake(...call: Parameters<PaymentWorkflows['wake']>): Promise<void> {
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error('Temporal is away');
    }
    this.count += 1;
    await this.#workflows.wake(...call);
  }

  async startCredit(...call: Parameters<PaymentWorkflows['startCredit']>): Promise<void> {
    await this.#workflows.startCredit(...call);
  }
}

export interface RealPayments {
  readonly world: MoneyWorld;
  readonly url: string;
  readonly wakes: CountedWakes;
  call(path: string, options?: CallOptions): Promise<Answer>;
  close(): Promise<void>;
}

export async function startRealPayments(name: string): Promise<RealPayments> {
  const world = await MoneyWorld.open(name);
  const { connection, store, access: orders, options, keys } = world.fixture.here;
  const { payments, credits, notes, needless, money: orderMoney, calls } = world;
  const now = () => world.fixture.now;
  const wakes = new CountedWakes(calls);
  const reports = new ProviderReports(connection);
  const intake = new ReportIntake({ payments, credits, notes, reports, workflows: wakes, log: options.log });
  const dependencies: PaymentsDependencies = {
    ...{ payments, credits, notes, needless, orders, orderMoney, calls, keys, now, log: options.log },
    invoices: new InvoiceStore(connection),
    penalties: new PenaltyOrders(store),
    search: new PaymentSearch(connection),
    creditSearch: new CreditSearch(connection),
    creditResolving: {
      ...{ credits, money: world.refundMoney, workflows: calls, now },
      orders: () => orders,
      orderMoney: () => orderMoney,
    },
    customers: new ExistingCustomers(connection),
    callbacks: { providers: new Providers([world.provider, new BookProvider()]), intake },
    openAddresses: true,
  };
  const idempotency = keyedRequests(connection);
  const collections = [INVOICES_COLLECTION, PROVIDER_REPORTS_COLLECTION];
  await Promise.all([idempotency.store.ensureIndexes(), ...collections.map((each) => each.ensureIndexes(connection))]);
  const app = createApp({
    areas: [createPaymentsArea(dependencies)],
    log: silentLog,
    verifyToken: readPlainToken,
    idempotency,
    findChannel: async (id) => MARKET.distributionChannels.find((each) => each.id === id),
    findSettlement: async () => undefined,
  });
  const server = await serve(app, { host: '127.0.0.1', port: 0, graceMs: 1_000 });
  const headers = { 'service-distribution-channel': CHANNEL };
  return {
    ...{ world, wakes, url: server.url },
    call: async (path, given = {}) =>
      await send(`${server.url}${path}`, { token: TOKEN, ...given, headers: { ...headers, ...given.headers } }),
    close: async () => {
      await server.close();
      await world.close();
    },
  };
}

/** A payment of a new order with one transaction, made over HTTP. */
export async function startPayment({ call, world }: RealPayments) {
  const { order } = await world.fixture.withSeat();
  const amount = '100.00';
  const transaction = { amount, paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA' };
  const created = await call('/v1/payments', {
    body: { orderId: order.id, orderVersion: 1, totalAmount: amount, transaction },
  });
  if (created.status !== 201) throw new Error(created.text);
  const { paymentId, transactionHistory } = created.json;
  const { transactionId } = transactionHistory[0];
  const place: PaidPlace = {
    organisationId: 1 as OrganisationId,
    orderId: order.id as OrderId,
    paymentId: paymentId as PaymentId,
    transactionId: transactionId as TransactionId,
    order,
  };
  return { place, path: `/v1/payments/${paymentId}/transactions/${transactionId}` };
}
