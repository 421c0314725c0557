/**
 * Stands in for the workflow of transactions: it makes the same steps at once, with a provider that answers as the test says.
 * The workflow and real providers have tests of their own.
 */
import type { CaptureCalls, TransactionPlace } from '../../../activities/payments/capture-calls.ts';
import type { PaymentStore } from '../../../activities/payments/payment-store.ts';
import type { StoredPayment } from '../../../activities/payments/payment-types.ts';
import type { OrderMoneyAccess } from '../../../activities/shared/orders.ts';
import { cancelTransaction, noteVoided } from '../../../workflows/payments/rules/cancelling.ts';
import {
  beginCapture,
  noteCaptured,
  noteRejected,
  noteSoftDecline,
  refusedByIssuer,
} from '../../../workflows/payments/rules/capture.ts';
import type { Payment } from '../../../workflows/payments/rules/payment.ts';
import type { PaymentChange } from '../../../workflows/payments/rules/payment-change.ts';
import { noteOf } from '../../../workflows/payments/rules/summary.ts';
import { noteAuthorised, noteTerminal, voidKey } from '../../../workflows/payments/rules/terminal.ts';
import { isTaken, transactionOf } from '../../../workflows/payments/rules/transactions.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';

export type ProviderAnswer = 'CAPTURED' | 'SOFT_DECLINE' | 'REFUSED' | 'UNKNOWN';

const WORK = { correlationId: 'c', clientId: 'sales-payments-worker' };

export class ImmediateCalls implements CaptureCalls {
  readonly made: string[] = [];
  /** Of captures, in their order; then CAPTURED. */
  answers: ProviderAnswer[] = [];
  readonly #payments: PaymentStore;
  readonly #orders: Pick<OrderMoneyAccess, 'notePayment' | 'confirm'>;

  constructor(payments: PaymentStore, orders: Pick<OrderMoneyAccess, 'notePayment' | 'confirm'>) {
    this.#payments = payments;
    this.#orders = orders;
  }

  async openTerminal(place: TransactionPlace) {
    this.made.push('openTerminal');
    const { transactionId } = place;
    return await this.#do(place, (payment, now) => {
      const { session } = transactionOf(payment, transactionId);
      const opened = { transactionId, key: session?.key ?? '', sessionId: `s-${session?.number}` };
      const terminalUri = `https://psp.example/${transactionId}/${session?.number}`;
      return noteTerminal(payment, { ...opened, terminalUri }, now);
    });
  }

  /** The customer passes the terminal. */
  async authorise(place: TransactionPlace, challengeDone = false) {
    const { transactionId } = place;
    const authorised = { transactionId, authorisationId: `a-${transactionId}`, last4: '1111', challengeDone };
    await this.#do(place, (payment, now) => {
      const { session } = transactionOf(payment, transactionId);
      return noteAuthorised(payment, { ...authorised, sessionId: session?.sessionId ?? '' }, now);
    });
  }

  async capture(place: TransactionPlace) {
    const { transactionId, organisationId, paymentId } = place;
    const { payment } = await this.#payments.get(organisationId, paymentId);
    if (isTaken(transactionOf(payment, transactionId))) return 'CAPTURED';
    this.made.push('capture');
    await this.#do(place, (payment, now) => beginCapture(payment, { transactionId }, now));
    const answer = this.answers.shift() ?? 'CAPTURED';
    if (answer === 'UNKNOWN') throw new ServiceError('RESOURCE_BUSY', 'Unknown.', { headers: { 'Retry-After': '2' } });
    const { payment: before } = await this.#payments.get(organisationId, paymentId);
    const outcome = { transactionId, key: transactionOf(before, transactionId).intent?.key ?? 'none' };
    const note = { CAPTURED: noteCaptured, SOFT_DECLINE: noteSoftDecline, REFUSED: noteRejected }[answer];
    const status = await this.#do(place, (payment, now) => note(payment, outcome, now));
    if (answer === 'SOFT_DECLINE' && status !== 'REJECTED')
      throw new ServiceError('SOFT_DECLINE', 'A challenge is due.');
    if (status === 'REJECTED') throw refusedByIssuer();
    return status;
  }

  async cancel(place: TransactionPlace) {
    this.made.push('cancel');
    const { transactionId } = place;
    await this.#do(place, (payment, now) => cancelTransaction(payment, { transactionId }, now));
    const key = voidKey({ id: transactionId });
    return await this.#do(place, (payment, now) => noteVoided(payment, { transactionId, key }, now));
  }

  async #do(
    { organisationId, paymentId, transactionId }: TransactionPlace,
    step: (payment: Payment, now: Date) => PaymentChange,
  ) {
    const stored = await this.#payments.change(organisationId, paymentId, WORK, step);
    await this.#tell(stored);
    return transactionOf(stored.payment, transactionId).status;
  }

  async #tell({ payment, revision, isUntold }: StoredPayment) {
    if (!isUntold) return;
    const { organisationId, orderId, orderVersion } = payment;
    const order = await this.#orders.notePayment(organisationId, orderId, { ...noteOf(payment), revision }, WORK);
    const { capturedMinor } = noteOf(payment);
    if (order.status !== 'DRAFT' || capturedMinor < payment.totalMinor) return;
    await this.#orders.confirm(organisationId, orderId, orderVersion, { ...WORK, lockOwner: 'capture/test' });
  }
}
