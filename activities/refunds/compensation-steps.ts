/**
 * The steps of a refund that only a compensation has: it disables no tickets, marks the draft before money moves, and ends it after an
 * operator was asked. Caller: refund-activities.ts.
 */
import type { PaidPage } from '../../workflows/payments/rules/compensation-plan.ts';
import type { Compensation, Refund } from '../../workflows/refunds/rules/refund.ts';
import { noteBegun, refuseCompensation, totalRefundMinor } from '../../workflows/refunds/rules/refund-life.ts';
import type { TransactionId } from '../../workflows/shared/ids.ts';
import type { SettledCapture } from '../../workflows/shared/payment-page-signals.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { OrderPayments } from '../shared/order-payments.ts';
import type { OrderRefundAccess } from '../shared/orders.ts';
import type { PageNews } from '../shared/page-news.ts';
import type { RefundMoney } from '../shared/refund-money.ts';
import type { RefundStore } from './refund-store.ts';
import { lockOf } from './releasing.ts';

const CLIENT = 'refunds';

export interface CompensationStepDependencies {
  readonly refunds: Pick<RefundStore, 'change'>;
  readonly orders: () => Pick<OrderRefundAccess, 'markCompensated' | 'holdCompensated' | 'endCompensated'>;
  readonly payments: () => Pick<OrderPayments, 'endOpenTransactions'>;
  readonly money: () => Pick<RefundMoney, 'wakeAsker' | 'assertOwed' | 'listCredited' | 'sumGivenUp'>;
  readonly pages: () => Pick<PageNews, 'tellSettled'>;
}

interface Correlated {
  readonly correlationId: string;
}

export class CompensationSteps {
  readonly #dependencies: CompensationStepDependencies;

  constructor(dependencies: CompensationStepDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Before the credit: the draft is marked, and its money is still owed. Answers the refund as it is then: FAILED where it is not, and
   * nothing was paid. `workId`: of the credit.
   */
  async begin(
    refund: Refund,
    { askedBy, isBegun }: Compensation,
    { workId, correlationId }: Correlated & { readonly workId: string },
  ): Promise<Refund> {
    const { organisationId, orderId, orderVersion, id: refundId, parts } = refund;
    const { refunds, orders, money } = this.#dependencies;
    const work = { correlationId, clientId: CLIENT };
    if (isBegun) return refund;
    try {
      const draft = { orderVersion, askedBy, refundId };
      await orders().markCompensated(organisationId, orderId, draft, lockOf(refund, correlationId));
      await money().assertOwed({ organisationId, orderId, parts }, { workId, correlationId });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= 500) throw error;
      const failure = { code: error.code, detail: error.message };
      const refused = await refunds.change(organisationId, refundId, work, (before, now) =>
        refuseCompensation(before, failure, now),
      );
      return refused.refund;
    }
    return (await refunds.change(organisationId, refundId, work, noteBegun)).refund;
  }

  /** Before an operator is asked: nobody else ends the draft meanwhile. */
  async hold(refund: Refund, { askedBy }: Compensation, { correlationId }: Correlated): Promise<void> {
    const { organisationId, orderId, orderVersion, id: refundId } = refund;
    const lock = lockOf(refund, correlationId);
    const draft = { orderVersion, askedBy, refundId };
    await this.#dependencies.orders().holdCompensated(organisationId, orderId, draft, lock);
  }

  /** Unless an operator was asked, the one who asked for the refund ends its draft: then the mark of the draft goes alone. */
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
    const lock = lockOf(refund, correlationId);
    const { orders, payments, money } = this.#dependencies;
    const refusedMinor = totalRefundMinor(refund) - creditedMinor;
    // A compensation before it may have been given up, too.
    const givenUpMinor =
      refusedMinor && Math.max(refusedMinor, await money().sumGivenUp(organisationId, orderId, orderVersion));
    const ended = { orderVersion, refundId, givenUpMinor };
    try {
      await orders().endCompensated(organisationId, orderId, ended, lock);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'INVALID_STATE') throw error;
      const draft = { organisationId, orderId, version: orderVersion, lockOwner: lock.lockOwner };
      await payments().endOpenTransactions(draft);
      // Throws again while the outcome of one is unknown.
      await orders().endCompensated(organisationId, orderId, ended, lock);
    }
    // A capture that has asked tells its own page, when it has ended the draft.
    const told = isAsked ? undefined : compensation.askedFor;
    const credited = refusedMinor > 0 ? await this.#listCredited(refund) : undefined;
    await this.#tell(refund, ({ transactionId }) =>
      transactionId === told || credited?.includes(transactionId) === false ? undefined : 'CREDITED',
    );
  }

  /** An operator is asked. Another part may have been paid. */
  async tellOutstanding(refund: Refund): Promise<void> {
    const credited = await this.#listCredited(refund);
    await this.#tell(refund, ({ transactionId }) =>
      credited.includes(transactionId) ? 'CREDITED' : 'CREDIT_OUTSTANDING',
    );
  }

  async #listCredited({ organisationId, creditId }: Refund): Promise<readonly TransactionId[]> {
    return creditId === undefined ? [] : await this.#dependencies.money().listCredited(organisationId, creditId);
  }

  /** It would look by itself, but minutes later where the provider was away for long. */
  async wakeAsker(
    { organisationId, orderId }: Refund,
    { askedBy, askedFor, pages = [] }: Compensation,
    { correlationId }: Correlated,
  ): Promise<void> {
    const page = pages.find(({ transactionId }) => transactionId === askedFor);
    const place = { organisationId, orderId, ...(page && { paymentPageId: page.paymentPageId }) };
    await this.#dependencies.money().wakeAsker({ ...place, askedBy, correlationId });
  }

  /** The pages of all parts, but those without an outcome. */
  async #tell(
    { organisationId, orderId, compensation }: Refund,
    outcomeOf: (page: PaidPage) => SettledCapture['outcome'] | undefined,
  ): Promise<void> {
    for (const page of compensation?.pages ?? []) {
      const { paymentPageId: pageId, paymentId, transactionId } = page;
      const outcome = outcomeOf(page);
      if (!outcome) continue;
      await this.#dependencies
        .pages()
        .tellSettled({ organisationId, orderId, pageId }, { paymentId, transactionId, outcome });
    }
  }
}
