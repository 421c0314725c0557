/**
 * Receipts of orders that were paid and confirmed, on real databases: orders, payments, customers, the catalogue. Two processes,
 * with a clock that tests set.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { CatalogueStore } from '../../../activities/catalogue/catalogue-store.ts';
import { ExistingCustomers } from '../../../activities/customers/existing-customers.ts';
import { PROFILES } from '../../../activities/customers/profile-document.ts';
import { ProfileStore } from '../../../activities/customers/profile-store.ts';
import { SearchKeys } from '../../../activities/customers/search-keys.ts';
import { OrderMoneyWriter } from '../../../activities/orders/order-money.ts';
import { StoredSoldOrders } from '../../../activities/orders/sold-orders.ts';
import { CREDITS_COLLECTION } from '../../../activities/payments/credit-document.ts';
import { CreditStore } from '../../../activities/payments/credit-store.ts';
import { OrderNotes } from '../../../activities/payments/order-notes.ts';
import { PAYMENTS_COLLECTION } from '../../../activities/payments/payment-document.ts';
import { PaymentStore } from '../../../activities/payments/payment-store.ts';
import type { StoredPayment } from '../../../activities/payments/payment-types.ts';
import { PaidVersions } from '../../../activities/payments/version-money.ts';
import { RECEIPT_DOCUMENTS } from '../../../activities/receipts/receipt-document.ts';
import { ReceiptIssuing, type WantedVersion } from '../../../activities/receipts/receipt-issuing.ts';
import type { StoredReceipt } from '../../../activities/receipts/receipt-members.ts';
import { ReceiptStore } from '../../../activities/receipts/receipt-store.ts';
import { balanceMinor } from '../../../workflows/orders/rules/amounts.ts';
import { addLines } from '../../../workflows/orders/rules/lines.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { beginCapture, noteCaptured } from '../../../workflows/payments/rules/capture.ts';
import { createPayment } from '../../../workflows/payments/rules/creation.ts';
import { noteCredited, reserveCredit } from '../../../workflows/payments/rules/credits.ts';
import type { Payment } from '../../../workflows/payments/rules/payment.ts';
import type { PaymentChange } from '../../../workflows/payments/rules/payment-change.ts';
import { noteOf } from '../../../workflows/payments/rules/summary.ts';
import { noteAuthorised, noteTerminal, prepareTerminal } from '../../../workflows/payments/rules/terminal.ts';
import type { CustomerNumber, OrderId, TransactionId } from '../../../workflows/shared/ids.ts';
import { OURS, sampleLine, sampleTraveller } from '../../support/sample-orders.ts';
import { SEALED_ADDRESS } from '../../support/sample-payments.ts';
import { catalogue, channel, ONE, TWO } from '../catalogue/support.ts';
import { OrderFixture, request } from '../orders/order-fixture.ts';

export const SELLER = {
  legalName: 'Fjordbuss AS',
  vatNumber: '915 123 456 MVA',
  address: ['Strandgata 7', '5013 Bergen'],
  contact: 'kundeservice@fjordbuss.example',
};
/** That of sample orders. */
const CHANNEL = channel({ id: 'SVC:DistributionChannel:Web', defaultLanguage: 'nno' });

export interface Receipts {
  readonly connection: Connection;
  readonly receipts: ReceiptStore;
  readonly issuing: ReceiptIssuing;
}

export class ReceiptFixture {
  readonly orders: OrderFixture;
  here!: Receipts;
  there!: Receipts;
  payments!: PaymentStore;
  credits!: CreditStore;
  customers!: ExistingCustomers;
  profiles!: ProfileStore;
  catalogue!: CatalogueStore;
  sold!: StoredSoldOrders;
  notes!: OrderNotes;
  #money!: OrderMoneyWriter;

  /** The server is shared, so each test file uses its own `name`. */
  constructor(name: string) {
    this.orders = new OrderFixture(name);
  }

  get now(): Date {
    return this.orders.now;
  }

  set now(now: Date) {
    this.orders.now = now;
  }

