/**
 * The activity of `credit`, on the queue `sales-payments`. It sets the money of every part aside, asks the providers to pay it
 * back, and writes down what became of it. Temporal retries what fails without end.
 */
import type { Logger } from '../../../platform/log.ts';
import { balanceMinor } from '../../../workflows/orders/rules/amounts.ts';
import { settlingOwner } from '../../../workflows/orders/rules/settling-lock.ts';
import { isWithdrawn } from '../../../workflows/orders/rules/ticket-withdrawal.ts';
import type { CreditActivities } from '../../../workflows/payments/activities.ts';
import type { CreditInput } from '../../../workflows/payments/messages.ts';
import { BOOK } from '../../../workflows/payments/rules/book.ts';
import {
  type Credit,
  type CreditPart,
  creditStatusOf,
  isCallable,
  isDeciding,
  totalCreditMinor,
} from '../../../workflows/payments/rules/credit.ts';
import {
  isPaidOtherwise,
  noteCredited,
  noteCreditedElsewhere,
  refuseReservation,
  reserveCredit,
} from '../../../workflows/payments/rules/credits.ts';
import type { Payment, TransactionCredit } from '../../../workflows/payments/rules/payment.ts';
import type { PaymentChange } from '../../../workflows/payments/rules/payment-change.ts';
import { transactionOf } from '../../../workflows/payments/rules/transactions.ts';
import type { PaymentId } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import type { OrderAccess } from '../../shared/orders.ts';
import { PAYMENTS_WORKER, unlessUnknown } from '../capture/capture-context.ts';
import type { CreditStore } from '../credit-store.ts';
import type { OrderNotes } from '../order-notes.ts';
import type { PaymentStore } from '../payment-store.ts';
import type { MoneyOutcome } from '../provider/payment-provider.ts';
import type { Providers } from '../provider/providers.ts';
import { type CreditDecisionDependencies, CreditDecisions } from './credit-decisions.ts';

export interface CreditDependencies extends CreditDecisionDependencies {
  readonly payments: Pick<PaymentStore, 'change'>;
  readonly credits: Pick<
    CreditStore,
    'get' | 'listOfOrder' | 'notePart' | 'noteReservation' | 'noteDecisionStep' | 'pending'
  >;
  readonly notes: Pick<OrderNotes, 'tell'>;
  readonly orderReads: () => Pick<OrderAccess, 'get'>;
  readonly providers: Providers;
  readonly log: Logger;
  readonly onEnded?: (part: EndedPart) => void;
  readonly now?: () => Date;
}

/** A part of a credit that was paid back, or that was refused. */
export interface EndedPart {
  readonly outcome: 'credited' | 'failed';
  readonly provider: string;
  readonly currency: string;
  readonly amountMinor: number;
}

export function createCreditActivities(dependencies: CreditDependencies): CreditActivities {
  const { credits } = dependencies;
  const decisions = new CreditDecisions(dependencies);
  return {
    payBack: async (input) => {
      const { credit } = await credits.get(input.organisationId, input.creditId);
      const paying = new PayingBack(dependencies, input);
      // Of one that is refused too: an attempt that died may have left its lock.
      await decisions.carryOut(credit, input.correlationId);
      if (!isDeciding(credit)) await goOn(paying, credit);
      const { credit: after, revision } = await credits.get(input.organisationId, input.creditId);
      if (isDeciding(after)) return 'CREATED';
      const status = creditStatusOf(after);
      // A decision that comes meanwhile keeps its mark.
      if (status !== 'CREATED') await credits.pending.clear(String(input.creditId), revision);
      return status;
    },
  };
}

async function goOn(paying: PayingBack, credit: Credit): Promise<void> {
  if (creditStatusOf(credit) !== 'CREATED') {
    for (const part of credit.parts) await paying.lookForLate(part);
    return;
  }
  const { reservation, parts } = await paying.reserve(credit);
  for (const part of parts.filter(({ status }) => status === 'CREATED')) {
    await (reservation === 'REFUSED' ? paying.refuse(part) : paying.pay(part));
  }
}

class PayingBack {
  readonly #dependencies: CreditDependencies;
  readonly #input: CreditInput;

  constructor(dependencies: CreditDependencies, input: CreditInput) {
    this.#dependencies = dependencies;
    this.#input = input;
  }

