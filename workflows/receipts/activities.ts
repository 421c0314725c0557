/**
 * The activities of the workflow of receipts: types only, implemented in `activities/receipts`.
 *
 * Each may run twice, and two at once, with the same effect as one run: a mail is written down before it is sent, and every
 * attempt has its Message-ID. Histories hold the names of the functions: they never change.
 */
import type { ReceiptInput } from './messages.ts';
import type { ReceiptStatus } from './rules/receipt.ts';

export interface ReceiptStep {
  readonly status: ReceiptStatus;
  /** When a mail is tried next; absent: none is due any more. */
  readonly nextTryAtMs?: number;
}

export interface ReceiptActivities {
  /** One attempt for some mails of callers that are due. */
  sendReceipt(input: ReceiptInput): Promise<ReceiptStep>;
}
