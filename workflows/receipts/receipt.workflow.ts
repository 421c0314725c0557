/**
 * Sends one receipt, or one copy of it, to whom callers have named: until every mail is taken, refused, or given up after 24
 * hours. The delivery of an order sends its receipt to the contact by itself.
 *
 * Started by the handler that wrote the mail down, and by the sweep; a further mail signals it. The database holds the truth:
 * each step reads it, so a workflow that was lost comes back with any message.
 *
 * It may outlive a deployment and continues on whichever build is current (auto-upgrade). So every change of its steps is made
 * with `patched`, and recorded histories are replayed.
 */
import { condition, continueAsNew, log, setHandler, workflowInfo } from '@temporalio/workflow';
import { receipts } from './activity-proxies.ts';
import { mailWantedSignal, type ReceiptInput, type ReceiptResult, receiptStateQuery } from './messages.ts';
import type { ReceiptStatus } from './rules/receipt.ts';

export async function receipt(input: ReceiptInput): Promise<ReceiptResult> {
  let status: ReceiptStatus = 'SENDING';
  let isWanted = false;
  setHandler(mailWantedSignal, () => {
    isWanted = true;
  });
  setHandler(receiptStateQuery, () => status);
  for (;;) {
    isWanted = false;
    const step = await receipts.sendReceipt(input);
    status = step.status;
    if (step.nextTryAtMs !== undefined) {
      // What a signal has asked for is in the database, which the next run reads.
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof receipt>(input);
      await condition(() => isWanted, Math.max(step.nextTryAtMs - Date.now(), 1));
    } else if (!isWanted) {
      log.info('The mails of a receipt are settled', { orderId: input.orderId, reference: input.reference, status });
      return { status };
    }
  }
}
