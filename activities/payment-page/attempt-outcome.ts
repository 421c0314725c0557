/** Takes over into the page what the area of payments says of an attempt. Callers: the activities, the server of the pages. */
import { settleAttempt } from '../../workflows/payment-page/rules/attempts.ts';
import { isSold } from '../../workflows/payment-page/rules/follow-order.ts';
import type { OrderFacts, PaymentPage } from '../../workflows/payment-page/rules/page.ts';
import type { SettledCapture } from '../../workflows/shared/payment-page-signals.ts';
import type { AttemptState } from '../shared/payments.ts';

/** Pure. The same page while the outcome is not known, or the money is taken and the order not confirmed yet. */
export function takeOutcome(page: PaymentPage, state: AttemptState, order: OrderFacts, now: Date): PaymentPage {
  const { attempt } = page;
  const outcome = outcomeOf(state, page, order);
  if (!attempt?.place || !outcome) return page;
  const { endedBy } = state;
  return settleAttempt(page, { ...attempt.place, outcome, ...(endedBy && { endedBy }) }, order, now);
}

function outcomeOf(
  { state }: AttemptState,
  page: PaymentPage,
  order: OrderFacts,
): SettledCapture['outcome'] | undefined {
  if (state === 'ENDED' || state === 'CREDITED') return state;
  if (state !== 'CAPTURED' && state !== 'CREDIT_OUTSTANDING') return undefined;
  if (isSold(page, order)) return 'CONFIRMED';
  return state === 'CREDIT_OUTSTANDING' ? state : undefined;
}
