/** The activities of deliveries and reissues, on the queue `sales-documents`. Caller: the role. */
import { withHeartbeat } from '../../../platform/temporal/heartbeat.ts';
import type { DocumentActivities, MailActivities } from '../../../workflows/tickets/activities.ts';
import { MAILS_AT_ONCE } from '../../shared/documents-capacity.ts';
import { MailSlots } from '../../shared/mail-slots.ts';
import type { MailSender } from './mail-sender.ts';

/** `slots`: those of the process. */
export function createDeliveryActivities(
  documents: DocumentActivities,
  mails: Pick<MailSender, 'sendDue'>,
  slots = new MailSlots({ atOnce: MAILS_AT_ONCE }),
): DocumentActivities & MailActivities {
  return {
    issueDocuments: (input) => withHeartbeat(() => documents.issueDocuments(input)),
    issueSuccessors: (input) => withHeartbeat(() => documents.issueSuccessors(input)),
    sendDue: (input) => slots.run(() => withHeartbeat((signal) => mails.sendDue(input, signal))),
  };
}
