/**
 * The steps of a refund that only a compensation has: it disables no tickets, and writes on the order only after an operator was
 * asked. Caller: refund-activities.ts.
 */
import type { Compensation, Refund } from '../../workflows/refunds/rules/refund.ts';
import { totalRefundMinor } from '../../workflows/refunds/rules/refund-life.ts';
import type { SettledCapture } from '../../workflows/shared/payment-page-signals.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { OrderPayments } from '../shared/order-payments.ts';
import type { OrderRefundAccess } from '../shared/orders.ts';
import type { PageNews } from '../shared/page-news.ts';
import type { RefundMoney } from '../shared/refund-money.ts';
import { lockOf } from './releasing.ts';

export interface CompensationStepDependencies {
  readonly orders: () => Pick<OrderRefundAccess, 'holdCompensated' | 'endCompensated'>;
  readonly payments: () => Pick<OrderPayments, 'endOpenTransactions'>;
  readonly money: () => Pick<RefundMoney, 'wakeAsker'>;
  readonly pages: () => PageNews;
}

interface Correlated {
  readonly correlationId: string;
}

export class CompensationSteps {
  readonly #dependencies: CompensationStepDependencies;

  constructor(dependencies: CompensationStepDependencies) {
    this.#dependencies = dependencies;
  }

  /** Before an operator is asked: nobody else ends the draft meanwhile. */
  async hold(refund: Refund, { askedBy }: Compensation, { correlationId }: Correlated): Promise<void> {
    const { organisationId, orderId, orderVersion } = refund;
    const lock = lockOf(refund, correlationId);
    await this.#dependencies.orders().holdCompensated(organisationId, orderId, { orderVersion, askedBy }, lock);
  }

  /** Without an effect on the order unless an operator was asked: else the one who asked for the refund ends its draft. */
  async end(
    refund: Refund,
    compensation: Compensation,
    creditedMinor: number,
    { correlationId }: Correlated,
  ): Promise<void> {
    const { organisationId, orderId, orderVersion, id: refundId, status } = refund;
    const isAsked = status === 'NEEDS_ATTENTION';
    // Where an older build has asked the operator, the lock is still to be taken over.
    if (isAsked) await this.hold(refund, compensation, { correlationId });
    const ended = { orderVersion, refundId, givenUpMinor: totalRefundMinor(refund) - creditedMinor };
    const lock = lockOf(refund, correlationId);
    const { orders, payments } = this.#dependencies;
    try {
      await orders().endCompensated(organisationId, orderId, ended, lock);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'INVALID_STATE') throw error;
      const draft = { organisationId, orderId, version: orderVersion, lockOwner: lock.lockOwner };
      await payments().endOpenTransactions(draft);
      // Throws again while the outcome of one is unknown.
      await orders().endCompensated(organisationId, orderId, ended, lock);
    }
    if (isAsked && ended.givenUpMinor === 0) await this.tell(refund, compensation, 'CREDITED');
  }

  /** It would look by itself, but minutes later where the provider was away for long. */
  async wakeAsker(
    { organisationId, orderId }: Refund,
    { askedBy, page }: Compensation,
    { correlationId }: Correlated,
  ): Promise<void> {
    const place = { organisationId, orderId, ...(page && { paymentPageId: page.paymentPageId }) };
    await this.#dependencies.money().wakeAsker({ ...place, askedBy, correlationId });
  }

  async tell(
    { organisationId, orderId }: Refund,
    { page }: Compensation,
    outcome: SettledCapture['outcome'],
  ): Promise<void> {
    if (!page) return;
    const { paymentPageId: pageId, paymentId, transactionId } = page;
    const told = { organisationId, orderId, pageId };
    await this.#dependencies.pages().tellSettled(told, { paymentId, transactionId, outcome });
  }
}
