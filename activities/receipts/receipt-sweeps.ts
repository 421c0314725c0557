/**
 * Starts workflows that a crash has left pending, and brings back those that are lost. Every process may sweep at any time;
 * several at once are harmless. Caller: the role of `sales-documents`, by RECEIPTS_WORK.
 */
import { sweepPendingStarts } from '../../platform/aggregate/pending-starts.ts';
import { startEach } from '../../platform/aggregate/start-each.ts';
import type { Logger } from '../../platform/log.ts';
import type { ReceiptStore, WantedMail } from './receipt-store.ts';

export interface ReceiptSweepDependencies {
  readonly receipts: Pick<ReceiptStore, 'listPendingStarts' | 'clearPendingStart' | 'listLate' | 'now'>;
  readonly start: (wanted: WantedMail) => Promise<void>;
  readonly log: Logger;
  /** Called with the number of mails whose time has passed without effect, at most as many as one sweep handles. */
  readonly onLate?: (mails: number) => void;
}

/** By then the workflow has tried it. */
const LATE_AFTER_MS = 5 * 60_000;
const SWEPT_AT_ONCE = 200;

export async function sweepPendingReceipts({ receipts, start, log }: ReceiptSweepDependencies): Promise<void> {
  await sweepPendingStarts<WantedMail>({
    list: async (before, limit) => await receipts.listPendingStarts(before, limit),
    clear: async (wanted) => await receipts.clearPendingStart(wanted),
    ...{ start, log, describe, now: receipts.now },
  });
}

export async function sweepLateReceipts({ receipts, start, log, onLate }: ReceiptSweepDependencies): Promise<void> {
  const late = await receipts.listLate(new Date(receipts.now().getTime() - LATE_AFTER_MS), SWEPT_AT_ONCE);
  onLate?.(late.length);
  await startEach(late, { log, describe }, start);
}

function describe({ reference, orderId, organisationId }: WantedMail) {
  return { reference, orderId, organisationId };
}
