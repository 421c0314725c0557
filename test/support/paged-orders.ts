/**
 * A whole service that sells trains and takes payments on pages, for tests that pay as a customer does. The payment
 * provider is the simulator, whose books tell which money has really moved.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listenInBox } from '../../dev/mail/in-box.ts';
import { MailBox } from '../../dev/mail/mail-box.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { type Answer, send } from '../api/support/call.ts';
import { temporaryDirectory } from './folders.ts';
import { Service, type ServiceOptions } from './service.ts';
import { CHANNEL, legOf, publishTrains, trainsCatalogueFile } from './sold-trains.ts';
import { until } from './until.ts';

export const PAGE_CHANNEL = 'SVC:DistributionChannel:PaymentPage';
/** Takes cards and cash, and refunds cards alone. */
export const COUNTER_CHANNEL = 'SVC:DistributionChannel:Counter';
/** Refunds no group. */
export const FINAL_CHANNEL = 'SVC:DistributionChannel:Final';
/** Refunds a group that no order is paid by. */
export const MOBILE_CHANNEL = 'SVC:DistributionChannel:Mobile';
const HEADERS = { 'service-distribution-channel': CHANNEL };
const SCOPES = [
  ...['offers:search', 'orders:read', 'orders:write', 'orders:price', 'payments:read', 'payment-page:read'],
  ...['payments:write', 'payment-page:write', 'profiles:write', 'refunds:read', 'refunds:write', 'tickets:read'],
  ...['tickets:validate', 'receipts:read'],
];
export const PAYING_PROCESSES = [
  ...(['paymentPage', 'paymentPagesWorker', 'salesPaymentsWorker', 'salesOrdersWorker', 'eventsWorker'] as const),
  ...(['salesDocumentsWorker', 'providerSimulator'] as const),
] as const;

export interface PagedOrder {
  readonly orderId: string;
  readonly pageId: string;
  readonly url: string;
  /** `"300.00"` */
  readonly amount: string;
}

export interface ReceivedMail {
  /** Begins with the milliseconds at which the mail came. */
  readonly id: string;
  readonly subject: string;
  readonly attachments: readonly { readonly filename: string; readonly contentType: string }[];
}

export interface Movement {
  readonly amountMinor: number;
}

/** How an order is sold: its lines are the travellers, each with all legs. */
export interface Sale {
  /** As of `preassignedProducts`. */
  readonly product?: string;
  readonly travellers?: number;
  /** Of two trains, in place of one. */
  readonly changes?: boolean;
  readonly cardNumber?: string;
  /** In place of one payment: as many lines of the product, each paid in its turn. The first by card. */
  readonly parts?: readonly PaidPart[];
  /** By default that of payment pages. */
  readonly channel?: string;
}

type Journey = Pick<Sale, 'product' | 'travellers' | 'changes'>;

/** How a payment is paid. */
export interface PaidPart {
  readonly cardNumber?: string;
  /** Only entered in the books. */
  readonly isCash?: true;
}

export interface SoldOrder {
  readonly orderId: string;
  readonly amount: string;
  /** Of its contact. */
  readonly email: string;
}

/** Its customer has paid at the terminal; nothing is captured yet. */
export interface AuthorisedOrder extends SoldOrder {
  /** Of its transaction. */
  readonly path: string;
}

