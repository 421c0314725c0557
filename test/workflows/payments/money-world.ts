/**
 * Payments on a real database, with the payment provider simulator, and with workflows on a real Temporal server or on one
 * that skips time. Stores use the server's clock. Activities can fail before or after their effect.
 */
import '../../support/quiet-temporal.ts';
import { randomUUID } from 'node:crypto';
import proto from '@temporalio/proto';
import { NativeConnection, Worker } from '@temporalio/worker';
import { OrderMoneyWriter } from '../../../activities/orders/order-money.ts';
import { CallbackRequests } from '../../../activities/payments/callback-requests.ts';
import { createCaptureActivities } from '../../../activities/payments/capture/capture-activities.ts';
import type { TransactionPlace } from '../../../activities/payments/capture-calls.ts';
import { CALLBACKS_COLLECTION, ClientCallbacks } from '../../../activities/payments/client-callbacks.ts';
import { createCreditActivities } from '../../../activities/payments/credit/credit-activities.ts';
import { CREDITS_COLLECTION } from '../../../activities/payments/credit-document.ts';
import { CreditStore } from '../../../activities/payments/credit-store.ts';
import { NeedlessTransactions } from '../../../activities/payments/needless-transactions.ts';
import { OrderNotes } from '../../../activities/payments/order-notes.ts';
import { PaymentsOfOrders } from '../../../activities/payments/order-payments.ts';
import { PAYMENTS_COLLECTION } from '../../../activities/payments/payment-document.ts';
import { PaymentStore } from '../../../activities/payments/payment-store.ts';
import { PaymentSweeps } from '../../../activities/payments/payment-sweeps.ts';
import { PaymentWorkflows } from '../../../activities/payments/payment-workflows.ts';
import { BookProvider } from '../../../activities/payments/provider/book-provider.ts';
import type { PaymentProvider } from '../../../activities/payments/provider/payment-provider.ts';
import { Providers } from '../../../activities/payments/provider/providers.ts';
import { createSimulatorProvider } from '../../../activities/payments/provider/simulator.ts';
import { RefundedMoney } from '../../../activities/payments/refund-money.ts';
import { type AddressUse, sealAddress } from '../../../activities/payments/sealed-addresses.ts';
import { PAYMENT_TYPE_GROUPS, type PaymentTypeGroup } from '../../../activities/shared/catalogue.ts';
import type { LinkedPlace } from '../../../activities/shared/page-links.ts';
import { createDataConverter, TemporalClient } from '../../../platform/temporal/temporal.ts';
import { orderExpiryWorkflowId, SALES_ORDERS_QUEUE } from '../../../workflows/orders/messages.ts';
import { balanceMinor } from '../../../workflows/orders/rules/amounts.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { lockOrder } from '../../../workflows/orders/rules/order-lock.ts';
import type { CaptureActivities, CreditActivities } from '../../../workflows/payments/activities.ts';
import { captureWorkflowId, SALES_PAYMENTS_QUEUE } from '../../../workflows/payments/messages.ts';
import { LONGEST_RUN } from '../../../workflows/payments/rules/capture-life.ts';
import { createPayment } from '../../../workflows/payments/rules/creation.ts';
import type { Transaction } from '../../../workflows/payments/rules/payment.ts';
import { liveTerminal, prepareTerminal } from '../../../workflows/payments/rules/terminal.ts';
import { transactionOf } from '../../../workflows/payments/rules/transactions.ts';
import type { RefundActivities } from '../../../workflows/refunds/activities.ts';
import type { CustomerNumber, DistributionChannelId, PaymentPageId } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { OrderFixture } from '../../activities/orders/order-fixture.ts';
import { useWorkflowBundle } from '../../support/bundle.ts';
import {
  call,
  payByCard,
  SIMULATOR_SECRET,
  type Simulator,
  startSimulatorFor,
} from '../../support/provider-simulator.ts';
import { OURS, sampleFee } from '../../support/sample-orders.ts';
import { useTemporal } from '../../support/stack.ts';
import { openTimeSkipping } from '../../support/time-skipping.ts';
import { until } from '../../support/until.ts';
import { PAYLOAD_KEYS } from '../payload-keys.ts';
import { CompensationWorld } from './compensation-world.ts';

