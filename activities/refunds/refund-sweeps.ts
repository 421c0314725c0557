/**
 * Starts workflows that a crash has left pending, and brings back those that are lost. Every process may sweep at any time. Caller:
 * the role of `sales-orders`, by REFUNDS_WORK.
 */
import { sweepPendingStarts } from '../../platform/aggregate/pending-starts.ts';
import { startEach } from '../../platform/aggregate/start-each.ts';
import type { Logger } from '../../platform/log.ts';
import { parseRefundWorkflowId } from '../../workflows/refunds/messages.ts';
import type { RefundId } from '../../workflows/shared/ids.ts';
import type { HeldLock, OrderRefundAccess } from '../shared/orders.ts';
import type { RefundDocument } from './refund-document.ts';
import type { StartedRefund } from './refund-start.ts';
import type { RefundStore, StoredRefund } from './refund-store.ts';
import { type Releasing, releaseRefund } from './releasing.ts';

export interface RefundSweepDependencies {
  readonly refunds: Pick<RefundStore, 'pending' | 'pagesOfLate' | 'dropStaleMarks' | 'now'>;
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
  await refunds.dropStaleMarks();
  for await (const page of refunds.pagesOfLate()) {
    const late = page.map(({ refund, correlationId }) => ({ ...refund, correlationId }));
    await startEach(late, { log, describe: ({ id, orderId }) => ({ refundId: id, orderId }) }, start);
  }
}

export interface LockSweepDependencies extends Releasing {
  readonly orders: () => Pick<
    OrderRefundAccess,
    'unlock' | 'releaseCompensated' | 'pagesOfLocked' | 'pagesOfCompensated'
  >;
  readonly refunds: Pick<RefundStore, 'listReleased' | 'now'>;
  readonly log: Logger;
}

/** By then an attempt that came late has seen the end of its refund. */
const RELEASED_AFTER_MS = 60_000;

/** Orders that are locked for a refund that has ended: an attempt to lock it came late, and its process died. */
export async function sweepLeftLocks(dependencies: LockSweepDependencies): Promise<void> {
  const before = new Date(dependencies.refunds.now().getTime() - RELEASED_AFTER_MS);
  const orders = dependencies.orders();
  await sweepLocks(dependencies, orders.pagesOfLocked('refund', before), (held) => idIn(held.owner));
  await sweepLocks(dependencies, orders.pagesOfCompensated(before), (held) => held.compensation);
}

function idIn(owner: string): RefundId | undefined {
  return parseRefundWorkflowId(owner)?.refundId;
}

async function sweepLocks(
  { refunds, log, ...releasing }: LockSweepDependencies,
  pages: AsyncIterable<readonly HeldLock[]>,
  refundIn: (held: HeldLock) => RefundId | undefined,
): Promise<void> {
  for await (const page of pages) {
    const released = await refunds.listReleased(page.flatMap((held) => refundIn(held) ?? []));
    const describe = ({ refund }: StoredRefund) => ({ refundId: refund.id, orderId: refund.orderId });
    await startEach(released, { log, describe }, async ({ refund, correlationId }) => {
      log.warn({ refundId: refund.id, orderId: refund.orderId }, 'the order of an ended refund is unlocked again');
      await releaseRefund(releasing, refund, correlationId);
    });
  }
}
