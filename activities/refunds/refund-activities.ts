/** The activities of the workflow `refund`, on the queue `sales-orders`. Temporal retries what fails without end. */
import { ApplicationFailure } from '@temporalio/common';
import type { BeginStep, CreditStep, RefundActivities } from '../../workflows/refunds/activities.ts';
import { type RefundInput, type ResolveRequest, refundWorkflowId } from '../../workflows/refunds/messages.ts';
import { type Compensation, type Failure, isEnded, type Refund } from '../../workflows/refunds/rules/refund.ts';
import {
  completeRefund,
  failRefund,
  noteAttention,
  noteCrediting,
  noteDisabled,
  noteLocked,
  operationsPaid,
  type RefundChange,
  resolveRefund,
  totalRefundMinor,
  withdrawResolution,
} from '../../workflows/refunds/rules/refund-life.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { OrderPayments } from '../shared/order-payments.ts';
import type { OrderRefundAccess } from '../shared/orders.ts';
import type { PageNews } from '../shared/page-news.ts';
import type { CreditState, RefundMoney } from '../shared/refund-money.ts';
import type { TicketAccess } from '../shared/tickets.ts';
import { CompensationSteps } from './compensation-steps.ts';
import { assertDecidable } from './deciding.ts';
import { refundingOf } from './order-refunding.ts';
import type { RefundStore } from './refund-store.ts';
import { disableTickets, linesOf } from './refund-tickets.ts';
import { lockOf, releaseRefund } from './releasing.ts';

export interface RefundActivityDependencies {
  readonly refunds: Pick<RefundStore, 'get' | 'change'>;
  readonly orders: () => OrderRefundAccess;
  readonly tickets: () => Pick<TicketAccess, 'disable' | 'restore' | 'release' | 'listUse'>;
  readonly money: () => RefundMoney;
  readonly payments: () => Pick<OrderPayments, 'endOpenTransactions'>;
  readonly pages: () => Pick<PageNews, 'tellSettled'>;
  readonly onEnded?: (status: 'COMPLETED' | 'FAILED', seconds: number) => void;
}

const CLIENT = 'refunds';
const EXCEEDED: Failure = {
  code: 'REFUND_AMOUNT_EXCEEDED',
  detail: 'Less was left of the transactions than the refund asked for.',
};
const ALL_PAID: CreditStep = { outcome: 'PAID', creditedMinor: 0 };

export function createRefundActivities(dependencies: RefundActivityDependencies): RefundActivities {
  const steps = new RefundSteps(dependencies);
  return {
    beginRefund: async (input) => await steps.begin(input),
    creditRefund: async (input) => await steps.credit(input),
    awaitCredit: async (input) => await steps.awaitCredit(input),
    needAttention: async (input) => await steps.needAttention(input),
    noteResolution: async (input) => await steps.resolve(input),
    settleCredit: async (input) => await steps.settle(input, input.resolution),
    completeRefund: async (input) => await steps.complete(input, input.creditedMinor),
    undoRefund: async (input) => await steps.undo(input, input.failure),
  };
}

class RefundSteps {
  readonly #dependencies: RefundActivityDependencies;
  readonly #compensations: CompensationSteps;

  constructor(dependencies: RefundActivityDependencies) {
    this.#dependencies = dependencies;
    this.#compensations = new CompensationSteps(dependencies);
  }

  async begin(input: RefundInput): Promise<BeginStep> {
    const refund = await this.#read(input);
    if (isEnded(refund)) return { outcome: 'ENDED', status: refund.status };
    const step = await this.#begin(refund, input);
    // An attempt that came late has locked the order of a refund that had failed meanwhile.
    const after = await this.#read(input);
    if (!isEnded(after)) return step;
    await this.#release(after, input);
    return { outcome: 'ENDED', status: after.status };
  }

