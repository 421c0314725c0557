/** What the workflows of this folder share: sending until nothing is due, and telling the payment page. */
import { allHandlersFinished, condition, getExternalWorkflowHandle, log, workflowInfo } from '@temporalio/workflow';
import type { Mutex } from '../shared/mutex.ts';
import { deliverySettledSignal, paymentPageWorkflowId } from '../shared/payment-page-signals.ts';
import { isLongEnough } from '../shared/run-length.ts';
import { mails } from './activity-proxies.ts';
import type { ReissueInput } from './messages.ts';
import type { DeliveryLife } from './rules/delivery-life.ts';

type SentOrder = Pick<ReissueInput, 'organisationId' | 'orderId' | 'correlationId'>;

/** False: the run is long, and the next one goes on. */
export async function sendUntilOver(
  { organisationId, orderId, correlationId }: SentOrder,
  life: DeliveryLife,
  turns: Mutex,
): Promise<boolean> {
  const { workflowId: workflow } = workflowInfo();
  for (;;) {
    if (life.mustSend(Date.now())) {
      await turns.run(async () => {
        life.sendingBegins();
        life.sent(await mails.sendDue({ organisationId, orderId, workflow, correlationId }));
      });
    }
    if (life.isOver) await condition(allHandlersFinished);
    if (life.isOver) return true;
    if (isLong(life)) {
      await condition(allHandlersFinished);
      return false;
    }
    const restMs = life.restMs(Date.now());
    if (restMs > 0) await condition(() => life.mustSend(Date.now()), restMs);
  }
}

/** A page that has ended needs to know nothing more. Where a ticket waits, the run that sends it tells. */
export async function tellPage(life: DeliveryLife): Promise<void> {
  if (life.page === undefined || life.outcome === 'WAITING') return;
  const delivered = life.outcome !== 'FAILED';
  const settled = { delivered, ...(life.outcome === 'UNADDRESSED' && { isUnaddressed: true as const }) };
  try {
    await getExternalWorkflowHandle(paymentPageWorkflowId(life.page)).signal(deliverySettledSignal, settled);
  } catch {
    log.info('The payment page has ended before the delivery', { pageId: life.page, delivered });
  }
}

function isLong({ messages }: DeliveryLife): boolean {
  const { runStartTime, continueAsNewSuggested } = workflowInfo();
  const run = { startedAtMs: runStartTime.getTime(), messages, suggestedByServer: continueAsNewSuggested };
  return isLongEnough(run, Date.now());
}
