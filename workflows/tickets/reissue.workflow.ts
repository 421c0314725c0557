/**
 * Signs, stores and sends the successors of tickets whose validity or holder was changed. The change is written down before; this
 * makes what it needs, and repeats until it is done.
 *
 * Started by the call that has changed the tickets, and by the sweep. Like `delivery` it outlives deployments (auto-upgrade).
 */
import { continueAsNew, log } from '@temporalio/workflow';
import { Mutex } from '../shared/mutex.ts';
import { documents } from './activity-proxies.ts';
import type { DeliveryResult, ReissueInput } from './messages.ts';
import { DeliveryLife } from './rules/delivery-life.ts';
import { sendUntilOver } from './sending.ts';

export async function reissue(input: ReissueInput): Promise<DeliveryResult> {
  const life = new DeliveryLife();
  life.issued(await documents.issueSuccessors(input));
  life.mailsWritten();
  const isOver = await sendUntilOver(input, life, new Mutex());
  if (!isOver) return await continueAsNew<typeof reissue>(input);
  const { outcome } = life;
  log.info('A reissue has ended', { orderId: input.orderId, groupId: input.groupId, outcome });
  return { outcome };
}
