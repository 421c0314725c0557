/**
 * An operator's decision on a refund: on one that needs attention, and on money of a completed one that a provider has paid and
 * that failed later. Repeatable. Caller: the operation of the API.
 */
import { isEnded, type Refund, type Resolution } from '../../workflows/refunds/rules/refund.ts';
import { notePaidOtherwise, resolveRefund, unchanged } from '../../workflows/refunds/rules/refund-life.ts';
import type { RefundMoney } from '../shared/refund-money.ts';
import { assertDecidable } from './deciding.ts';
import type { StartedRefund } from './refund-start.ts';
import type { RefundStore } from './refund-store.ts';

export interface ResolvingOptions {
  readonly refunds: Pick<RefundStore, 'change'>;
  readonly money: () => Pick<RefundMoney, 'assertCountable' | 'listProblems' | 'settleOwed'>;
  /** Tells the workflow of the decision. */
  readonly wake: (refund: StartedRefund) => Promise<void>;
}

interface Decision {
  readonly resolution: Resolution;
  readonly reason: string;
}

/**
 * A repeat of a decision answers the refund as it is. Throws INVALID_STATE where no decision is asked for, another one was taken, or the
 * money cannot count as paid in another way.
 */
export async function resolveFor(
  { refunds, money, wake }: ResolvingOptions,
  { id, organisationId, orderId, status, creditId }: Refund,
  { resolution, reason }: Decision,
  work: { readonly correlationId: string; readonly clientId: string },
): Promise<Refund> {
  const problems = status === 'COMPLETED' ? await money().listProblems(organisationId, orderId) : [];
  const failed = problems.filter((problem) => problem.type === 'CREDIT_FAILED' && problem.creditId === creditId);
  if (creditId !== undefined && resolution === 'CREDITED_ELSEWHERE' && failed.length > 0) {
    const isOwed = failed.some(({ paidOtherwiseAt }) => paidOtherwiseAt === undefined);
    const { refund } = await refunds.change(organisationId, id, work, (before, now) =>
      isOwed ? notePaidOtherwise(before, { reason }, now) : unchanged(before),
    );
    await money().settleOwed(organisationId, creditId, work.correlationId);
    return refund;
  }
  await assertDecidable(money(), { organisationId, ...(creditId !== undefined && { creditId }) }, resolution);
  const { refund, correlationId } = await refunds.change(organisationId, id, work, (before, now) =>
    resolveRefund(before, { resolution, reason }, now),
  );
  if (!isEnded(refund)) await wake({ ...refund, correlationId });
  return refund;
}
