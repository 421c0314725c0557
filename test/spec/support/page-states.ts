/** A payment page in each state that its table names, at the time of the tests. */
import type { AttemptEnding, PaymentPage } from '../../../workflows/payment-page/rules/page.ts';
import { later } from '../../support/sample-orders.ts';
import { openPage, paidPage, payingPage } from '../../support/sample-pages.ts';

const DAY_MINUTES = 24 * 60;

export const PAGE_STATES: Readonly<Record<string, () => PaymentPage>> = {
  OPEN: () => openPage(),
  OPEN_AGAIN: () => openPage({ attempts: 1 }),
  OPEN_DUE: () => openPage({ expireAt: later(-1) }),
  OPEN_VERSION_2: () => openPage({ orderVersion: 2 }),
  PROCESSING: () => payingPage(),
  WITHOUT_TERMINAL: () => {
    const { attempt, ...page } = payingPage();
    if (!attempt) throw new Error('The sample has an attempt');
    const { place: _place, ...rest } = attempt;
    return { ...page, attempt: rest };
  },
  ENDING: () => endingFor('OTHER_METHOD'),
  ENDING_CHANGED: () => endingFor('ORDER_CHANGED'),
  ENDING_EXPIRED: () => endingFor('EXPIRED', { expireAt: later(-20) }),
  ABANDONED: () => payingPage(31),
  PROCESSING_DUE: () => payingPage(1, { expireAt: later(-1) }),
  GRACE_OVER: () => payingPage(20, { expireAt: later(-16) }),
  PAID: () => paidPage(),
  PAID_LATE: () => paidPage({ endedAt: later(-2 * DAY_MINUTES) }),
  PAID_FAILED: () => paidPage({ lastError: 'DELIVERY_FAILED' }),
  COMPLETED: () => paidPage({ status: 'COMPLETED', completedAt: later(-1) }),
  UNADDRESSED: () => paidPage({ status: 'COMPLETED', completedAt: later(-1), isUnaddressed: true }),
  EXPIRED: () => openPage({ status: 'EXPIRED', endedAt: later(-1) }),
  CANCELLED: () => openPage({ status: 'CANCELLED', endedAt: later(-1) }),
  OUTSTANDING: () => openPage({ status: 'CANCELLED', endedAt: later(-1), lastError: 'CREDIT_OUTSTANDING' }),
};

function endingFor(ending: AttemptEnding, more: Partial<PaymentPage> = {}): PaymentPage {
  const page = payingPage(1, more);
  return page.attempt ? { ...page, attempt: { ...page.attempt, ending } } : page;
}