type Activities = CaptureActivities & CreditActivities & RefundActivities;
export type Fault = 'before' | 'after';
/** Callbacks reach the server in batches. */
const SENT_AT_ONCE = 50;
export const GOOD_CARD = '4111111111111111';

const PAYING_CHANNEL = {
  ...{ organisationIds: [OURS], paymentMethods: [], autoDistribute: false, returnOrigins: [] },
  ...{ defaultLanguage: 'nob' as const, currency: 'NOK' },
};

const { INDEXED_VALUE_TYPE_KEYWORD: KEYWORD } = proto.temporal.api.enums.v1.IndexedValueType;
const ATTRIBUTES = { PaymentId: KEYWORD, OrderId: KEYWORD, OrganisationId: KEYWORD, SalesState: KEYWORD };

export interface Server {
  readonly temporal: TemporalClient;
  readonly native: NativeConnection;
  readonly nowMs: () => Promise<number>;
  readonly sleep: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface PaidPlace extends TransactionPlace {
  readonly order: Order;
}

export class MoneyWorld {
  readonly fixture: OrderFixture;
  readonly simulator: Simulator;
  readonly server: Server;
  readonly payments: PaymentStore;
  readonly credits: CreditStore;
  readonly notes: OrderNotes;
  readonly calls: PaymentWorkflows;
  readonly needless: NeedlessTransactions;
  readonly orderPayments: PaymentsOfOrders;
  readonly refundMoney: RefundedMoney;
  readonly callbacks: ClientCallbacks;
  readonly sweeps: PaymentSweeps;
  readonly refunded: CompensationWorld;
  readonly money: OrderMoneyWriter;
  /** Where the simulator reports; by default nobody listens. */
  readonly sessions = { publicUrl: 'http://127.0.0.1:9' };
  /** That the channel of every order refunds. */
  refundGroups: readonly PaymentTypeGroup[] = PAYMENT_TYPE_GROUPS;
  /** The provider opens no session, for good. */
  refusesSessions = false;
  /** Names of the activities that have run. */
  ran: string[] = [];
  #heldRefunds: { readonly open: Promise<void>; readonly release: () => void; passing: number } | undefined;
  /** The activities of credits, called without their workflow. */
  readonly creditSteps: CreditActivities;
  readonly #faults = new Map<string, number>();
  #stopWorker: () => Promise<void> = async () => {};

  static async open(name: string, { skipping = false } = {}): Promise<MoneyWorld> {
    const server = skipping ? await openSkipping() : await openReal();
    const fixture = new OrderFixture(name);
    await fixture.open();
    const simulator = await startSimulatorFor(`${name}-simulator`);
    const world = new MoneyWorld(fixture, simulator, server);
    const { connection } = fixture.here;
    const definitions = [PAYMENTS_COLLECTION, CREDITS_COLLECTION, CALLBACKS_COLLECTION];
    await Promise.all(definitions.map((each) => each.ensureIndexes(connection)));
    await world.refunded.open();
    await world.startWorker();
    await world.reset();
    return world;
  }

