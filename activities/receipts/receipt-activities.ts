/** The activities of the workflow `receipt`. Caller: the role of `sales-documents`, by RECEIPTS_WORK. */
import type { ReceiptActivities } from '../../workflows/receipts/activities.ts';
import type { ReceiptMails } from './receipt-mails.ts';

export function createReceiptActivities(mails: Pick<ReceiptMails, 'sendDue'>): ReceiptActivities {
  return {
    sendReceipt: async ({ organisationId, reference }) => await mails.sendDue(organisationId, reference),
  };
}
