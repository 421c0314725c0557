/**
 * Has tickets sent that a failed refund has given back, and whose mails went without them meanwhile. The sweep starts the workflow.
 * Callers: ticket-access.ts, when it restores them; the sender of mails, when it notes such a mail later.
 */
import { deliveryWorkflowId } from '../../workflows/tickets/messages.ts';
import { hasLostMail } from '../../workflows/tickets/rules/mailing.ts';
import type { TicketGroup } from '../../workflows/tickets/rules/ticket-group.ts';
import type { MailingStore } from './mailing-store.ts';

export interface Restored {
  /** What names the refund, or the mail: each is answered by one mailing. */
  readonly cause: string;
  readonly correlationId: string;
}

/** Repeatable. `group`: as it is after the write. */
export async function sendRestored(
  mailings: Pick<MailingStore, 'create'>,
  group: TicketGroup,
  { cause, correlationId }: Restored,
): Promise<void> {
  if (!hasLostMail(group)) return;
  const { organisationId, orderId, orderVersion, id: groupId } = group;
  await mailings.create({
    ...{ id: `restored/${cause}/${groupId}`, organisationId, orderId, orderVersion, correlationId },
    workflow: deliveryWorkflowId({ orderId, orderVersion }),
    wish: { kind: 'RESTORED', groupId },
  });
}