  async #begin(refund: Refund, input: RefundInput): Promise<BeginStep> {
    const { status } = refund;
    // The money may be on its way: nothing is refused any more.
    if (refund.refundedVersion !== undefined) return { outcome: 'BEGUN', status };
    try {
      const { orders, tickets, refunds } = this.#dependencies;
      const { organisationId, orderId, refundId } = input;
      const refunding = refundingOf(refund);
      const lock = lockOf(refund, input.correlationId);
      const refundedVersion = await orders().lockForRefund(organisationId, orderId, refunding, lock);
      const disabledTicketIds = await disableTickets(tickets(), refund, refundWorkflowId(input), workOf(input));
      const locked = { refundedVersion, disabledTicketIds };
      await refunds.change(organisationId, refundId, workOf(input), (before, now) => noteLocked(before, locked, now));
      return { outcome: 'BEGUN', status };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= 500) throw error;
      if (error.code === 'ORDER_LOCKED') return { outcome: 'BUSY', status };
      return { outcome: 'REFUSED', status, failure: { code: error.code, detail: error.message } };
    }
  }

  async credit(input: RefundInput): Promise<void> {
    const refund = await this.#read(input);
    if (refund.status !== 'REQUESTED') return;
    const { organisationId, orderId, distributionChannelId, currency, settlementId, parts, compensation } = refund;
    const work = { workId: compensation?.creditWorkId ?? refundWorkflowId(input), correlationId: input.correlationId };
    const noted = compensation
      ? await this.#compensations.begin(refund, compensation, work)
      : await this.#disableLate(refund, input);
    if (isEnded(noted)) return await this.#release(noted, input);
    if (parts.length === 0) return;
    const orderVersion = lockedVersion(refund);
    const wanted = {
      ...{ organisationId, orderId, orderVersion, distributionChannelId, currency, parts },
      ...{ reason: compensation ? ('COMPENSATION' as const) : ('REFUND' as const) },
      ...(settlementId !== undefined && { settlementId }),
    };
    const creditId = await this.#dependencies.money().begin(wanted, work);
    await this.#release(await this.#change(input, (before, now) => noteCrediting(before, { creditId }, now)), input);
  }

  /** Tickets that were being issued when the order was locked. */
  async #disableLate(refund: Refund, input: RefundInput): Promise<Refund> {
    const { orderVersion: upToVersion } = refund;
    const disabled = { reason: 'REFUNDED', disabledBy: refundWorkflowId(input), upToVersion } as const;
    const ids = await this.#dependencies.tickets().disable(linesOf(refund), disabled, workOf(input));
    return await this.#change(input, (before, now) => noteDisabled(before, ids, now));
  }

  async awaitCredit(input: RefundInput & { readonly looksOnce?: boolean }): Promise<CreditStep> {
    const refund = await this.#read(input);
    const { organisationId, creditId, failure } = refund;
    // Refused before its credit.
    if (refund.status === 'FAILED') return { outcome: 'REFUSED', creditedMinor: 0, ...(failure && { failure }) };
    if (creditId === undefined) return ALL_PAID;
    const state = await this.#dependencies.money().outcome(organisationId, creditId, input);
    const { resolution } = await this.#read(input);
    return { ...openStepOf(refund, state), ...(resolution && { resolution }) };
  }

  async needAttention(input: RefundInput): Promise<void> {
    const refund = await this.#read(input);
    if (refund.compensation) await this.#compensations.hold(refund, refund.compensation, input);
    const after = await this.#change(input, noteAttention);
    if (!refund.compensation) return;
    // An attempt that came late has locked an order whose refund had ended meanwhile.
    if (isEnded(after)) return await this.#release(after, input);
    await this.#compensations.tellOutstanding(after);
  }

  /** The operator is told of a refusal at once: trying again would not cure it. */
  async resolve(input: RefundInput & ResolveRequest): Promise<Refund['status']> {
    try {
      const { refunds, money } = this.#dependencies;
      await assertDecidable(money(), await this.#read(input), input.resolution);
      const { refund } = await refunds.change(input.organisationId, input.refundId, workOf(input), (before, now) =>
        resolveRefund(before, input, now),
      );
      return refund.status;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= 500) throw error;
      throw ApplicationFailure.nonRetryable(error.message, error.code);
    }
  }

  async settle(input: RefundInput, resolution: Refund['resolution']): Promise<CreditStep> {
    const refund = await this.#read(input);
    const { organisationId, creditId } = refund;
    if (creditId === undefined) return ALL_PAID;
    const how = resolution === 'CREDITED_ELSEWHERE' ? 'ELSEWHERE' : 'GIVEN_UP';
    const money = this.#dependencies.money();
    try {
      return stepOf(refund, await money.settle(organisationId, creditId, how, input.correlationId));
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'REFUND_AMOUNT_EXCEEDED') throw error;
      // Disputed since the operator has decided: another decision is asked for.
      await this.#dependencies.refunds.change(organisationId, refund.id, workOf(input), withdrawResolution);
      return openStepOf(refund, await money.outcome(organisationId, creditId, { ...input, looksOnce: true }));
    }
  }

  async complete(input: RefundInput, creditedMinor: number): Promise<void> {
    const refund = await this.#read(input);
    if (refund.compensation) return await this.#completeCompensation(refund, refund.compensation, creditedMinor, input);
    if (isEnded(refund)) return;
    const { organisationId, orderId } = input;
    const operations = refund.creditId === undefined ? refund.operations : operationsPaid(refund, creditedMinor);
    const refunding = refundingOf({ ...refund, operations });
    const lock = lockOf(refund, input.correlationId);
    await this.#dependencies.orders().refundLines(organisationId, orderId, refunding, lock);
    await this.#dependencies.tickets().release(linesOf(refund));
    this.#ended(await this.#change(input, (before, now) => completeRefund(before, { operations }, now)));
  }

  async #completeCompensation(
    refund: Refund,
    compensation: Compensation,
    creditedMinor: number,
    input: RefundInput,
  ): Promise<void> {
    if (!isEnded(refund)) {
      await this.#compensations.end(refund, compensation, creditedMinor, input);
      const operations = operationsPaid(refund, creditedMinor);
      this.#ended(await this.#change(input, (before, now) => completeRefund(before, { operations }, now)));
    }
    await this.#compensations.wakeAsker(refund, compensation, input);
  }

  async undo(input: RefundInput, failure: NonNullable<Refund['failure']>): Promise<void> {
    const refund = await this.#read(input);
    if (!isEnded(refund)) {
      const { compensation } = refund;
      if (compensation) await this.#compensations.end(refund, compensation, 0, input);
      else await releaseRefund(this.#dependencies, refund, input.correlationId);
    }
    const ended = await this.#change(input, (before, now) => failRefund(before, failure, now));
    // Again, for an attempt to begin it that came late and has not seen its end.
    await this.#release(ended, input);
    if (!isEnded(refund)) this.#ended(ended);
  }

  /** Without an effect on a refund that runs; of a completed one that has given lines back, tickets stay disabled. */
  async #release(refund: Refund, { correlationId }: RefundInput): Promise<void> {
    const isReleased = refund.compensation ? isEnded(refund) : refund.status === 'FAILED';
    if (isReleased) await releaseRefund(this.#dependencies, refund, correlationId);
  }

  async #read({ organisationId, refundId }: RefundInput): Promise<Refund> {
    return (await this.#dependencies.refunds.get(organisationId, refundId)).refund;
  }

  async #change(input: RefundInput, decide: (refund: Refund, now: Date) => RefundChange): Promise<Refund> {
    const { organisationId, refundId } = input;
    return (await this.#dependencies.refunds.change(organisationId, refundId, workOf(input), decide)).refund;
  }

  #ended({ status, createdAt, endedAt = createdAt }: Refund): void {
    if (status !== 'COMPLETED' && status !== 'FAILED') return;
    this.#dependencies.onEnded?.(status, (endedAt.getTime() - createdAt.getTime()) / 1_000);
  }
}

function stepOf(refund: Refund, { status, creditedMinor, isExceeded }: CreditState): CreditStep {
  if (creditedMinor === totalRefundMinor(refund)) return { outcome: 'PAID', creditedMinor };
  if (status === 'CREATED') return { outcome: 'UNKNOWN', creditedMinor };
  if (creditedMinor > 0) return { outcome: 'PART', creditedMinor };
  return { outcome: 'REFUSED', creditedMinor, ...(isExceeded && { failure: EXCEEDED }) };
}

/** Before an operator has given it up: a compensation is owed also where all of it is refused. */
function openStepOf(refund: Refund, state: CreditState): CreditStep {
  const step = stepOf(refund, state);
  return refund.compensation && step.outcome === 'REFUSED' ? { ...step, outcome: 'PART' } : step;
}

function lockedVersion({ refundedVersion }: Refund): number {
  if (refundedVersion === undefined) throw new Error('The order was not locked before its money was credited');
  return refundedVersion;
}

function workOf({ correlationId }: RefundInput) {
  return { correlationId, clientId: CLIENT };
}
