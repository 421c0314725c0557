/**
 * Has tickets sent that a failed refund has given back, and whose mails went without them meanwhile. The sweep starts the workflow.
 * Callers: ticket-access.ts, when it restores them; the sender of mails, when it notes such a mail later.
 */
import { deliveryWorkflowId } from '../../workflows/tickets/messages.ts';
import { hasLostMail } from '../../workflows/tickets/rules/mailing.ts';
import type { MailingStore } from './mailing-store.ts';
import type { StoredGroup } from './ticket-types.ts';

export interface Restored {
  /** What names the party that has disabled the tickets, or the mail. */
  readonly cause: string;
  readonly correlationId: string;
}

/**
 * Repeatable. The group is as it is after the write: its revision tells one restore by a party from the next, as a confirmation that is
 * refused may be tried again. A mailing too many sends nothing, once another one is planned.
 */
export async function sendRestored(
  mailings: Pick<MailingStore, 'create'>,
  { group, revision }: Pick<StoredGroup, 'group' | 'revision'>,
  { cause, correlationId }: Restored,
): Promise<void> {
  if (!hasLostMail(group)) return;
  const { organisationId, orderId, orderVersion, id: groupId } = group;
  await mailings.create({
    ...{ id: `restored/${cause}/${groupId}/${revision}`, organisationId, orderId, orderVersion, correlationId },
    workflow: deliveryWorkflowId({ orderId, orderVersion }),
    wish: { kind: 'RESTORED', groupId },
  });
}