  private constructor(fixture: OrderFixture, simulator: Simulator, server: Server) {
    Object.assign(this, { fixture, simulator, server });
    this.fixture = fixture;
    this.simulator = simulator;
    this.server = server;
    const { connection, store, options, access, keys } = fixture.here;
    const { log } = options;
    const now = () => fixture.now;
    this.money = new OrderMoneyWriter(store, connection);
    this.payments = new PaymentStore({ connection, environment: 'dev', now });
    this.credits = new CreditStore({ connection, now });
    this.notes = new OrderNotes({ connection, orders: () => this.money, log, now });
    const requests = new CallbackRequests({ open: true });
    this.callbacks = new ClientCallbacks({ connection, keys, requests, log, now });
    const shared = { payments: this.payments, notes: this.notes, orders: () => access };
    const workflows = new PaymentWorkflows({ ...shared, temporal: () => server.temporal });
    this.calls = workflows;
    const channels = () => ({
      findChannel: async (id: string) => ({ ...PAYING_CHANNEL, id, refundPaymentTypeGroups: this.refundGroups }),
    });
    const { credits } = this;
    this.needless = new NeedlessTransactions({ payments: this.payments, workflows, log });
    const moneyParts = { ...shared, credits, workflows };
    const ofOrders = () => this.orderPayments;
    const places = { connection, orderStore: store, temporal: server.temporal, log, now, ofOrders };
    this.refunded = new CompensationWorld({ ...moneyParts, ...places });
    const compensations = () => this.refunded.compensations;
    this.orderPayments = new PaymentsOfOrders({
      ...{ ...moneyParts, calls: workflows, needless: this.needless, channels, compensations },
    });
    this.refundMoney = new RefundedMoney(moneyParts);
    const swept = { ...shared, credits: this.credits, workflows, orders: () => this.money, orderReads: () => access };
    this.sweeps = new PaymentSweeps({ ...swept, log, now });
    this.creditSteps = createCreditActivities(this.#creditDependencies());
  }

  async reset(): Promise<void> {
    await this.fixture.clear();
    await this.setClock();
    const { connection } = this.fixture.here;
    for (const each of [PAYMENTS_COLLECTION, CREDITS_COLLECTION, CALLBACKS_COLLECTION]) {
      await each.open(connection).deleteMany({});
    }
    await this.refunded.reset();
    await fetch(`${this.simulator.url}/faults`, { method: 'DELETE' });
    this.#faults.clear();
    this.refusesSessions = false;
    this.#heldRefunds?.release();
    this.#heldRefunds = undefined;
    this.refundGroups = PAYMENT_TYPE_GROUPS;
    this.ran = [];
  }

  async setClock(): Promise<void> {
    this.fixture.now = new Date(await this.server.nowMs());
  }

  async skip(minutes: number): Promise<void> {
    await this.server.sleep(minutes * 60_000);
    await this.setClock();
  }

  breakOn(name: keyof Activities, when: Fault, times = 1): void {
    this.#faults.set(`${name} ${when}`, times);
  }

  get provider(): PaymentProvider {
    const setting = { url: this.simulator.url, secret: SIMULATOR_SECRET, timeoutMs: 1_000 };
    const provider = createSimulatorProvider(setting);
    const openSession: PaymentProvider['openSession'] = async (request) => {
      if (this.refusesSessions) throw new ServiceError('PSP_ERROR', 'The amount is too small.');
      return await provider.openSession(request);
    };
    const refund: PaymentProvider['refund'] = async (request) => {
      const held = this.#heldRefunds;
      if (held && held.passing === 0) await held.open;
      else if (held) held.passing -= 1;
      return await provider.refund(request);
    };
    return { ...provider, openSession, refund };
  }

  /** So many further refunds reach the provider; those after them wait until the answer is called. */
  holdRefundsAfter(passing: number): () => void {
    const { promise: open, resolve: release } = Promise.withResolvers<void>();
    this.#heldRefunds = { open, release, passing };
    return release;
  }

  /** A payment of a draft with one line, its transaction CREATED. */
  async payment(
    more: {
      readonly provider?: string;
      readonly group?: string;
      readonly pageId?: string;
      readonly customerNumber?: CustomerNumber;
      readonly order?: Order;
      /** Default: what the order owes. */
      readonly amountMinor?: number;
    } = {},
  ): Promise<PaidPlace> {
    const order = more.order ?? (await this.fixture.withSeat()).order;
    const { id: orderId, version: orderVersion, currency } = order;
    const { amountMinor = balanceMinor(order) } = more;
    const provider = more.provider ?? 'SIMULATOR';
    const page = more.pageId !== undefined && { paymentPageId: more.pageId as PaymentPageId };
    const work = { workId: randomUUID(), correlationId: 'c', clientId: 'partner' };
    const stored = await this.payments.create(OURS, work, ({ paymentId, transactionId }, now) =>
      createPayment(
        {
          ...{ id: paymentId, organisationId: OURS, orderId, orderVersion, totalMinor: amountMinor, currency },
          distributionChannelId: 'SVC:DistributionChannel:PaymentPage' as DistributionChannelId,
          ...(more.customerNumber !== undefined && { customerNumber: more.customerNumber }),
          transaction: {
            ...{ id: transactionId, amountMinor, currency, provider, capturesItself: page !== false, ...page },
            ...{ paymentTypeGroup: more.group ?? 'PAYMENTCARD', paymentType: 'VISA' },
          },
        },
        now,
      ),
    );
    await this.notes.tell(stored, work);
    const [transaction] = stored.payment.transactions as [Transaction];
    return {
      organisationId: OURS,
      orderId,
      paymentId: stored.payment.id,
      transactionId: transaction.id,
      ...page,
      order,
    };
  }

  /** Opens the terminal, and answers its address. */
  async terminal(place: TransactionPlace, callbackUrl?: string): Promise<string> {
    const { organisationId, orderId, paymentId, transactionId } = place;
    const { keys } = this.fixture.here;
    const seal = async (use: AddressUse, address: string) =>
      await sealAddress(keys, { payment: { organisationId, orderId }, payer: undefined, use }, address);
    const redirectUrl = await seal('redirect', 'https://shop.example/paid');
    const told = callbackUrl && { callbackUrl: await seal('callback', callbackUrl) };
    await this.payments.change(organisationId, paymentId, workOf(), (payment, now) =>
      prepareTerminal(payment, { ...{ transactionId, kind: 'TERMINAL', redirectUrl, language: 'nob' }, ...told }, now),
    );
    await this.calls.openTerminal(place, workOf());
    return liveTerminal(await this.transaction(place)) ?? '';
  }

  /** The customer has authorised it with this card. */
  async authorised(card = GOOD_CARD, more: Parameters<MoneyWorld['payment']>[0] = {}): Promise<PaidPlace> {
    const place = await this.payment(more);
    await payByCard(await this.terminal(place), card);
    return place;
  }

  async capture(place: TransactionPlace): Promise<string> {
    return await this.calls.capture(place, workOf());
  }

  async cancel(place: TransactionPlace): Promise<string> {
    return await this.calls.cancel(place, workOf());
  }

  async callback(place: TransactionPlace): Promise<void> {
    await this.calls.wake(place, 'c');
  }

  async transaction({ organisationId, paymentId, transactionId }: TransactionPlace): Promise<Transaction> {
    return transactionOf((await this.payments.get(organisationId, paymentId)).payment, transactionId);
  }

  async order({ orderId }: TransactionPlace): Promise<Order> {
    return (await this.fixture.here.store.get('ANY', orderId)).order;
  }

  /** A fee that the payment does not pay. */
  async owesMore({ orderId }: TransactionPlace, amountMinor = 2_500): Promise<void> {
    await this.fixture.change(orderId, (before, now) => addFee(before, { fee: sampleFee('MANUAL', amountMinor) }, now));
  }

  /** What the simulator's books say: sums of captures and refunds, and how many captures there are. */
  async ledger({ paymentId, transactionId }: TransactionPlace) {
    const { json } = await call(this.simulator.url, `/ledger?reference=${paymentId}/${transactionId}`);
    const [entry = { captures: [], refunds: [] }] = json.entries;
    const sum = (moved: { amountMinor: number }[]) => moved.reduce((all, { amountMinor }) => all + amountMinor, 0);
    return { captures: entry.captures.length, captured: sum(entry.captures), refunded: sum(entry.refunds) };
  }

  async fault(fault: object): Promise<void> {
    await call(this.simulator.url, '/faults', fault);
  }

  /** Of the last run where none is named. */
  handle(place: TransactionPlace, runId?: string) {
    return this.server.temporal.client.workflow.getHandle(captureWorkflowId(place), runId);
  }

  async ended(place: TransactionPlace): Promise<unknown> {
    return await this.handle(place).result();
  }

  async close(): Promise<void> {
    this.#heldRefunds?.release();
    await this.#stopWorker();
    await this.server.close();
    await this.simulator.stop();
    await this.fixture.close();
  }

  /** As the expiry of the draft does, under its lock. */
  async creditDraft({ orderId }: Pick<PaidPlace, 'orderId'>, version = 1): Promise<void> {
    const lockOwner = orderExpiryWorkflowId({ orderId, version });
    await this.fixture.change(orderId, (before, now) => lockOrder(before, { owner: lockOwner }, now));
    await this.orderPayments.creditDraft({ organisationId: OURS, orderId, version, lockOwner });
  }

  async startWorker(): Promise<void> {
    const workers = [
      await this.#workerOf(SALES_PAYMENTS_QUEUE, this.#disturbed(this.#activities())),
      await this.#workerOf(SALES_ORDERS_QUEUE, this.#disturbed(this.refunded.activities)),
    ];
    const running = workers.map((worker) => worker.run());
    this.#stopWorker = async () => {
      for (const worker of workers) worker.shutdown();
      await Promise.all(running);
    };
  }

