/** The activities of the workflow `receipt`. Caller: the role of `sales-documents`, by RECEIPTS_WORK. */
import { withHeartbeat } from '../../platform/temporal/heartbeat.ts';
import type { ReceiptActivities } from '../../workflows/receipts/activities.ts';
import { MAILS_AT_ONCE } from '../shared/documents-capacity.ts';
import { MailSlots } from '../shared/mail-slots.ts';
import type { ReceiptMails } from './receipt-mails.ts';

/** `slots`: those of the process. */
export function createReceiptActivities(
  mails: Pick<ReceiptMails, 'sendDue'>,
  slots = new MailSlots({ atOnce: MAILS_AT_ONCE }),
): ReceiptActivities {
  return {
    sendReceipt: async ({ organisationId, reference }) =>
      await slots.run(() => withHeartbeat(() => mails.sendDue(organisationId, reference))),
  };
}
