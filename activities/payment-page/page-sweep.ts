/**
 * Starts workflows that a crash has left pending, tells running ones what was written beside them, and brings back those
 * that are lost. Every process may sweep at any time; several at once are harmless. Caller: the worker of this area.
 */
import { startEach } from '../../platform/aggregate/start-each.ts';
import type { Logger } from '../../platform/log.ts';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import { signalOrderChanged } from './page-start.ts';
import type { PageStore, WantedPage } from './page-store.ts';

export interface PageSweepDependencies {
  readonly pages: Pick<PageStore, 'listPendingStarts' | 'clearPendingStart' | 'listLate' | 'now'>;
  readonly temporal: TemporalClient;
  readonly log: Logger;
  /** Called with the number of pages whose time has passed without effect, at most as many as one sweep handles. */
  readonly onLate?: (pages: number) => void;
}

/** Within this time of its write, a handler starts the workflow itself. Customers wait for what follows their order. */
const HANDLER_TIME_MS = 500;
/** By then the workflow has done it, or waits for a provider. */
const LATE_AFTER_MS = 60_000;
const PAGES_AT_ONCE = 200;

export async function sweepPendingPages({ pages, temporal, log }: PageSweepDependencies): Promise<void> {
  for (;;) {
    const pending = await pages.listPendingStarts(ago(pages, HANDLER_TIME_MS), PAGES_AT_ONCE);
    await startEach(pending, { log, describe }, async (page) => {
      await signalOrderChanged(temporal, inputOf(page));
      await pages.clearPendingStart(page);
    });
    if (pending.length < PAGES_AT_ONCE) return;
  }
}

export async function sweepLatePages({ pages, temporal, log, onLate }: PageSweepDependencies): Promise<void> {
  const late = await pages.listLate(ago(pages, LATE_AFTER_MS), PAGES_AT_ONCE);
  onLate?.(late.length);
  await startEach(late, { log, describe }, (page) => signalOrderChanged(temporal, inputOf(page)));
}

function inputOf({ organisationId, orderId, pageId }: WantedPage) {
  return { organisationId, orderId, pageId };
}

function describe({ pageId, orderId, organisationId }: WantedPage) {
  return { pageId, orderId, organisationId };
}

function ago({ now }: Pick<PageStore, 'now'>, ms: number): Date {
  return new Date(now().getTime() - ms);
}
