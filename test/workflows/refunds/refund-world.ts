/**
 * Refunds on a time-skipping server, with the real stores of orders and refunds on a real database. Tickets and payments are
 * played by the world, which says what providers answer; activities can fail before or after their effect, and in their midst. The
 * file is long because all that it plays shares one state.
 */
import '../../support/quiet-temporal.ts';
import proto from '@temporalio/proto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { OrderRefundWriter } from '../../../activities/orders/order-refunds.ts';
import { createRefundActivities } from '../../../activities/refunds/refund-activities.ts';
import { REFUNDS_COLLECTION } from '../../../activities/refunds/refund-document.ts';
import { RefundStore } from '../../../activities/refunds/refund-store.ts';
import type { Asker, CreditState, RefundCredit, RefundMoney } from '../../../activities/shared/refund-money.ts';
import type { LinesOfOrder, LineUse } from '../../../activities/shared/tickets.ts';
import { createDataConverter } from '../../../platform/temporal/temporal.ts';
import { totalAmountMinor } from '../../../workflows/orders/rules/amounts.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { combine } from '../../../workflows/orders/rules/order-change.ts';
import { lockOrder } from '../../../workflows/orders/rules/order-lock.ts';
import { notePayment } from '../../../workflows/orders/rules/payment-notes.ts';
import type { RefundActivities } from '../../../workflows/refunds/activities.ts';
import {
  type RefundInput,
  type RefundResult,
  refundWorkflow,
  refundWorkflowId,
  resolvedSignal,
  resolveUpdate,
  SALES_ORDERS_QUEUE,
} from '../../../workflows/refunds/messages.ts';
import {
  COMPENSATION,
  type PlannedOperation,
  type Refund,
  type Resolution,
} from '../../../workflows/refunds/rules/refund.ts';
import { operationsOfCompensation, resolveRefund } from '../../../workflows/refunds/rules/refund-life.ts';
import type {
  CreditId,
  PaymentId,
  PaymentPageId,
  RefundId,
  TicketDistributionId,
  TransactionId,
} from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { OrderFixture } from '../../activities/orders/order-fixture.ts';
import { CHANNEL } from '../../api/orders/small-market.ts';
import { useWorkflowBundle } from '../../support/bundle.ts';
import { openTimeSkipping } from '../../support/time-skipping.ts';
import { PAYLOAD_KEYS } from '../payload-keys.ts';

const { INDEXED_VALUE_TYPE_KEYWORD: KEYWORD } = proto.temporal.api.enums.v1.IndexedValueType;
const DAY_MS = 24 * 3600_000;
export const CREDIT = 4711 as CreditId;
const TICKET = 8812 as TicketDistributionId;
const PAGE = '00000000-0000-4000-8000-000000000001' as PaymentPageId;
const PAID = { paymentId: 1 as PaymentId, transactionId: 2 as TransactionId };
/** Asks for compensations. */
export const ASKER = 'capture/1/2';

/** What the providers answer at each look; the last one stays. */
export type Answer = 'CREDITED' | 'CREDITED_AND_FAILED' | 'UNKNOWN' | 'REFUSED' | { readonly paidMinor: number };
type Point = 'before' | 'after';
/** What activities change, one by one. */
export type Effect =
  | ('lock' | 'disable' | 'noteLocked' | 'credit' | 'noteCrediting' | 'refundLines' | 'noteCompleted')
  | ('restore' | 'unlock' | 'noteFailed');
const NOTES: Partial<Record<Refund['status'], Effect>> = {
  REQUESTED: 'noteLocked',
  CREDITING: 'noteCrediting',
  COMPLETED: 'noteCompleted',
  FAILED: 'noteFailed',
};

export class RefundWorld implements RefundMoney {
  readonly fixture: OrderFixture;
  answers: Answer[] = ['CREDITED'];
  /** What a decision meets: an outcome that is known, one that is not, or money that was disputed. */
  decided: 'KNOWN' | 'UNKNOWN' | 'DISPUTED' = 'KNOWN';
  uses: readonly LineUse[] = [];
  /** Another credit has paid back what a compensation was to. */
  isPaidBefore = false;
  /** Tickets that are disabled now. */
  disabled = false;
  /** In the order in which they happened, each once. */
  readonly steps: string[] = [];
  creditedMinor = 0;
  credit: RefundCredit | undefined;
  readonly #environment: TestWorkflowEnvironment;
  readonly #faults = new Map<string, number>();
  #refunds: RefundStore;
  #stopWorker: () => Promise<void> = async () => {};

