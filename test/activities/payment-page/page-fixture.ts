/**
 * Payment pages on real databases, beside real orders. Payments are played: their area has tests of its own, and those of
 * the API run both.
 */
import { randomBytes } from 'node:crypto';
import { OrderMoneyWriter } from '../../../activities/orders/order-money.ts';
import { createAttemptActivities } from '../../../activities/payment-page/attempt-activities.ts';
import { createOrderFollower } from '../../../activities/payment-page/order-follower.ts';
import { createPageActivities } from '../../../activities/payment-page/page-activities.ts';
import { type CreatedPage, createPage } from '../../../activities/payment-page/page-creation.ts';
import { PAYMENT_PAGES, type PageCollection } from '../../../activities/payment-page/page-document.ts';
import type { PageDependencies } from '../../../activities/payment-page/page-steps.ts';
import { PageStore } from '../../../activities/payment-page/page-store.ts';
import { PageTokens } from '../../../activities/payment-page/page-tokens.ts';
import type { CatalogueReader } from '../../../activities/shared/catalogue.ts';
import { parseKeyRing } from '../../../platform/keys/key-ring.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import type { AttemptActivities, PaymentPageRecords } from '../../../workflows/payment-page/activities.ts';
import type { PaymentPageInput, PayRequest } from '../../../workflows/payment-page/messages.ts';
import type { PaymentPage } from '../../../workflows/payment-page/rules/page.ts';
import { OURS, sampleFee } from '../../support/sample-orders.ts';
import { PAGE_CHANNEL, VIPPS, VISA } from '../../support/sample-pages.ts';
import { OrderFixture } from '../orders/order-fixture.ts';
import { PlayedPayments } from './played-payments.ts';

type Channel = NonNullable<Awaited<ReturnType<CatalogueReader['findChannel']>>>;
export type PageActivities = PaymentPageRecords & AttemptActivities;

export const BASE = 'https://pay.example';
export const CHANNEL = {
  id: PAGE_CHANNEL,
  organisationIds: [OURS],
  paymentMethods: [
    { paymentMethodId: 1, ...VISA, name: 'Visa', active: true, provider: 'simulator' },
    { paymentMethodId: 2, ...VIPPS, name: 'Vipps', active: true, provider: 'simulator' },
    { paymentMethodId: 3, paymentTypeGroup: 'CASH', paymentType: 'CASH', name: 'Cash', active: true, provider: 'BOOK' },
    {
      paymentMethodId: 4,
      paymentTypeGroup: 'PAYMENTCARD',
      paymentType: 'AMEX',
      name: 'A',
      active: false,
      provider: 'x',
    },
  ],
  refundPaymentTypeGroups: [],
  autoDistribute: true,
  defaultLanguage: 'nob',
  currency: 'NOK',
  returnOrigins: [],
} as unknown as Channel;

let works = 0;

export function work(workId?: string) {
  works += 1;
  return { workId: workId ?? `page-work-${works}`, correlationId: `correlation-${works}` };
}

export class PageFixture {
  readonly orders: OrderFixture;
  readonly keys = parseKeyRing(`k1:${randomBytes(32).toString('base64')}`, 'PAYMENT_PAGE_KEYS');
  readonly tokens = new PageTokens(this.keys, BASE);
  payments!: PlayedPayments;
  pages!: PageStore;
  collection!: PageCollection;
  dependencies!: PageDependencies;
  activities!: PageActivities;

  /** The server is shared, so each test file uses its own `name`. */
  constructor(name: string) {
    this.orders = new OrderFixture(name);
  }

  async open(): Promise<void> {
    await this.orders.open();
    const { connection, store, access } = this.orders.here;
    await PAYMENT_PAGES.ensureIndexes(connection);
    this.collection = PAYMENT_PAGES.open(connection);
    this.pages = new PageStore({ connection, now: () => this.orders.now });
    const money = new OrderMoneyWriter(store, connection);
    this.dependencies = {
      pages: this.pages,
      orders: () => access,
      money: () => money,
      payments: () => this.payments,
    };
    this.activities = { ...createPageActivities(this.dependencies), ...createAttemptActivities(this.dependencies) };
    await this.clear();
  }

  async clear(): Promise<void> {
    await this.orders.clear();
    await this.collection.deleteMany({});
    this.payments = new PlayedPayments(() => this.dependencies.money());
  }

  async close(): Promise<void> {
    await this.orders.close();
  }

  /** A draft with one seated line of 100.00. */
  async draft(): Promise<Order> {
    return (await this.orders.withSeat()).order;
  }

  async create(order: Order, more: { readonly expireAt?: Date; readonly workId?: string } = {}): Promise<CreatedPage> {
    const { expireAt, workId } = more;
    const wanted = { order, orderVersion: order.version, channel: CHANNEL, ...(expireAt && { expireAt }) };
    return await createPage({ ...this.dependencies, tokens: this.tokens }, wanted, work(workId));
  }

  /** A page for a new draft, looked at by its workflow. */
  async openPage(more: { readonly expireAt?: Date } = {}): Promise<PaymentPage> {
    const { page } = await this.create(await this.draft(), more);
    await this.activities.lookAtPage(inputOf(page));
    return (await this.pages.get(OURS, page.id)).page;
  }

  async pay(page: PaymentPage, more: Partial<PayRequest> = {}) {
    const { attempts, amountMinor, contentMark } = await this.now(page);
    const request = {
      number: attempts + 1,
      amountMinor,
      contentMark,
      ...VISA,
      language: 'nob',
      correlationId: 'c',
      ...more,
    };
    return await this.activities.beginAttempt({ ...inputOf(page), ...request });
  }

  async now({ id }: Pick<PaymentPage, 'id'>): Promise<PaymentPage> {
    return (await this.pages.get('ANY', id)).page;
  }

  async orderOf({ orderId }: PaymentPage): Promise<Order> {
    return await this.orders.here.access.get('ANY', orderId);
  }

  /** Another fee on the order of the page, by its owner. */
  async change({ orderId }: Pick<PaymentPage, 'orderId'>, amountMinor = 2_000): Promise<Order> {
    const fee = sampleFee('MANUAL', amountMinor);
    return (await this.orders.change(orderId, (before, now) => addFee(before, { fee }, now))).order;
  }

  /** The events of the order reach its page. */
  async follow({ orderId }: Pick<PaymentPage, 'orderId'>): Promise<void> {
    const events = await this.orders.events(orderId);
    await createOrderFollower(this.dependencies)(events);
  }
}

export function inputOf({ organisationId, orderId, id: pageId }: PaymentPage): PaymentPageInput {
  return { organisationId, orderId, pageId };
}