  async open(): Promise<void> {
    await this.orders.open();
    const { connection, keys, store, options } = this.orders.here;
    const now = () => this.orders.now;
    this.payments = new PaymentStore({ connection, environment: 'dev', now });
    this.credits = new CreditStore({ connection, now });
    this.customers = new ExistingCustomers(connection, now, async () => keys);
    const searchKeys = new SearchKeys(randomBytes(32));
    this.profiles = new ProfileStore({ connection, keys, searchKeys, environment: 'dev', now });
    this.catalogue = new CatalogueStore(connection, now);
    this.sold = new StoredSoldOrders(connection);
    this.#money = new OrderMoneyWriter(store, connection);
    this.notes = new OrderNotes({ connection, orders: () => this.#money, log: options.log, now });
    const definitions = [PAYMENTS_COLLECTION, CREDITS_COLLECTION, RECEIPT_DOCUMENTS, PROFILES];
    await Promise.all(definitions.map((each) => each.ensureIndexes(connection)));
    this.here = this.#receiptsOf(connection);
    this.there = this.#receiptsOf(this.orders.there.connection);
  }

  async clear(): Promise<void> {
    await this.orders.clear();
    const { connection } = this.orders.here;
    for (const { collection } of [PAYMENTS_COLLECTION, CREDITS_COLLECTION, RECEIPT_DOCUMENTS, PROFILES]) {
      await connection.collection(collection).deleteMany({});
    }
    const organisations = [
      { id: ONE, name: 'Fjordbuss', seller: SELLER },
      { id: TWO, name: 'Two' },
    ];
    await this.catalogue.replace(catalogue({ organisations, distributionChannels: [CHANNEL] }));
  }

  async close(): Promise<void> {
    await this.orders.close();
  }

  /** A confirmed order with one line, paid by card. */
  async soldOrder(amountMinor = 10_000, more: { readonly contact?: CustomerNumber } = {}): Promise<Order> {
    const traveller = sampleTraveller();
    const { order } = await this.orders.create({ travellers: [traveller], ...more });
    const lines = [sampleLine({ amountMinor, traveller })];
    await this.orders.change(order.id, (before, now) => addLines(before, { lines }, now));
    return await this.sell(order.id);
  }

  /** Pays or credits what the draft owes, and confirms it. */
  async sell(orderId: OrderId): Promise<Order> {
    const { order } = await this.orders.here.store.get('ANY', orderId);
    const balance = balanceMinor(order);
    if (balance > 0) await this.capture(order, balance);
    if (balance < 0) await this.credit(order, -balance);
    return (await this.orders.confirm(orderId)).order;
  }

  async capture(order: Order, amountMinor: number): Promise<StoredPayment> {
    const { id: orderId, version: orderVersion, distributionChannelId, currency } = order;
    const created = await this.payments.create(OURS, request(), ({ paymentId: id, transactionId }, now) => {
      const method = { paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA', provider: 'SIMULATOR' };
      const transaction = { id: transactionId, amountMinor, currency, ...method, capturesItself: false };
      const place = { id, organisationId: OURS, distributionChannelId, orderId, orderVersion };
      return createPayment({ ...place, totalMinor: amountMinor, currency, transaction }, now);
    });
    const transactionId = created.payment.transactions[0]?.id as TransactionId;
    return await this.#step(created.payment, (payment, now) => captured(payment, transactionId, now));
  }

  /** In the version of the order, out of the payment that has captured enough. */
  async credit(order: Order, amountMinor: number, reason: 'BALANCE' | 'COMPENSATION' = 'BALANCE'): Promise<void> {
    const { id: orderId, version: orderVersion, distributionChannelId, currency } = order;
    const all = await this.payments.listOfOrder(OURS, orderId);
    const paid = all.find(({ payment }) => payment.totalMinor >= amountMinor);
    const transaction = paid?.payment.transactions[0];
    if (!paid || !transaction) throw new Error('No payment has captured as much');
    const { paymentTypeGroup, paymentType, id: transactionId } = transaction;
    const part = { paymentId: paid.payment.id, transactionId, amountMinor, paymentTypeGroup, paymentType };
    const { credit } = await this.credits.create(OURS, request(), (id) => ({
      ...{ id, organisationId: OURS, distributionChannelId, orderId, orderVersion, currency, reason, parts: [part] },
    }));
    const creditId = credit.id;
    const parts = [{ transactionId, amountMinor }];
    await this.#step(paid.payment, (payment, now) => reserveCredit(payment, { creditId, parts }, now));
    await this.#step(paid.payment, (payment, now) => noteCredited(payment, { creditId, transactionId }, now));
    await this.credits.notePart(OURS, creditId, { transactionId, status: 'CREDITED' });
  }

  async issue(order: Pick<Order, 'id' | 'version'>, by = this.here): Promise<StoredReceipt> {
    const issued = await by.issuing.issue(versionOf(order), { correlationId: randomUUID() });
    if (!issued) throw new Error('The version has no receipt');
    return issued;
  }

  async moneyOf(order: Order, version: number) {
    return (await new PaidVersions({ payments: this.payments, credits: this.credits }).find(order, version)).captured;
  }

  async #step(
    { id }: Pick<Payment, 'id'>,
    step: (payment: Payment, now: Date) => PaymentChange,
  ): Promise<StoredPayment> {
    const { workId: _workId, ...work } = request();
    const stored = await this.payments.change(OURS, id, work, step);
    const note = { ...noteOf(stored.payment), revision: stored.revision };
    await this.#money.notePayment(OURS, stored.payment.orderId, note, work);
    return stored;
  }

  #receiptsOf(connection: Connection): Receipts {
    const receipts = new ReceiptStore({ connection, now: () => this.orders.now });
    const money = new PaidVersions({ payments: this.payments, credits: this.credits });
    const issuing = new ReceiptIssuing({
      ...{ receipts, sold: () => this.sold, money: () => money },
      ...{ catalogue: () => this.catalogue, customers: () => this.customers },
    });
    return { connection, receipts, issuing };
  }
}

export function versionOf({ id, version }: Pick<Order, 'id' | 'version'>): WantedVersion {
  return { tenancy: OURS, orderId: id, orderVersion: version };
}

/** By a card, as the customer does. */
function captured(payment: Payment, transactionId: TransactionId, now: Date): PaymentChange {
  const sessionId = `session-${transactionId}`;
  const terminal = { sessionId, terminalUri: 'https://psp.example/t', key: `auth-${transactionId}-1` };
  const authorised = { sessionId, authorisationId: `auth-${transactionId}`, last4: '1111', challengeDone: false };
  const steps: readonly ((before: Payment) => PaymentChange)[] = [
    (each) => prepareTerminal(each, { transactionId, kind: 'TERMINAL', redirectUrl: SEALED_ADDRESS }, now),
    (each) => noteTerminal(each, { transactionId, ...terminal }, now),
    (each) => noteAuthorised(each, { transactionId, ...authorised }, now),
    (each) => beginCapture(each, { transactionId }, now),
    (each) => noteCaptured(each, { transactionId, key: `cap-${transactionId}-1`, rrn: '123456789012' }, now),
  ];
  return steps.reduce<PaymentChange>(
    ({ payment: before, events }, step) => {
      const next = step(before);
      return { payment: next.payment, events: [...events, ...next.events] };
    },
    { payment, events: [] },
  );
}
