/**
 * Payment pages on a time-skipping server, with the real stores on a real database. The stores use that server's clock.
 * The area of payments is played; activities can fail before or after their effect.
 */
import '../../support/quiet-temporal.ts';
import proto from '@temporalio/proto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { startPaymentPage } from '../../../activities/payment-page/page-start.ts';
import { createDataConverter, TemporalClient } from '../../../platform/temporal/temporal.ts';
import {
  captureSettledSignal,
  deliverySettledSignal,
  orderChangedSignal,
  PAYMENT_PAGES_QUEUE,
  type PaymentPageInput,
  type PaymentPageResult,
  pageStateQuery,
} from '../../../workflows/payment-page/messages.ts';
import type { PaymentPage } from '../../../workflows/payment-page/rules/page.ts';
import {
  paymentPageWorkflowId,
  type SettledCapture,
  type SettledDelivery,
} from '../../../workflows/shared/payment-page-signals.ts';
import { inputOf, type PageActivities, PageFixture } from '../../activities/payment-page/page-fixture.ts';
import { useWorkflowBundle } from '../../support/bundle.ts';
import { VISA } from '../../support/sample-pages.ts';
import { openTimeSkipping } from '../../support/time-skipping.ts';
import { until } from '../../support/until.ts';
import { PAYLOAD_KEYS } from '../payload-keys.ts';

const { INDEXED_VALUE_TYPE_KEYWORD: KEYWORD, INDEXED_VALUE_TYPE_DATETIME: DATETIME } =
  proto.temporal.api.enums.v1.IndexedValueType;

export class PageWorld {
  readonly fixture: PageFixture;
  readonly temporal: TemporalClient;
  readonly calls: string[] = [];
  readonly #environment: TestWorkflowEnvironment;
  readonly #faults = new Map<string, number>();
  readonly #started: PaymentPage[] = [];
  #stopWorker: () => Promise<void> = async () => {};

  static async open(name: string): Promise<PageWorld> {
    const environment = await openTimeSkipping({
      searchAttributes: {
        OrderId: KEYWORD,
        OrganisationId: KEYWORD,
        SalesState: KEYWORD,
        ExpireAt: DATETIME,
      },
    });
    const fixture = new PageFixture(name);
    await fixture.open();
    const world = new PageWorld(environment, fixture);
    await world.#start();
    return world;
  }

  private constructor(environment: TestWorkflowEnvironment, fixture: PageFixture) {
    this.#environment = environment;
    this.fixture = fixture;
    const TEMPORAL_ADDRESS = environment.address;
    this.temporal = new TemporalClient({ TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE: 'default', PAYLOAD_KEYS });
  }

  async reset(): Promise<void> {
    this.#faults.clear();
    await this.fixture.clear();
    await Promise.all(this.#started.splice(0).map((page) => this.#endWithoutPage(page)));
    await this.setClock();
    this.calls.length = 0;
  }

  /**
   * One that is left open would wake when time is skipped. It ends by itself: this server skips no time any more once a
   * workflow was terminated during a step.
   */
  async #endWithoutPage(page: PaymentPage): Promise<void> {
    const handle = this.handle(page);
    const isOpen = await handle.signal(orderChangedSignal).then(
      () => true,
      () => false,
    );
    if (isOpen) await handle.result();
  }

  async setClock(): Promise<void> {
    this.fixture.orders.now = new Date(await this.#environment.currentTimeMs());
  }

  breakOn(name: keyof PageActivities, when: 'before' | 'after', times = 1): void {
    this.#faults.set(`${name} ${when}`, times);
  }

  /** A page for a week on an order of 20.00 without a seat, whose workflow sleeps. */
  async start(lifeMinutes?: number): Promise<PaymentPage> {
    const { order } = await this.fixture.orders.create();
    const draft = await this.fixture.change({ orderId: order.id });
    const expireAt = lifeMinutes && new Date(this.fixture.orders.now.getTime() + lifeMinutes * 60_000);
    const { page } = await this.fixture.create(draft, expireAt ? { expireAt } : {});
    this.#started.push(page);
    await startPaymentPage(this.temporal, inputOf(page));
    await until(() => this.callsOf('lookAtPage') > 0);
    return page;
  }

  callsOf(name: keyof PageActivities): number {
    return this.calls.filter((call) => call === name).length;
  }

  /** On the page's form, by its customer. */
  async request(page: PaymentPage) {
    const { attempts, amountMinor, contentMark } = await this.fixture.now(page);
    return { number: attempts + 1, amountMinor, contentMark, ...VISA, language: 'nob', correlationId: 'c' };
  }

  async settle(page: PaymentPage, settled: SettledCapture): Promise<void> {
    await this.handle(page).signal(captureSettledSignal, settled);
  }

  async deliver(page: PaymentPage, settled: SettledDelivery = { delivered: true }): Promise<void> {
    await this.handle(page).signal(deliverySettledSignal, settled);
  }

  async state(page: PaymentPage) {
    return await this.handle(page).query(pageStateQuery);
  }

  async untilStatus(page: PaymentPage, status: PaymentPage['status']): Promise<void> {
    await until(async () => (await this.fixture.now(page)).status === status);
  }

  async skip(minutes: number): Promise<void> {
    await this.#environment.sleep(minutes * 60_000);
    await this.setClock();
  }

  /** Of the run that began first: the last one otherwise. */
  handle({ id }: Pick<PaymentPage, 'id'>, runId?: string) {
    return this.#environment.client.workflow.getHandle(paymentPageWorkflowId(id), runId);
  }

  /** Skips time until it has ended. */
  async end(page: PaymentPage): Promise<PaymentPageResult> {
    return (await this.handle(page).result()) as PaymentPageResult;
  }

  async close(): Promise<void> {
    await this.temporal.close();
    await this.#stopWorker();
    await this.#environment.teardown();
    await this.fixture.close();
  }

  async #start(): Promise<void> {
    const worker = await Worker.create({
      connection: this.#environment.nativeConnection,
      taskQueue: PAYMENT_PAGES_QUEUE,
      dataConverter: createDataConverter(PAYLOAD_KEYS),
      workflowBundle: { code: (await useWorkflowBundle()).code },
      activities: this.#disturbed(this.fixture.activities),
    });
    const running = worker.run();
    this.#stopWorker = async () => {
      worker.shutdown();
      await running;
    };
    await this.reset();
  }

  #disturbed(activities: PageActivities): object {
    const names = Object.keys(activities) as (keyof PageActivities)[];
    const disturbed = names.map((name) => {
      const run = async (input: PaymentPageInput) => {
        await this.setClock();
        this.#throwNext(`${name} before`);
        const answer = await (activities[name] as (input: PaymentPageInput) => Promise<unknown>)(input);
        this.#throwNext(`${name} after`);
        this.calls.push(name);
        return answer;
      };
      return [name, run] as const;
    });
    return Object.fromEntries(disturbed);
  }

  #throwNext(point: string): void {
    const left = this.#faults.get(point) ?? 0;
    if (left === 0) return;
    this.#faults.set(point, left - 1);
    throw new Error(`died: ${point}`);
  }
}