  static async open(name: string): Promise<RefundWorld> {
    const environment = await openTimeSkipping({
      searchAttributes: { OrderId: KEYWORD, OrganisationId: KEYWORD, SalesState: KEYWORD },
    });
    const fixture = new OrderFixture(name);
    await fixture.open();
    await REFUNDS_COLLECTION.ensureIndexes(fixture.here.connection);
    const world = new RefundWorld(environment, fixture);
    await world.#start();
    return world;
  }

  private constructor(environment: TestWorkflowEnvironment, fixture: OrderFixture) {
    this.#environment = environment;
    this.fixture = fixture;
    const connection = fixture.here.connection;
    this.#refunds = new RefundStore({ connection, environment: 'dev', now: () => fixture.now });
  }

  get refunds(): RefundStore {
    return this.#refunds;
  }

  async reset(): Promise<void> {
    await this.fixture.clear();
    await REFUNDS_COLLECTION.open(this.fixture.here.connection).deleteMany({});
    await this.setClock();
    this.#faults.clear();
    this.answers = ['CREDITED'];
    this.decided = 'KNOWN';
    this.uses = [];
    this.isPaidBefore = false;
    this.disabled = false;
    this.steps.length = 0;
    this.creditedMinor = 0;
    this.credit = undefined;
  }