  /**
   * The money of all parts, or of none. The outcome is one write of the credit, before any part is paid or refused: money that becomes
   * free meanwhile changes it no more.
   */
  async reserve(credit: Credit): Promise<Credit> {
    if (credit.reservation !== undefined) return credit;
    const { organisationId, creditId } = this.#input;
    const isMade = !(await this.#isOvertaken(credit)) && (await this.#setAside(credit));
    const outcome = isMade ? 'MADE' : 'REFUSED';
    return (await this.#dependencies.credits.noteReservation(organisationId, creditId, outcome)).credit;
  }

  /**
   * What has asked for it is lost, and others end its draft: both would pay too much. So would two credits of one balance. Each is
   * written before it looks, so one of them sees the other. An API process of an earlier build asks for DRAFT.
   */
  async #isOvertaken({ reason, organisationId, orderId, orderVersion, id, parts }: Credit): Promise<boolean> {
    if (reason !== 'BALANCE' && reason !== 'DRAFT') return false;
    const order = await this.#dependencies.orderReads().get(organisationId, orderId);
    if (reason === 'DRAFT') return order.lock?.compensation !== undefined;
    const owner = settlingOwner('confirmation', { id: orderId, version: orderVersion });
    if (order.lock?.owner !== owner || order.lock.compensation !== undefined) return true;
    if (!isWithdrawn(order) || -balanceMinor(order) < totalCreditMinor({ parts })) return true;
    const others = await this.#dependencies.credits.listOfOrder(organisationId, orderId);
    return others.some(({ credit }) => credit.id !== id && creditStatusOf(credit) === 'CREATED');
  }

  /** False: less is left than the credit asks for. */
  async #setAside({ id: creditId, settlementId, parts }: Credit): Promise<boolean> {
    const byPayment = Map.groupBy(parts, ({ paymentId }) => paymentId);
    try {
      for (const [paymentId, ofPayment] of byPayment) {
        const reservation = { creditId, parts: ofPayment, ...(settlementId !== undefined && { settlementId }) };
        await this.#change(paymentId, (payment, now) => reserveCredit(payment, reservation, now));
      }
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= 500) throw error;
      this.#dependencies.log.warn({ creditId, code: error.code }, 'a credit asks for more than is left');
      return false;
    }
  }

  /** Leaves the part as it is while its outcome is unknown: its money is neither free for another credit nor counted as paid. */
  async pay(part: CreditPart): Promise<void> {
    const payment = await this.#change(part.paymentId, (before) => ({ payment: before, events: [] }));
    const known = this.#creditIn(payment, part);
    // An earlier attempt, or an operator, has written its outcome.
    if (known?.status === 'CREDITED') return await this.#notePaid(part, payment);
    if (known?.status === 'FAILED') return await this.refuse(part);
    const outcome = await this.#ask(payment, part);
    if (!outcome || outcome.outcome === 'PENDING') return;
    if (outcome.outcome === 'DONE') return await this.#paid(part, outcome);
    const credit = await this.#read();
    if (outcome.outcome === 'NEVER_SEEN' && isCallable(credit, this.#dependencies.now?.() ?? new Date())) return;
    await (credit.decision?.how === 'ELSEWHERE' ? this.#paidElsewhere(credit, part) : this.refuse(part));
  }

  /**
   * Of what an operator has paid, or what counts as not paid: the reconciliation has seen that the provider has paid it all the same.
   * Never pays.
   */
  async lookForLate(part: CreditPart): Promise<void> {
    const payment = await this.#change(part.paymentId, (before) => ({ payment: before, events: [] }));
    const known = this.#creditIn(payment, part);
    // The books of sales in cash say of everything that it is done.
    if (!known || known.paidTwiceAt || transactionOf(payment, part.transactionId).provider === BOOK) return;
    if (!known.elsewhere && known.status !== 'FAILED') return;
    const { provider, money, key } = this.#call(payment, part);
    const outcome = await unlessUnknown(async () => await provider.outcomeOf(key, money));
    if (outcome?.outcome === 'DONE') await this.#paid(part, outcome);
  }

  #call(payment: Payment, { transactionId, amountMinor }: CreditPart) {
    const transaction = transactionOf(payment, transactionId);
    const key = `cr-${this.#input.creditId}-${transactionId}`;
    const provider = this.#dependencies.providers.get(transaction.provider);
    const money = { authorisationId: transaction.authorisationId ?? key, amountMinor, currency: payment.currency };
    return { provider, key, money };
  }

  async #ask(payment: Payment, part: CreditPart): Promise<MoneyOutcome | undefined> {
    const { provider, key, money } = this.#call(payment, part);
    return await unlessUnknown(async () => {
      const outcome = await provider.outcomeOf(key, money);
      if (outcome.outcome !== 'NEVER_SEEN' || (await this.#read()).decision) return outcome;
      return await provider.refund({ key, ...money });
    });
  }

  async #paid(part: CreditPart, { rrn }: MoneyOutcome): Promise<void> {
    const { creditId } = this.#input;
    const { paymentId, transactionId } = part;
    let before: TransactionCredit | undefined;
    const payment = await this.#change(paymentId, (present, now) => {
      before = this.#creditIn(present, part);
      return noteCredited(present, { transactionId, creditId, ...(rrn !== undefined && { rrn }) }, now);
    });
    if (before?.status === 'FAILED' || before?.elsewhere) {
      const facts = { creditId, paymentId, transactionId };
      this.#dependencies.log.error(
        facts,
        'a provider has paid back what had ended as not paid, or as paid elsewhere: compare the books',
      );
    }
    const settled = before?.status === 'FAILED';
    if (this.#creditIn(payment, part)?.status === 'CREDITED') await this.#notePaid(part, payment, { settled });
  }

  async #paidElsewhere({ settlementId }: Credit, part: CreditPart): Promise<void> {
    const { transactionId, amountMinor } = part;
    const counted = settlementId !== undefined ? { settlementId } : {};
    const paid = { transactionId, creditId: this.#input.creditId, amountMinor, ...counted };
    const payment = await this.#change(part.paymentId, (before, now) => noteCreditedElsewhere(before, paid, now));
    await this.#notePaid(part, payment, { settled: true });
  }

  /** `settled`: also where it had ended as failed. Else a report that it failed later stays. */
  async #notePaid(part: CreditPart, payment: Payment, { settled = false } = {}): Promise<void> {
    const { creditId, organisationId } = this.#input;
    const { transactionId } = part;
    const paid = this.#creditIn(payment, part);
    const how = {
      ...(paid?.rrn !== undefined && { rrn: paid.rrn }),
      ...(paid && isPaidOtherwise(paid) && { paidOtherwise: true as const }),
    };
    const outcome = { transactionId, status: 'CREDITED', ...(settled && { settled }), ...how } as const;
    await this.#dependencies.credits.notePart(organisationId, creditId, outcome);
    this.#ended('credited', payment, part);
  }

  /** Its money is free for another credit. */
  async refuse(part: CreditPart): Promise<void> {
    const { paymentId, transactionId, amountMinor } = part;
    const { creditId, organisationId } = this.#input;
    const payment = await this.#change(paymentId, (before, now) =>
      refuseReservation(before, { transactionId, creditId, amountMinor }, now),
    );
    await this.#dependencies.credits.notePart(organisationId, creditId, { transactionId, status: 'FAILED' });
    this.#ended('failed', payment, part);
  }

  #ended(outcome: EndedPart['outcome'], payment: Payment, { transactionId, amountMinor }: CreditPart): void {
    const { provider } = transactionOf(payment, transactionId);
    this.#dependencies.onEnded?.({ outcome, provider, currency: payment.currency, amountMinor });
  }

  #creditIn(payment: Payment, { transactionId }: CreditPart): TransactionCredit | undefined {
    return transactionOf(payment, transactionId).credits.find(({ creditId }) => creditId === this.#input.creditId);
  }

  async #read(): Promise<Credit> {
    return (await this.#dependencies.credits.get(this.#input.organisationId, this.#input.creditId)).credit;
  }

  /** One conditional write, and the order is told of it. */
  async #change(paymentId: PaymentId, decide: (payment: Payment, now: Date) => PaymentChange): Promise<Payment> {
    const { organisationId, correlationId } = this.#input;
    const work = { correlationId, clientId: PAYMENTS_WORKER };
    const stored = await this.#dependencies.payments.change(organisationId, paymentId, work, decide);
    if (stored.isUntold) await this.#dependencies.notes.tell(stored, work);
    return stored.payment;
  }
}