const CARD = '4111111111111111';
const CARD_METHOD = { paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA' };
/** Benchmarks read many at once. */
const MAILS_KEPT = 1_000;

const PAID = { 'service-distribution-channel': PAGE_CHANNEL };

type Catalogue = Readonly<Record<string, readonly Record<string, unknown>[]>>;
type InBox = Awaited<ReturnType<typeof listenInBox>>;

export class PagedOrders {
  readonly service: Service;
  readonly #token: string;
  readonly #inBox: InBox;
  #next = 0;

  static async start(options: ServiceOptions = {}): Promise<PagedOrders> {
    const inBox = await listenInBox(await MailBox.open(temporaryDirectory('in-box'), MAILS_KEPT), { smtp: 0, http: 0 });
    const own = { CATALOGUE_FILE: payingCatalogueFile(), MAIL_SERVER: `smtp://127.0.0.1:${inBox.smtpPort}` };
    const env = { ...own, ...options.env };
    const service = await Service.start({ timetable: false, processes: PAYING_PROCESSES, ...options, env });
    try {
      await publishTrains(service);
      return new PagedOrders(service, await service.token(SCOPES), inBox);
    } catch (error) {
      await service.stop();
      throw error;
    }
  }

  private constructor(service: Service, token: string, inBox: InBox) {
    this.service = service;
    this.#token = token;
    this.#inBox = inBox;
  }

  async call(path: string, options: Parameters<typeof send>[1] = {}): Promise<Answer> {
    const headers = { ...HEADERS, ...options?.headers };
    return await send(`${this.service.apiUrl}${path}`, { token: this.#token, ...options, headers });
  }

  /** Reserves a seat on a train, and makes a page for the order. */
  async create(page: object = {}): Promise<PagedOrder> {
    const { orderId, version } = await this.#reserve();
    const body = { orderId, orderVersion: version, ...page };
    const headers = { 'service-distribution-channel': PAGE_CHANNEL };
    const made = await this.call('/v1/payment-page-orchestrator/payment-page', { body, headers });
    assert.equal(made.status, 201, made.text);
    return { orderId, pageId: made.json.id, url: made.json.url, amount: made.json.amount };
  }

  /** Reserves, and pays by the provider's terminal: the order is confirmed. */
  async sell({ parts = [], ...sale }: Sale = {}): Promise<SoldOrder> {
    const [{ cardNumber = sale.cardNumber } = {}, ...others] = parts;
    const { orderId, amount, email, path } = await this.authorise({ ...sale, ...(cardNumber && { cardNumber }) });
    await this.capture({ path });
    for (const part of others) {
      await this.#reserve(sale, sale.channel ?? PAGE_CHANNEL, orderId);
      await this.pay(orderId, part, sale.channel);
    }
    return { orderId, amount, email };
  }

  /** The balance of the order, which is confirmed then. */
  async pay(orderId: string, { cardNumber, isCash }: PaidPart = {}, channel?: string): Promise<void> {
    const method = isCash ? { paymentTypeGroup: 'CASH', paymentType: 'CASH' } : CARD_METHOD;
    const { path } = await this.createPayment({ orderId }, method, channel);
    if (!isCash) await this.payAtTerminal({ path }, cardNumber);
    await this.capture({ path });
  }

  async authorise({ cardNumber, ...sale }: Sale = {}): Promise<AuthorisedOrder> {
    const { orderId, email } = await this.reserve(sale);
    const { path, amount } = await this.createPayment({ orderId }, CARD_METHOD, sale.channel);
    await this.payAtTerminal({ path }, cardNumber);
    return { orderId, amount, email, path };
  }

  /** A draft with its contact. */
  async reserve(sale: Omit<Sale, 'cardNumber'> = {}): Promise<Omit<SoldOrder, 'amount'>> {
    const { orderId } = await this.#reserve(sale, sale.channel ?? PAGE_CHANNEL);
    return { orderId, email: await this.addContact({ orderId }) };
  }

  /** Of all that the order owes. */
  async createPayment(
    { orderId }: Pick<SoldOrder, 'orderId'>,
    method = CARD_METHOD,
    channel = PAGE_CHANNEL,
  ): Promise<Pick<AuthorisedOrder, 'path' | 'amount'>> {
    const { version, balance: amount } = await this.order(orderId);
    const body = { orderId, orderVersion: version, totalAmount: amount, transaction: { amount, ...method } };
    const headers = { 'service-distribution-channel': channel };
    const made = await this.call('/v1/payments', { body, headers });
    assert.equal(made.status, 201, made.text);
    const { paymentId, transactionHistory } = made.json;
    return { path: `/v1/payments/${paymentId}/transactions/${transactionHistory[0].transactionId}`, amount };
  }

  async payAtTerminal({ path }: Pick<AuthorisedOrder, 'path'>, cardNumber = CARD): Promise<void> {
    const body = { redirectUrl: 'http://127.0.0.1:9/shop' };
    const terminal = await this.call(`${path}/terminal`, { body, headers: PAID });
    assert.equal(terminal.status, 200, terminal.text);
    const form = new URLSearchParams({ cardNumber, pay: '1' });
    await fetch(terminal.json.terminalUri, { method: 'POST', body: form, redirect: 'manual' });
  }

  async capture({ path }: Pick<AuthorisedOrder, 'path'>): Promise<void> {
    const captured = await this.call(`${path}/capture`, { method: 'PUT', headers: PAID });
    assert.equal(captured.status, 200, captured.text);
  }

  /** A customer with an e-mail address becomes the order's contact. */
  async addContact({ orderId }: Pick<PagedOrder, 'orderId'>): Promise<string> {
    const email = `${randomUUID()}@example.no`;
    const person = { firstName: 'Kari', surname: 'Nordmann', email, organisationId: 1 };
    const body = { ...person, createdBy: 'test', createdByChannel: CHANNEL };
    const { json } = await this.call('/customers/v2/profiles', { body });
    const contact = { contact: { id: json.customerNumber } };
    const answer = await this.call(`/v1/orders/${orderId}/contact-info`, { method: 'PUT', body: contact });
    assert.equal(answer.status, 200, answer.text);
    return email;
  }

  async mailsTo(email: string): Promise<readonly ReceivedMail[]> {
    const answer = await fetch(`${this.#inBox.url}/messages?to=${email}`);
    return (await answer.json()) as readonly ReceivedMail[];
  }

  async #reserve(
    { product = 'FLEX', travellers: count = 1, changes = false }: Journey = {},
    channel = CHANNEL,
    into?: string,
  ): Promise<{
    readonly orderId: string;
    readonly version: number;
  }> {
    const headers = { 'service-distribution-channel': channel };
    const offerId = await this.#findOffer({ product, travellers: count, changes }, channel);
    const body = { offerConfigurations: [{ offerId }], ...(into !== undefined && { orderId: into }) };
    const reserved = await this.call('/v1/reserve-offers', { body, headers });
    assert.equal(reserved.status, 200, reserved.text);
    const { orderId } = reserved.json;
    return { orderId, version: (await this.order(orderId)).version };
  }

  /** On the next train. */
  async #findOffer({ product, travellers: count, changes }: Required<Journey>, channel: string): Promise<string> {
    const train = this.#next++ % 5;
    const legs = changes
      ? [legOf({ from: 0, to: 1, train }), legOf({ from: 1, to: 2, train: train + 1 })]
      : [legOf({ from: 0, to: 2, train })];
    const travellers = Array.from({ length: count }, (_, at) => ({ id: `t${at}`, userType: 'ADULT' }));
    const search = { travellers, tripPattern: { legs } };
    const headers = { 'service-distribution-channel': channel };
    const found = await this.call('/offers/v2/search/trip-pattern', { body: search, headers });
    assert.equal(found.status, 200, found.text);
    const offers: readonly { id: string; preassignedProducts: readonly { id: string }[] }[] = found.json.offers;
    const offer = offers.find(({ preassignedProducts }) => preassignedProducts[0]?.id === product) ?? assert.fail();
    return offer.id;
  }

  /** Changes the only line of the order to this product, on another train. Answers the order: a draft. */
  async change(orderId: string, product: string, refundPriceDifference = false) {
    const [line] = (await this.order(orderId)).orderLines;
    const offerId = await this.#findOffer({ product, travellers: 1, changes: false }, PAGE_CHANNEL);
    const changeOfferConfigurations = [{ offerId, selectedOrderLineIds: [line.id] }];
    const headers = { 'service-distribution-channel': PAGE_CHANNEL };
    const body = { orderId, changeOfferConfigurations, refundPriceDifference };
    const answer = await this.call('/v1/update-order', { body, headers });
    assert.equal(answer.status, 200, answer.text);
    return await this.order(orderId);
  }

  async order(orderId: string) {
    const answer = await this.call(`/v1/orders/${orderId}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  }

  async page(pageId: string) {
    return (await this.call(`/v1/payment-page-orchestrator/payment-page/${pageId}`)).json;
  }

  /** An operator decides on the only refund of the order, which nobody has asked for. */
  async resolveCompensation(
    { orderId }: Pick<PagedOrder, 'orderId'>,
    resolution: 'CREDITED_ELSEWHERE' | 'GIVEN_UP',
  ): Promise<void> {
    const path = `/v1/refunds/${orderId}`;
    const { json } = await this.call(path);
    const [{ refundId, status, reason }] = json.items;
    assert.deepEqual([json.totalItems, status, reason], [1, 'NEEDS_ATTENTION', 'COMPENSATION']);
    const order = await this.order(orderId);
    assert.deepEqual(
      [order.compensationRefundId, order.lockingRefund],
      [refundId, { refundId, status: 'NEEDS_ATTENTION' }],
    );
    const found = await this.call(`/v1/orders?id=${orderId}`);
    assert.deepEqual(found.json.items[0].lockingRefund, order.lockingRefund);
    const body = { resolution, reason: 'BANK_TRANSFER' };
    const resolved = await this.call(`${path}/${refundId}/resolve`, { body });
    assert.equal(resolved.status, 200, resolved.text);
  }

  async addFee({ orderId }: PagedOrder, amount: string): Promise<void> {
    const body = { type: 'BOOKING', price: { amount }, reason: 'By phone' };
    const answer = await this.call(`/v1/orders/${orderId}/fees`, { body });
    assert.equal(answer.status, 201, answer.text);
  }

  /** What the provider has really taken and paid back for the order, in minor units. */
  async moved({
    orderId,
  }: Pick<PagedOrder, 'orderId'>): Promise<{ readonly captures: number[]; readonly refunds: number[] }> {
    const payments = await this.call(`/v1/payments?orderId=${orderId}`);
    assert.equal(payments.status, 200, payments.text);
    const ids = payments.json.items.map(({ paymentId }: { paymentId: number }) => paymentId) as readonly number[];
    const ledger = (await (await fetch(`${this.service.url('providerSimulator')}/ledger`)).json()) as {
      readonly entries: readonly { reference: string; captures: readonly Movement[]; refunds: readonly Movement[] }[];
    };
    const own = ledger.entries.filter(({ reference }) => ids.includes(Number(reference.split('/')[0])));
    const largestFirst = (moved: readonly Movement[]) =>
      moved.map(({ amountMinor }) => amountMinor).toSorted((one, other) => other - one);
    return {
      captures: largestFirst(own.flatMap(({ captures }) => captures)),
      refunds: largestFirst(own.flatMap(({ refunds }) => refunds)),
    };
  }

  /** The provider's next call takes so long. */
  async slowNext(call: 'capture' | 'refund', delayMs: number): Promise<void> {
    const fault = { call, mode: 'SLOW', count: 1, delayMs };
    const answer = await send(`${this.service.url('providerSimulator')}/faults`, { body: fault });
    assert.ok(answer.status < 300, answer.text);
  }

  /** Takes the seats out of the order's document while a capture has locked it: then nothing may confirm it. */
  async loseSeatsWhileCapturing(order: PagedOrder): Promise<void> {
    await this.#changeStored(order, true, { $set: { reservations: [], 'orderLines.0.reservationIds': [] } });
  }

  /** Without an event: the page does not hear of it. */
  async addFeeUnheard(order: PagedOrder, amountMinor: number): Promise<void> {
    await this.#changeStored(order, false, { $push: { fees: storedFee(amountMinor) } });
  }

  /** As if the lock of the capture had been lost. */
  async addFeeWhileCapturing(order: PagedOrder, amountMinor: number): Promise<void> {
    await this.#changeStored(order, true, { $push: { fees: storedFee(amountMinor) } });
  }

  /** Waits until the order is locked, or is not. */
  async #changeStored({ orderId }: PagedOrder, isLocked: boolean, change: object): Promise<void> {
    const connection = await connectMongo(this.service.mongoUri);
    try {
      const orders = connection.collection('orders');
      const which = { _id: orderId as never, lock: { $exists: isLocked } };
      const isChanged = async () => (await orders.updateOne(which, change)).matchedCount === 1;
      await until(isChanged, { what: isLocked ? 'the lock of the capture' : 'the unlocked order' });
    } finally {
      await connection.close();
    }
  }

  async stop(): Promise<void> {
    await this.service.stop();
    this.#inBox.close();
  }
}

function storedFee(amountMinor: number) {
  const price = { amountMinor, taxMinor: 0, taxBasisPoints: 0 };
  return { id: randomUUID(), type: 'BOOKING', price, orderLineIds: [], orderVersion: 1 };
}

/** The catalogue of the trains, with the channel of payment pages. */
export function payingCatalogueFile(): string {
  const catalogue = JSON.parse(readFileSync(trainsCatalogueFile(), 'utf8'));
  const [sold] = catalogue.distributionChannels;
  const method = (paymentMethodId: number, paymentTypeGroup: string, paymentType: string, name: string) => ({
    ...{ paymentMethodId, paymentTypeGroup, paymentType, name, active: true, provider: 'SIMULATOR' },
  });
  const paymentMethods = [
    method(1, 'PAYMENTCARD', 'VISA', 'Visa'),
    method(2, 'PAYMENTCARD', 'MASTERCARD', 'Mastercard'),
    method(3, 'MOBILE', 'VIPPS', 'Vipps'),
  ];
  const pages = {
    ...sold,
    id: PAGE_CHANNEL,
    paymentMethods,
    refundPaymentTypeGroups: ['PAYMENTCARD', 'MOBILE'],
    autoDistribute: true,
  };
  const path = join(temporaryDirectory('paying'), 'catalogue.json');
  const cash = { ...method(4, 'CASH', 'CASH', 'Cash'), provider: 'BOOK' };
  const distributionChannels = [
    ...catalogue.distributionChannels,
    pages,
    {
      ...{ ...pages, id: COUNTER_CHANNEL, paymentMethods: [...paymentMethods, cash] },
      refundPaymentTypeGroups: ['PAYMENTCARD'],
    },
    { ...pages, id: FINAL_CHANNEL, refundPaymentTypeGroups: [] },
    { ...pages, id: MOBILE_CHANNEL, refundPaymentTypeGroups: ['MOBILE'] },
  ];
  writeFileSync(path, JSON.stringify({ ...catalogue, distributionChannels, ...withSaver(catalogue) }));
  return path;
}

/**
 * A product like FLEX, which gives back 80 percent less 10.00; and one like FIXED, which costs half of it. DAY and DAY_PLUS are valid for a
 * day from any start: until a day before it they are changed without a fee and all is given back, later for 25.00 and half of it.
 */
function withSaver({ refundRuleSets, changeRuleSets, fareProducts, prices }: Catalogue) {
  const rule = { id: 'SOME-1', untilBefore: 'PT0S', refundPercent: 80, feeAmount: '10.00', unusedOnly: false };
  const saver = fareProducts?.find(({ id }) => id === 'FLEX') ?? assert.fail();
  const price = prices?.find(({ productId }) => productId === 'FLEX') ?? assert.fail();
  const [early, late] = [{ untilBefore: 'P1D' }, { fromBefore: 'P1D', untilBefore: 'PT0S' }];
  const refund = { feeAmount: '0.00', unusedOnly: true };
  const refundsByDay = [
    { id: 'BY_DAY-1', ...early, refundPercent: 100, ...refund },
    { id: 'BY_DAY-2', ...late, refundPercent: 50, ...refund },
  ];
  const changesByDay = [
    { id: 'BY_DAY-1', ...early, feeAmount: '0.00' },
    { id: 'BY_DAY-2', ...late, feeAmount: '25.00' },
  ];
  const byDay = { refundRuleSetId: 'BY_DAY', changeRuleSetId: 'BY_DAY', optionalSupplements: ['MEAL'] };
  const day = { ...saver, ...byDay, area: { kind: 'ZONES' }, validityDuration: 'P1D' };
  return {
    refundRuleSets: [
      ...(refundRuleSets ?? []),
      { id: 'SOME', currency: 'NOK', rules: [rule] },
      { id: 'BY_DAY', currency: 'NOK', rules: refundsByDay },
    ],
    changeRuleSets: [...(changeRuleSets ?? []), { id: 'BY_DAY', currency: 'NOK', rules: changesByDay }],
    fareProducts: [
      ...(fareProducts ?? []),
      { ...saver, id: 'SAVER', refundRuleSetId: 'SOME' },
      { ...saver, id: 'BASIC', refundRuleSetId: 'NEVER', changeRuleSetId: 'FREE' },
      { ...day, id: 'DAY' },
      { ...day, id: 'DAY_PLUS' },
    ],
    prices: [
      ...(prices ?? []),
      { ...price, productId: 'SAVER' },
      { ...price, productId: 'BASIC', basis: { kind: 'FLAT', amount: '100.00' } },
      { ...price, productId: 'DAY', basis: { kind: 'FLAT', amount: '100.00' } },
      { ...price, productId: 'DAY_PLUS', basis: { kind: 'FLAT', amount: '150.00' } },
    ],
  };
}
