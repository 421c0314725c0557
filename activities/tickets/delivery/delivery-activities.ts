/** The activities of deliveries and reissues, on the queue `sales-documents`. Caller: the role. */
import { withHeartbeat } from '../../../platform/temporal/heartbeat.ts';
import type { DocumentActivities, MailActivities } from '../../../workflows/tickets/activities.ts';

export function createDeliveryActivities(
  documents: DocumentActivities,
  mails: MailActivities,
): DocumentActivities & MailActivities {
  return {
    issueDocuments: (input) => withHeartbeat(() => documents.issueDocuments(input)),
    issueSuccessors: (input) => withHeartbeat(() => documents.issueSuccessors(input)),
    sendDue: (input) => withHeartbeat(() => mails.sendDue(input)),
  };
}
