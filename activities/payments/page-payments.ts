/**
 * What payment pages ask of payments: attempts of their customers. The payment of an attempt derives from the page and the
 * number of the attempt, so a repeat finds the same one. Provided by the manifest, where pages are served and worked on.
 */
import type { Transaction } from '../../workflows/payments/rules/payment.ts';
import { lacksTerminal, liveTerminal, prepareTerminal } from '../../workflows/payments/rules/terminal.ts';
import { isOpen, isTaken, transactionOf } from '../../workflows/payments/rules/transactions.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { CatalogueReader } from '../shared/catalogue.ts';
import type { CustomerReader } from '../shared/customers.ts';
import type { OrderAccess } from '../shared/orders.ts';
import type { AttemptPlace, AttemptState, PageAttempt, PagePayments } from '../shared/payments.ts';
import type { CaptureCalls, CaptureWork, TransactionPlace } from './capture-calls.ts';
import { createPaymentFor, type UsesProvider } from './creating.ts';
import type { OrderNotes } from './order-notes.ts';
import type { PaymentStore } from './payment-store.ts';
import type { StoredPayment } from './payment-types.ts';

const CLIENT = 'payment-page';

export interface PagePaymentsOptions {
  readonly payments: Pick<PaymentStore, 'create' | 'change' | 'get' | 'findCreated'>;
  readonly notes: Pick<OrderNotes, 'tell' | 'tryToTell'>;
  readonly orders: () => Pick<OrderAccess, 'get'>;
  readonly catalogue: () => Pick<CatalogueReader, 'findChannel'>;
  readonly customers: () => CustomerReader;
  readonly calls: CaptureCalls;
  readonly usesProvider: UsesProvider;
  /** The workflow of the transaction asks the provider now. */
  readonly look: (place: TransactionPlace, work: CaptureWork) => Promise<unknown>;
}

export class PaymentsOfPages implements PagePayments {
  readonly #options: PagePaymentsOptions;

  constructor(options: PagePaymentsOptions) {
    this.#options = options;
  }

  usesProvider(provider: string): boolean {
    return this.#options.usesProvider(provider);
  }

  async beginAttempt(attempt: PageAttempt): Promise<AttemptPlace> {
    const { organisationId, orderId, pageId, correlationId } = attempt;
    const work = workOf(attempt);
    const created = (await this.#options.payments.findCreated(organisationId, work)) ?? (await this.#create(attempt));
    if (created.isUntold) await this.#options.notes.tell(created, work);
    const { payment } = created;
    const [transaction] = payment.transactions;
    if (!transaction) throw new Error(`The payment ${payment.id} of a page has no transaction`);
    const place = { organisationId, orderId, paymentId: payment.id, transactionId: transaction.id };
    if (isOpen(transaction) && !transaction.session) await this.#prepare(place, attempt);
    if (isOpen(transaction)) {
      await this.#options.calls.openTerminal({ ...place, paymentPageId: pageId }, { ...work, correlationId });
    }
    return place;
  }

  async getAttempt(place: AttemptPlace): Promise<AttemptState> {
    return stateOf(await this.#read(place));
  }

  async lookAgain(place: AttemptPlace): Promise<void> {
    const { paymentPageId } = await this.#read(place);
    const work = { workId: `page-look/${place.paymentId}`, correlationId: crypto.randomUUID(), clientId: CLIENT };
    try {
      await this.#options.look({ ...place, ...(paymentPageId !== undefined && { paymentPageId }) }, work);
    } catch (error) {
      // It was asked: what it has refused, the state tells.
      if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    }
  }

  async openAgain(place: AttemptPlace): Promise<AttemptState> {
    const transaction = await this.#read(place);
    if (!lacksTerminal(transaction)) return stateOf(transaction);
    const { paymentPageId } = transaction;
    const work = { workId: `page-terminal/${place.paymentId}`, correlationId: crypto.randomUUID(), clientId: CLIENT };
    const of = { ...place, ...(paymentPageId !== undefined && { paymentPageId }) };
    // Whatever it refuses, also the provider: the state tells, and what the customer does next asks again.
    await this.#options.calls.openTerminal(of, work).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
    });
    return await this.getAttempt(place);
  }

  async endAttempt(place: AttemptPlace): Promise<AttemptState> {
    const { paymentPageId } = await this.#read(place);
    const workId = `page-end/${place.paymentId}`;
    const work = { workId, correlationId: crypto.randomUUID(), clientId: CLIENT };
    try {
      await this.#options.calls.cancel({ ...place, ...(paymentPageId !== undefined && { paymentPageId }) }, work);
    } catch (error) {
      // Captured before, or the outcome is unknown still: the state tells.
      if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    }
    return await this.getAttempt(place);
  }

  async #create(attempt: PageAttempt): Promise<StoredPayment> {
    const { organisationId, distributionChannelId, orderId, orderVersion, amountMinor, currency } = attempt;
    const { paymentTypeGroup, paymentType, pageId: paymentPageId } = attempt;
    const channel = await this.#options.catalogue().findChannel(distributionChannelId);
    if (!channel) throw new ServiceError('PAYMENT_METHOD_NOT_ALLOWED', 'The channel of the page is gone.');
    const { payments, notes } = this.#options;
    return await createPaymentFor(
      { payments, notes, orders: this.#options.orders(), customers: this.#options.customers() },
      {
        ...{ tenancy: organisationId, channel, orderId, orderVersion, totalMinor: amountMinor, currency },
        transaction: { amountMinor, currency, paymentTypeGroup, paymentType, capturesItself: true, paymentPageId },
      },
      workOf(attempt),
    );
  }

  async #prepare(place: AttemptPlace, { keyId: pageKeyId, language, correlationId }: PageAttempt): Promise<void> {
    const { organisationId, paymentId, transactionId } = place;
    const work = { correlationId, clientId: CLIENT };
    await this.#options.payments.change(organisationId, paymentId, work, (payment, now) =>
      prepareTerminal(payment, { transactionId, kind: 'TERMINAL', pageKeyId, language }, now),
    );
  }

  async #read({ organisationId, paymentId, transactionId }: AttemptPlace): Promise<Transaction> {
    const { payment } = await this.#options.payments.get(organisationId, paymentId);
    return transactionOf(payment, transactionId);
  }
}

function workOf({ pageId, attempt, correlationId }: PageAttempt) {
  return { workId: `page/${pageId}/${attempt}`, correlationId, clientId: CLIENT };
}

/** No other credit of it is on its way. */
function isCreditRefused({ credits }: Transaction): boolean {
  return credits.length > 0 && credits.every(({ status }) => status === 'FAILED');
}

function stateOf(transaction: Transaction): AttemptState {
  const { status, intent, authorisationId, needsChallenge } = transaction;
  if (status === 'CREDITED') return { state: 'CREDITED' };
  if (isTaken(transaction)) return { state: isCreditRefused(transaction) ? 'CREDIT_OUTSTANDING' : 'CAPTURED' };
  if (!isOpen(transaction)) return { state: 'ENDED', endedBy: status === 'CANCELLED' ? 'CUSTOMER' : 'REFUSAL' };
  if (intent || (authorisationId !== undefined && !needsChallenge)) return { state: 'BUSY' };
  const terminalUri = liveTerminal(transaction);
  return { state: needsChallenge ? 'RETRY' : 'OPEN', ...(terminalUri !== undefined && { terminalUri }) };
}
