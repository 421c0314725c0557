/**
 * Takes what payment providers report, each report once. A report only says where to look: its signature is verified, and
 * state and amount are read from the provider by the workflow. Disputes and refunds that failed later are written down at
 * once. Caller: the handler of provider callbacks.
 */
import type { Logger } from '../../platform/log.ts';
import { noteCreditFailed, noteDispute, noteDisputeWon } from '../../workflows/payments/rules/credits.ts';
import type { Payment, Transaction } from '../../workflows/payments/rules/payment.ts';
import type { PaymentChange } from '../../workflows/payments/rules/payment-change.ts';
import { findTransaction, isTaken } from '../../workflows/payments/rules/transactions.ts';
import type { CreditId, TransactionId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { TransactionPlace } from './capture-calls.ts';
import type { CreditStore } from './credit-store.ts';
import type { OrderNotes } from './order-notes.ts';
import type { PaymentStore } from './payment-store.ts';
import type { PaymentWorkflows } from './payment-workflows.ts';
import type { PaymentProvider, ProviderReport, ProviderTrouble, RawCallback } from './provider/payment-provider.ts';
import type { ProviderReports } from './provider-reports.ts';

export interface ReportIntakeOptions {
  readonly payments: Pick<PaymentStore, 'findByTransaction' | 'change'>;
  readonly credits: Pick<CreditStore, 'notePart' | 'find'>;
  readonly notes: Pick<OrderNotes, 'tryToTell'>;
  readonly reports: Pick<ProviderReports, 'takeOnce'>;
  readonly workflows: Pick<PaymentWorkflows, 'wake' | 'startCredit'>;
  readonly log: Logger;
  readonly onTrouble?: (kind: ProviderTrouble['kind']) => void;
}

const REFUND_KEY = /^cr-(\d{1,16})-(\d{1,16})$/;

export class ReportIntake {
  readonly #options: ReportIntakeOptions;

  constructor(options: ReportIntakeOptions) {
    this.#options = options;
  }

  /** False: it is not by the provider. */
  async take(provider: PaymentProvider, callback: RawCallback, correlationId: string): Promise<boolean> {
    const report = await provider.verifyCallback(callback);
    if (report === undefined) return false;
    if (report === 'IRRELEVANT') return true;
    await this.#options.reports.takeOnce(provider.name, report.id, async () => {
      await this.#follow(provider, report, correlationId);
    });
    return true;
  }

  async #follow({ name }: PaymentProvider, report: ProviderReport, correlationId: string): Promise<void> {
    const { payments, workflows, log } = this.#options;
    const { paymentId, transactionId, trouble } = report;
    const stored = await payments.findByTransaction(transactionId);
    const transaction = stored && findTransaction(stored.payment, transactionId);
    if (!transaction || stored.payment.id !== paymentId || transaction.provider !== name) {
      log.warn(
        { provider: name, paymentId, transactionId },
        'a provider reports about a transaction that it does not have',
      );
      return;
    }
    if (trouble) return await this.#noteTrouble(stored.payment, report, trouble, correlationId);
    // Of captured money a report tells nothing new.
    if (isTaken(transaction)) return;
    await workflows.wake(placeOf(stored.payment, transaction), correlationId);
  }

  async #noteTrouble(
    payment: Payment,
    { transactionId }: ProviderReport,
    trouble: ProviderTrouble,
    correlationId: string,
  ): Promise<void> {
    const { payments, notes, credits, log } = this.#options;
    const { organisationId, id: paymentId } = payment;
    await this.#assertNoted(payment, transactionId, trouble, correlationId);
    if (trouble.kind === 'DISPUTE_WON') {
      log.info({ paymentId, transactionId }, 'the money of a dispute is ours again');
    } else {
      log.error({ paymentId, transactionId, trouble: trouble.kind }, 'money that was moved comes back');
      this.#options.onTrouble?.(trouble.kind);
    }
    const work = { correlationId, clientId: 'payments' };
    const stored = await payments.change(organisationId, paymentId, work, noted(transactionId, trouble));
    await notes.tryToTell(stored, work);
    const creditId = trouble.kind === 'REFUND_FAILED' ? creditOf(trouble.key) : undefined;
    if (creditId === undefined || !(await credits.find(organisationId, creditId))) return;
    await credits.notePart(organisationId, creditId, { transactionId, status: 'FAILED' });
  }

  /** What comes back is noted after what was moved: until then the provider repeats its report. */
  async #assertNoted(
    payment: Payment,
    transactionId: TransactionId,
    trouble: ProviderTrouble,
    correlationId: string,
  ): Promise<void> {
    const { workflows } = this.#options;
    const { organisationId, orderId } = payment;
    const transaction = findTransaction(payment, transactionId);
    const place = { organisationId, orderId, correlationId };
    if (trouble.kind === 'DISPUTE_WON') return;
    if (trouble.kind === 'DISPUTED') {
      if (transaction?.intent?.kind !== 'CAPTURE') return;
      await workflows.wake(placeOf(payment, transaction), correlationId);
    } else {
      const credit = transaction?.credits.find(({ key }) => key === trouble.key);
      if (credit?.status !== 'CREATED') return;
      await workflows.startCredit({ ...place, creditId: credit.creditId });
    }
    throw new ServiceError(
      'UNAVAILABLE',
      'The money that comes back is not noted as moved yet. Send the report again.',
      {
        headers: { 'Retry-After': '5' },
      },
    );
  }
}

/** A capture that was lost comes back with it, and tells its page. */
function placeOf(
  { organisationId, orderId, id: paymentId }: Payment,
  { id: transactionId, paymentPageId }: Transaction,
): TransactionPlace {
  return { organisationId, orderId, paymentId, transactionId, ...(paymentPageId !== undefined && { paymentPageId }) };
}

function noted(transactionId: TransactionId, trouble: ProviderTrouble) {
  return (payment: Payment, now: Date): PaymentChange => {
    if (trouble.kind !== 'REFUND_FAILED') {
      const { kind, ...disputed } = trouble;
      const note = kind === 'DISPUTED' ? noteDispute : noteDisputeWon;
      return note(payment, { transactionId, ...disputed }, now);
    }
    const creditId = creditOf(trouble.key);
    if (creditId === undefined) return { payment, events: [] };
    return noteCreditFailed(payment, { transactionId, creditId }, now);
  };
}

function creditOf(key: string): CreditId | undefined {
  const [, creditId] = REFUND_KEY.exec(key) ?? [];
  return creditId === undefined ? undefined : (Number(creditId) as CreditId);
}