  async setClock(): Promise<void> {
    this.fixture.now = new Date(await this.#environment.currentTimeMs());
  }

  breakOn(name: keyof RefundActivities, when: Point, times = 1): void {
    this.#faults.set(`${name} ${when}`, times);
  }

  /** The effect stays; the activity that has made it fails, and is tried again. */
  dieAfter(effect: Effect, times = 1): void {
    this.#faults.set(effect, times);
  }

  /** Of the whole line of a confirmed order; `keptMinor` stays as a fee. */
  async requested({ keptMinor = 0 }: { readonly keptMinor?: number } = {}): Promise<{ order: Order; refund: Refund }> {
    const { order } = await this.fixture.confirmed();
    await this.#note(order, { capturedMinor: order.money.capturedMinor, creditedMinor: 0 });
    const [line] = order.orderLines;
    if (!line) throw new Error('The order has no line');
    const operation: PlannedOperation = {
      ...{ orderLineId: line.id, orderLineVersion: line.version, refundRuleId: 'FREE-1', unusedOnly: false },
      ...{ shareMinor: line.price.amountMinor, refundMinor: line.price.amountMinor - keptMinor },
    };
    const part = { paymentId: 1 as PaymentId, transactionId: 2 as TransactionId, amountMinor: operation.refundMinor };
    const content = {
      ...{ id: crypto.randomUUID() as RefundId, organisationId: order.organisationId, orderId: order.id },
      ...{ orderVersion: order.version, currency: order.currency, operations: [operation] },
      distributionChannelId: CHANNEL as Refund['distributionChannelId'],
      parts: [{ ...part, paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA' }],
    };
    const work = { workId: crypto.randomUUID(), correlationId: 'c', clientId: 'partner' };
    return { order, refund: (await this.#refunds.create(content, work)).refund };
  }

  /** Of money that a draft has captured and cannot use; a capture holds the order's lock. */
  async compensation(): Promise<{ order: Order; refund: Refund }> {
    const { order } = await this.fixture.withSeat();
    const amountMinor = totalAmountMinor(order);
    const { organisationId, id: orderId, version: orderVersion, currency } = order;
    const note = { paymentId: 1, orderVersion, capturedMinor: amountMinor, creditedMinor: 0, openTransactions: 0 };
    await this.fixture.change(orderId, (before, now) =>
      combine(before, [
        (each) => notePayment(each, { payment: note }, now),
        (each) => lockOrder(each, { owner: ASKER }, now),
      ]),
    );
    const parts = [{ ...PAID, amountMinor, paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA' }];
    const id = crypto.randomUUID() as RefundId;
    const content = {
      ...{ id, organisationId, orderId, orderVersion, currency, parts },
      operations: operationsOfCompensation({ id, parts }),
      reason: COMPENSATION,
      compensation: { askedBy: ASKER, askedFor: PAID.transactionId, pages: [{ paymentPageId: PAGE, ...PAID }] },
      refundedVersion: orderVersion,
      distributionChannelId: CHANNEL as Refund['distributionChannelId'],
    };
    const work = { workId: crypto.randomUUID(), correlationId: 'c', clientId: 'payments' };
    return { order, refund: (await this.#refunds.create(content, work)).refund };
  }

  /** Until the refund asks for a decision, every look at the provider is played: few in `attentionAfterMs`, 300 in a day. */
  async start(refund: Refund, attentionAfterMs = DAY_MS) {
    const { id: refundId, organisationId, orderId, createdAt } = refund;
    const input: RefundInput = {
      ...{ refundId, organisationId, orderId, correlationId: 'c' },
      attentionAtMs: createdAt.getTime() + attentionAfterMs,
    };
    const options = { taskQueue: SALES_ORDERS_QUEUE, workflowId: refundWorkflowId(input), args: [input] };
    return await this.#environment.client.workflow.start(refundWorkflow.type, options);
  }

  async end(refund: Refund): Promise<RefundResult> {
    return (await (await this.start(refund)).result()) as RefundResult;
  }

  async resolve(refund: Refund, resolution: Resolution): Promise<unknown> {
    return await this.send(refund, { resolution, reason: 'BANK_TRANSFER' });
  }

  /** By the API: written down, and told to the workflow. */
  async decide({ id, orderId, organisationId }: Refund, resolution: Resolution): Promise<void> {
    const work = { correlationId: 'c', clientId: 'operator' };
    await this.#refunds.change(organisationId, id, work, (before, now) =>
      resolveRefund(before, { resolution, reason: 'BANK_TRANSFER' }, now),
    );
    const handle = this.#environment.client.workflow.getHandle(refundWorkflowId({ orderId, refundId: id }));
    await handle.signal(resolvedSignal);
  }

  /** The update, as an operator types it. */
  async send({ id: refundId, orderId }: Refund, request: object): Promise<unknown> {
    const handle = this.#environment.client.workflow.getHandle(refundWorkflowId({ orderId, refundId }));
    return await handle.executeUpdate(resolveUpdate.name, { args: [request] });
  }

  async skip(ms: number): Promise<void> {
    await this.#environment.sleep(ms);
    await this.setClock();
  }

  async read({ id, organisationId, orderId }: Refund): Promise<{ refund: Refund; order: Order }> {
    const { refund } = await this.#refunds.get(organisationId, id);
    return { refund, order: (await this.fixture.here.store.get('ANY', orderId)).order };
  }

  async listPayments() {
    return [];
  }

  async enterImported() {}

  async accountsOf() {
    return new Map();
  }

  async listProblems() {
    return [];
  }

  async listCredited() {
    return [];
  }

  /** No compensation came before. */
  async sumGivenUp() {
    return 0;
  }

  async assertOwed(): Promise<void> {
    if (this.isPaidBefore) throw new ServiceError('REFUND_AMOUNT_EXCEEDED', 'It was paid back before.');
  }

  async begin(credit: RefundCredit): Promise<CreditId> {
    this.#step('credit');
    this.credit = credit;
    return this.#afterwards('credit', CREDIT);
  }

  async outcome(): Promise<CreditState> {
    const [answer = 'UNKNOWN'] = this.answers;
    if (this.answers.length > 1) this.answers.shift();
    const total = this.#totalMinor();
    if (answer === 'CREDITED' || answer === 'CREDITED_AND_FAILED') await this.#pay(total);
    if (typeof answer === 'object') await this.#pay(answer.paidMinor);
    if (answer === 'UNKNOWN') return { status: 'CREATED', creditedMinor: this.creditedMinor };
    const isPaid = this.creditedMinor === total && answer !== 'CREDITED_AND_FAILED';
    const status = isPaid ? 'CREDITED' : 'FAILED';
    return { status, creditedMinor: this.creditedMinor };
  }

  async settle(_organisationId: unknown, _creditId: CreditId, how: 'ELSEWHERE' | 'GIVEN_UP'): Promise<CreditState> {
    this.#step(`settle ${how}`);
    if (this.decided === 'UNKNOWN') return { status: 'CREATED', creditedMinor: this.creditedMinor };
    if (how === 'ELSEWHERE' && this.decided === 'DISPUTED') throw disputed();
    if (how === 'ELSEWHERE') await this.#pay(this.#totalMinor());
    return { status: how === 'ELSEWHERE' ? 'CREDITED' : 'FAILED', creditedMinor: this.creditedMinor };
  }

  async settleOwed(): Promise<CreditState> {
    return await this.outcome();
  }

  /** The dispute comes after the operator has looked. */
  async wakeAsker({ askedBy }: Asker): Promise<void> {
    this.#step(`wake ${askedBy}`);
  }

  async assertCountable(): Promise<void> {
    if (this.decided === 'DISPUTED' && this.steps.includes('settle ELSEWHERE')) throw disputed();
  }

  async close(): Promise<void> {
    await this.#stopWorker();
    await this.#environment.teardown();
    await this.fixture.close();
  }

  #totalMinor(): number {
    return (this.credit?.parts ?? []).reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  }

  async #pay(creditedMinor: number): Promise<void> {
    if (!this.credit || creditedMinor === this.creditedMinor) return;
    this.creditedMinor = creditedMinor;
    const { order } = await this.fixture.here.store.get('ANY', this.credit.orderId);
    this.#step('paid');
    await this.#note(order, { capturedMinor: order.money.capturedMinor, creditedMinor });
  }

  async #note(order: Order, money: { readonly capturedMinor: number; readonly creditedMinor: number }): Promise<void> {
    // What the fixture has captured has no payment yet: the note makes it one without counting it again.
    const known = order.paymentRefs.some(({ paymentId }) => paymentId === 1);
    const came = known ? {} : { cameWithOrder: true as const };
    const payment = { paymentId: 1, orderVersion: order.version, openTransactions: 0, ...came };
    await this.fixture.change(order.id, (before, now) =>
      notePayment(before, { payment: { ...payment, ...money } }, now),
    );
  }

  #step(name: string): void {
    if (!this.steps.includes(name)) this.steps.push(name);
  }

  async #start(): Promise<void> {
    const writer = new OrderRefundWriter(this.fixture.here.store, this.fixture.here.connection);
    const activities = createRefundActivities({
      refunds: {
        get: this.#refunds.get.bind(this.#refunds),
        change: async (...request) => {
          const changed = await this.#refunds.change(...request);
          this.#throwNext(NOTES[changed.refund.status] ?? '');
          return changed;
        },
      },
      orders: () => ({
        lockForRefund: async (...request) => this.#afterwards('lock', await writer.lockForRefund(...request)),
        unlock: async (...request) => this.#afterwards('unlock', await writer.unlock(...request)),
        pagesOfLocked: (kind, before) => writer.pagesOfLocked(kind, before),
        pagesOfCompensated: (before) => writer.pagesOfCompensated(before),
        markCompensated: writer.markCompensated.bind(writer),
        releaseCompensated: writer.releaseCompensated.bind(writer),
        refundLines: async (...request) => this.#afterwards('refundLines', await writer.refundLines(...request)),
        holdCompensated: writer.holdCompensated.bind(writer),
        endCompensated: writer.endCompensated.bind(writer),
      }),
      tickets: () => ({
        disable: async (_lines: LinesOfOrder, { unusedOnly }: { readonly unusedOnly?: boolean }) => {
          if (unusedOnly && this.uses.length > 0) throw new ServiceError('TICKET_ALREADY_USED', 'It was used.');
          this.#step('disabled');
          this.disabled = true;
          return this.#afterwards('disable', [TICKET]);
        },
        release: async () => {},
        restore: async () => {
          this.#step('restored');
          this.disabled = false;
          this.#throwNext('restore');
        },
        listUse: async () => this.uses,
      }),
      money: () => this,
      payments: () => ({ endOpenTransactions: async () => 0 }),
      pages: () => ({ tellSettled: async (_page, { outcome }) => this.#step(`page ${outcome}`) }),
    });
    const worker = await Worker.create({
      connection: this.#environment.nativeConnection,
      taskQueue: SALES_ORDERS_QUEUE,
      dataConverter: createDataConverter(PAYLOAD_KEYS),
      workflowBundle: { code: (await useWorkflowBundle()).code },
      activities: this.#disturbed(activities),
    });
    const running = worker.run();
    this.#stopWorker = async () => {
      worker.shutdown();
      await running;
    };
    await this.reset();
  }

  #disturbed(activities: RefundActivities): RefundActivities {
    const names = Object.keys(activities) as (keyof RefundActivities)[];
    const disturbed = names.map((name) => {
      const run = async (input: never) => {
        await this.setClock();
        this.#throwNext(`${name} before`);
        const answer = await activities[name](input);
        this.#throwNext(`${name} after`);
        return answer;
      };
      return [name, run] as const;
    });
    return Object.fromEntries(disturbed) as unknown as RefundActivities;
  }

  #afterwards<Answer>(effect: Effect, answer: Answer): Answer {
    this.#throwNext(effect);
    return answer;
  }

  #throwNext(point: string): void {
    const left = this.#faults.get(point) ?? 0;
    if (left === 0) return;
    this.#faults.set(point, left - 1);
    throw new Error(`died: ${point}`);
  }
}

function disputed(): ServiceError {
  return new ServiceError('REFUND_AMOUNT_EXCEEDED', 'The money was disputed.');
}