  async #workerOf(taskQueue: string, activities: object): Promise<Worker> {
    return await Worker.create({
      connection: this.server.native,
      ...{ taskQueue, activities },
      dataConverter: createDataConverter(PAYLOAD_KEYS),
      workflowBundle: { code: (await useWorkflowBundle()).code },
    });
  }

  /** As when every worker dies. */
  async stopWorker(): Promise<void> {
    await this.#stopWorker();
    this.#stopWorker = async () => {};
  }

  #activities(): CaptureActivities & CreditActivities {
    const { access, keys } = this.fixture.here;
    const { sessions, callbacks } = this;
    const orders = { orders: () => this.money, orderReads: () => access };
    const pageLinks = () => ({
      returnUrlOf: ({ orderId, pageId }: LinkedPlace) => `https://pay.example/${orderId}/${pageId}`,
    });
    const shared = this.#creditDependencies();
    const compensations = () => this.refunded.compensations;
    return {
      ...createCaptureActivities({
        ...shared,
        ...orders,
        needless: this.needless,
        callbacks,
        sessions,
        pageLinks,
        compensations,
        keys,
      }),
      ...this.creditSteps,
    };
  }

  #creditDependencies() {
    const { payments, credits, notes } = this;
    const providers = new Providers([this.provider, new BookProvider()]);
    const { options, access } = this.fixture.here;
    const orderReads = () => access;
    const orders = () => this.money;
    const { refundMoney: money } = this;
    const reached = { orders, orderReads, money };
    return { payments, credits, notes, ...reached, providers, log: options.log, now: () => this.fixture.now };
  }

  #disturbed<Some extends object>(activities: Some): Some {
    const names = Object.keys(activities) as (keyof Some & string)[];
    const disturbed = names.map((name) => {
      const run = async (input: never) => {
        await this.setClock();
        this.ran.push(name);
        this.#throwNext(`${name} before`);
        const answer = await (activities[name] as (input: never) => Promise<unknown>)(input);
        this.#throwNext(`${name} after`);
        return answer;
      };
      return [name, run] as const;
    });
    return Object.fromEntries(disturbed) as unknown as Some;
  }

  #throwNext(point: string): void {
    const left = this.#faults.get(point) ?? 0;
    if (left === 0) return;
    this.#faults.set(point, left - 1);
    throw new Error(`died: ${point}`);
  }
}

