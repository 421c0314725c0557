/** What the payment page that began a transaction is told of a step. Pure. */
import type { SettledCapture } from '../../shared/payment-page-signals.ts';
import type { CaptureStep } from '../activities.ts';
import { isTaken } from './transactions.ts';

/** Undefined: nothing has ended, so the page waits on. */
export function pageOutcome(step: CaptureStep): SettledCapture['outcome'] | undefined {
  const { next, status, refusal, isCredited = false, isOutstanding = false } = step;
  if (next === 'WAIT' && refusal?.code === 'SOFT_DECLINE') return 'RETRY';
  if (next !== 'OVER' || isOutstanding) return undefined;
  if (isCredited || status === 'CREDITED') return 'CREDITED';
  return isTaken({ status }) ? 'CONFIRMED' : 'ENDED';
}
