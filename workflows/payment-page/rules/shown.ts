/** What the holder of a link is shown. Pure. */
import type { PageError, PageStatus, PaymentPage } from './page.ts';
import { isDue, isShownStill } from './page-times.ts';

/** CREDITED: closed, and money was taken that was paid back. CREDIT_OUTSTANDING: it could not be, and the seller decides. */
export type ShownStatus =
  | Extract<PageStatus, 'OPEN' | 'PROCESSING' | 'PAID' | 'COMPLETED'>
  | Extract<PageError, 'CREDITED' | 'CREDIT_OUTSTANDING'>;

/** Undefined: the link is no more valid than one that never was. The time counts, also before anybody has noted it. */
export function shownStatus(page: PaymentPage, now: Date): ShownStatus | undefined {
  const { status, lastError } = page;
  if (status === 'OPEN') return isDue(page, now) ? undefined : status;
  if (status === 'PROCESSING') return status;
  if (!isShownStill(page, now)) return undefined;
  if (status === 'PAID' || status === 'COMPLETED') return status;
  return lastError === 'CREDITED' || lastError === 'CREDIT_OUTSTANDING' ? lastError : undefined;
}