/** So many messages come that the workflow of the transaction continues as new. */
export async function untilNextRun(world: MoneyWorld, place: TransactionPlace): Promise<void> {
  await world.callback(place);
  const { runId } = await world.handle(place).describe();
  for (let sent = 0; sent < LONGEST_RUN; sent += SENT_AT_ONCE) {
    await Promise.all(Array.from({ length: SENT_AT_ONCE }, () => world.callback(place)));
  }
  await until(async () => (await world.handle(place).describe()).runId !== runId, { what: 'the next run' });
}

export function workOf() {
  return { workId: randomUUID(), correlationId: 'c', clientId: 'partner' };
}

export async function openReal(): Promise<Server> {
  const { address } = await useTemporal();
  const config = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default', PAYLOAD_KEYS };
  const [temporal, native] = [new TemporalClient(config), await NativeConnection.connect({ address })];
  const close = async () => {
    await temporal.close();
    await native.close();
  };
  const sleep = async () => {
    throw new Error('A real server skips no time');
  };
  await temporal.client.connection.operatorService
    .addSearchAttributes({ namespace: 'default', searchAttributes: ATTRIBUTES })
    .catch(() => undefined);
  return { temporal, native, nowMs: async () => Date.now(), sleep, close };
}

export async function openSkipping(): Promise<Server> {
  const environment = await openTimeSkipping({ searchAttributes: ATTRIBUTES });
  const { client, nativeConnection: native } = environment;
  const temporal = { client, withDeadline: async (run: (with_: typeof client) => unknown) => await run(client) };
  return {
    ...{ temporal: temporal as unknown as TemporalClient, native },
    nowMs: async () => await environment.currentTimeMs(),
    sleep: async (ms) => await environment.sleep(ms),
    close: async () => await environment.teardown(),
  };
}
