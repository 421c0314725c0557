/**
 * Ends a draft that is due while payments of it are open, or while it has money that was not credited. Every other due
 * draft is ended by the sweep, without a workflow.
 *
 * Started by the sweep; see `order-sweeps.ts`. It locks the order, so that no further capture begins, and asks each open
 * transaction to cancel. What was captured meanwhile confirms the order where it pays it, and is credited where it does
 * not. It waits as long as a transaction's outcome is unknown, since money may have moved: after 15 minutes it asks
 * less often. The database holds the truth: a run that begins again continues a lost one.
 */
import { continueAsNew, log, sleep } from '@temporalio/workflow';
import { drafts, payments } from './activity-proxies.ts';
import type { DraftEnd, OrderExpiryInput, OrderExpiryResult, OrderExpiryStart } from './messages.ts';
import { pauseMs, ROUNDS_OF_A_RUN } from './rules/expiry-pace.ts';

export async function orderExpiry({ waitedMs = 0, ...input }: OrderExpiryStart): Promise<OrderExpiryResult> {
  const startedAtMs = Date.now() - waitedMs;
  for (let rounds = 1; ; rounds += 1) {
    const ended = await tryToEnd(input);
    if (ended) {
      log.info('A due draft has ended', { orderId: input.orderId, ended });
      return { ended };
    }
    const soFarMs = Date.now() - startedAtMs;
    if (rounds >= ROUNDS_OF_A_RUN) await continueAsNew<typeof orderExpiry>({ ...input, waitedMs: soFarMs });
    await sleep(pauseMs(soFarMs));
  }
}

/** Undefined: another try is needed. */
async function tryToEnd(input: OrderExpiryInput): Promise<DraftEnd | undefined> {
  const lock = await drafts.lockDraft(input);
  if (lock === 'OVER') return 'OVER';
  // A capture runs: its outcome decides.
  if (lock === 'BUSY') return undefined;
  const { open } = await payments.endOpenTransactions(input);
  if (open > 0) return undefined;
  const ended = await drafts.endDraft(input);
  if (ended !== 'UNSETTLED') return ended;
  await payments.creditDraft(input);
  return undefined;
}
