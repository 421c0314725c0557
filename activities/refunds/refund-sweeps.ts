/**
 * Starts workflows that a crash has left pending, and brings back those that are lost. Every process may sweep at any time. Caller:
 * the role of `sales-orders`, by REFUNDS_WORK.
 */
import { sweepPendingStarts } from '../../platform/aggregate/pending-starts.ts';
import { startEach } from '../../platform/aggregate/start-each.ts';
import type { Logger } from '../../platform/log.ts';
import type { RefundDocument } from './refund-document.ts';
import type { StartedRefund } from './refund-start.ts';
import type { RefundStore } from './refund-store.ts';

export interface RefundSweepDependencies {
  readonly refunds: Pick<RefundStore, 'pending' | 'listLate' | 'now'>;
  readonly start: (refund: StartedRefund) => Promise<void>;
  readonly log: Logger;
}

export async function sweepPendingRefunds({ refunds, start, log }: RefundSweepDependencies): Promise<void> {
  const { pending, now } = refunds;
  await sweepPendingStarts<RefundDocument>({
    list: async (before, limit) => await pending.list(before, limit),
    clear: async ({ _id, revision }) => await pending.clear(_id, revision),
    start: async ({ _id: id, organisationId, orderId, createdAt, correlationId }) =>
      await start({ id, organisationId, orderId, createdAt, correlationId }),
    describe: ({ _id, orderId }) => ({ refundId: _id, orderId }),
    ...{ log, now },
  });
}

export async function sweepLateRefunds({ refunds, start, log }: RefundSweepDependencies): Promise<void> {
  const late = (await refunds.listLate()).map(({ refund, correlationId }) => ({ ...refund, correlationId }));
  await startEach(late, { log, describe: ({ id, orderId }) => ({ refundId: id, orderId }) }, start);
}
