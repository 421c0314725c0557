/**
 * Drafts that are due on a time-skipping server, with the real store on a real database. The store uses that server's
 * clock. The area of payments is played by the world; activities can fail before or after their effect.
 */
import '../../support/quiet-temporal.ts';
import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import proto from '@temporalio/proto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { createOrderExpiryActivities } from '../../../activities/orders/order-expiry-activities.ts';
import type { OrderPayments } from '../../../activities/shared/order-payments.ts';
import { createDataConverter } from '../../../platform/temporal/temporal.ts';
import type { OrderExpiryActivities, OrderExpiryRecords } from '../../../workflows/orders/activities.ts';
import {
  type OrderExpiryInput,
  type OrderExpiryResult,
  orderExpiryWorkflow,
  orderExpiryWorkflowId,
  SALES_ORDERS_QUEUE,
} from '../../../workflows/orders/messages.ts';
import type { Order, PaymentRef } from '../../../workflows/orders/rules/order.ts';
import { notePayment } from '../../../workflows/orders/rules/payment-notes.ts';
import { OrderFixture } from '../../activities/orders/order-fixture.ts';
import { useWorkflowBundle } from '../../support/bundle.ts';
import { noTickets } from '../../support/no-tickets.ts';
import { openTimeSkipping } from '../../support/time-skipping.ts';
import { PAYLOAD_KEYS } from '../payload-keys.ts';

type Activities = OrderExpiryRecords & OrderExpiryActivities;
export type Expiry = WorkflowHandleWithFirstExecutionRunId;

const { INDEXED_VALUE_TYPE_KEYWORD: KEYWORD } = proto.temporal.api.enums.v1.IndexedValueType;

export class ExpiryWorld implements OrderPayments {
  readonly fixture: OrderFixture;
  /** How many transactions each look finds open; then none. */
  openAtEachLook: number[] = [];
  /** Called at each look, as what happens meanwhile. */
  meanwhile: (look: number) => Promise<unknown> = async () => undefined;
  looks = 0;
  credits = 0;
  readonly #environment: TestWorkflowEnvironment;
  readonly #faults = new Map<string, number>();
  #stopWorker: () => Promise<void> = async () => {};

  static async open(name: string): Promise<ExpiryWorld> {
    const environment = await openTimeSkipping({ searchAttributes: { OrderId: KEYWORD, OrganisationId: KEYWORD } });
    const fixture = new OrderFixture(name);
    await fixture.open();
    const world = new ExpiryWorld(environment, fixture);
    await world.#start();
    return world;
  }

  private constructor(environment: TestWorkflowEnvironment, fixture: OrderFixture) {
    this.#environment = environment;
    this.fixture = fixture;
  }

  async reset(): Promise<void> {
    await this.fixture.clear();
    await this.setClock();
    this.#faults.clear();
    this.openAtEachLook = [];
    this.meanwhile = async () => undefined;
    this.looks = 0;
    this.credits = 0;
  }

  /** Sets the clock of the stores to the server's time. */
  async setClock(): Promise<void> {
    this.fixture.now = new Date(await this.#environment.currentTimeMs());
  }

  breakOn(name: keyof Activities, when: 'before' | 'after', times = 1): void {
    this.#faults.set(`${name} ${when}`, times);
  }

  /** A due draft with one seat, whose payment has an open transaction. */
  async dueDraft(): Promise<Order> {
    const { order } = await this.fixture.withSeat();
    await this.note(order, { openTransactions: 1 });
    await this.#environment.sleep('21 minutes');
    await this.setClock();
    return order;
  }

  async note({ id, version }: Order, payment: Partial<PaymentRef>): Promise<Order> {
    const nothing = { paymentId: 1, orderVersion: version, capturedMinor: 0, creditedMinor: 0, openTransactions: 0 };
    const { order } = await this.fixture.change(id, (before, now) =>
      notePayment(before, { payment: { ...nothing, ...payment } }, now),
    );
    return order;
  }

  async start({ id, organisationId, version }: Order): Promise<Expiry> {
    const input: OrderExpiryInput = { orderId: id, organisationId, version };
    const options = { taskQueue: SALES_ORDERS_QUEUE, workflowId: orderExpiryWorkflowId(input), args: [input] };
    return await this.#environment.client.workflow.start(orderExpiryWorkflow.type, options);
  }

  async skip(minutes: number): Promise<void> {
    await this.#environment.sleep(minutes * 60_000);
    await this.setClock();
  }

  /** Skips time until it has ended. */
  async end(order: Order): Promise<OrderExpiryResult> {
    return (await (await this.start(order)).result()) as OrderExpiryResult;
  }

  /** The history of the first run, where others have followed it. */
  async firstRun(expiry: Expiry) {
    const { firstExecutionRunId: runId } = expiry;
    if ((await expiry.describe()).runId === runId) return undefined;
    return await this.#environment.client.workflow.getHandle(expiry.workflowId, runId).fetchHistory();
  }

  async endNeedless(): Promise<void> {}

  async endOpenTransactions(draft: { readonly orderId: Order['id'] }): Promise<number> {
    this.looks += 1;
    await this.meanwhile(this.looks);
    const open = this.openAtEachLook.shift() ?? 0;
    const { order } = await this.fixture.here.store.get('ANY', draft.orderId);
    const [ref] = order.paymentRefs;
    if (ref) await this.note(order, { ...ref, openTransactions: open });
    return open;
  }

  async creditDraft(draft: { readonly orderId: Order['id'] }): Promise<void> {
    this.credits += 1;
    const { order } = await this.fixture.here.store.get('ANY', draft.orderId);
    const [ref] = order.paymentRefs;
    if (ref) await this.note(order, { ...ref, creditedMinor: ref.capturedMinor });
  }

  async isCrediting(): Promise<boolean> {
    return false;
  }

  async creditBalance(): Promise<void> {
    throw new Error('No draft that is due has its balance credited');
  }

  async close(): Promise<void> {
    await this.#stopWorker();
    await this.#environment.teardown();
    await this.fixture.close();
  }

  async #start(): Promise<void> {
    const activities = createOrderExpiryActivities({
      orders: this.fixture.here.store,
      payments: () => this,
      tickets: noTickets,
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

  #disturbed(activities: Activities): Activities {
    const names = Object.keys(activities) as (keyof Activities)[];
    const disturbed = names.map((name) => {
      const run = async (input: OrderExpiryInput) => {
        await this.setClock();
        this.#throwNext(`${name} before`);
        const answer = await activities[name](input);
        this.#throwNext(`${name} after`);
        return answer;
      };
      return [name, run] as const;
    });
    return Object.fromEntries(disturbed) as unknown as Activities;
  }

  #throwNext(point: string): void {
    const left = this.#faults.get(point) ?? 0;
    if (left === 0) return;
    this.#faults.set(point, left - 1);
    throw new Error(`died: ${point}`);
  }
}
