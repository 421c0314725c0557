/** Every command on payment pages, and what it makes of one, in the words of the table of states. */
import {
  beginAttempt,
  dropAttempt,
  placeAttempt,
  settleAttempt,
} from '../../../workflows/payment-page/rules/attempts.ts';
import { followOrder } from '../../../workflows/payment-page/rules/follow-order.ts';
import type { OrderFacts, PaymentPage } from '../../../workflows/payment-page/rules/page.ts';
import {
  advance,
  cancelPage,
  leaveAttempt,
  noteDelivery,
  patchPage,
} from '../../../workflows/payment-page/rules/transitions.ts';
import type { SettledCapture } from '../../../workflows/shared/payment-page-signals.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { later, NOW } from '../../support/sample-orders.ts';
import { AMOUNT_MINOR, orderFacts, PLACE, VIPPS, VISA } from '../../support/sample-pages.ts';

export type PageCommand = (page: PaymentPage) => PaymentPage;

/** Submits the form that the page shows now. */
function pay(
  more: { readonly amountMinor?: number; readonly contentMark?: string; readonly method?: typeof VISA } = {},
): PageCommand {
  return (page) => {
    const wanted = {
      number: page.attempts + 1,
      amountMinor: AMOUNT_MINOR,
      contentMark: 'content',
      method: VISA,
      ...more,
    };
    return beginAttempt(page, wanted, orderFacts({ version: page.orderVersion }), NOW);
  };
}

/** With the order as the page knows it, but for `changed`. */
function follow(changed: Parameters<typeof orderFacts>[0] = {}): PageCommand {
  return (page) => followOrder(page, orderFacts({ version: page.orderVersion, ...changed }), NOW);
}

function settle(
  outcome: SettledCapture['outcome'],
  order: OrderFacts = orderFacts(),
  place = PLACE,
  endedBy: SettledCapture['endedBy'] = 'REFUSAL',
): PageCommand {
  return (page) => settleAttempt(page, { ...place, outcome, endedBy }, { ...order, version: page.orderVersion }, NOW);
}

const OTHER_PLACE = { ...PLACE, transactionId: 1 as typeof PLACE.transactionId };

export const PAGE_COMMANDS: Readonly<Record<string, PageCommand>> = {
  timePasses: (page) => advance(page, NOW),
  moveExpiry: (page) => patchPage(page, { expireAt: later(60) }, NOW),
  changeMethods: (page) => patchPage(page, { paymentMethods: [VIPPS] }, NOW),
  patchNothing: (page) => patchPage(page, { expireAt: page.expireAt, paymentMethods: page.paymentMethods }, NOW),
  cancel: (page) => cancelPage(page, NOW),
  pay: pay(),
  payAgain: (page) => {
    const wanted = { number: page.attempts, amountMinor: AMOUNT_MINOR, contentMark: 'content', method: VISA };
    return beginAttempt(page, wanted, orderFacts({ version: page.orderVersion }), NOW);
  },
  payOldAmount: pay({ amountMinor: 1 }),
  payOtherContent: pay({ contentMark: 'other' }),
  payByOtherMethod: pay({ method: { paymentTypeGroup: 'INVOICE', paymentType: 'KLARNA' } }),
  getTerminal: (page) => placeAttempt(page, 1, PLACE),
  getNoTerminal: (page) => dropAttempt(page, 1, orderFacts({ version: page.orderVersion }), NOW),
  chooseAnotherMethod: (page) => leaveAttempt(page),
  orderUnchanged: follow(),
  orderAmountChanged: follow({ balanceMinor: 20_000, contentMark: 'other' }),
  orderContentChanged: follow({ contentMark: 'other' }),
  orderConfirmedElsewhere: follow({ status: 'CONFIRMED', balanceMinor: 0 }),
  orderConfirmedByThis: follow({ status: 'CONFIRMED', balanceMinor: 0, held: AMOUNT_MINOR }),
  orderPaidNotConfirmed: follow({ balanceMinor: 0, held: AMOUNT_MINOR }),
  orderCancelled: follow({ status: 'CANCELLED', balanceMinor: 0 }),
  orderExpired: follow({ status: 'EXPIRED', balanceMinor: 0 }),
  orderPastVersion: (page) => followOrder(page, orderFacts({ version: page.orderVersion + 1 }), NOW),
  capturedAndConfirmed: settle('CONFIRMED', orderFacts({ status: 'CONFIRMED', balanceMinor: 0, held: AMOUNT_MINOR })),
  capturedNotConfirmed: settle('CONFIRMED', orderFacts({ balanceMinor: 0, held: AMOUNT_MINOR })),
  capturedAndCredited: settle('CREDITED'),
  creditedAsOrderExpired: settle('CREDITED', orderFacts({ status: 'EXPIRED' })),
  creditRefused: settle('CREDIT_OUTSTANDING'),
  creditRefusedAsOrderExpired: settle('CREDIT_OUTSTANDING', orderFacts({ status: 'EXPIRED' })),
  refused: settle('ENDED'),
  refusedAndOrderChanged: settle('ENDED', orderFacts({ balanceMinor: 20_000, contentMark: 'other' })),
  voidedAndOrderSame: settle('ENDED', orderFacts(), PLACE, 'CUSTOMER'),
  voidedAndOrderChanged: settle('ENDED', orderFacts({ contentMark: 'other' }), PLACE, 'CUSTOMER'),
  refusedAndOrderCancelled: settle('ENDED', orderFacts({ status: 'CANCELLED' })),
  declinedSoftly: settle('RETRY'),
  earlierAttemptSettled: settle('ENDED', orderFacts(), OTHER_PLACE),
  earlierAttemptCredited: settle('CREDITED', orderFacts(), OTHER_PLACE),
  ticketsSent: (page) => noteDelivery(page, { delivered: true }, NOW),
  ticketsNotSent: (page) => noteDelivery(page, { delivered: false }, NOW),
  nobodyHasAddress: (page) => noteDelivery(page, { delivered: true, isUnaddressed: true }, NOW),
};

/** `same`; the code of a refusal; else the status, with what else has become of the page. */
export function outcomeOf(command: PageCommand, page: PaymentPage): string {
  try {
    const after = command(page);
    if (after === page) return 'same';
    const amount = after.status === 'OPEN' && after.amountMinor !== page.amountMinor ? ` ${after.amountMinor}` : '';
    const attempt = after.attempt?.ending ? ` ending ${after.attempt.ending}` : '';
    const last = after.status === 'OPEN' && after.lastAttempt ? ` after ${after.lastAttempt}` : '';
    const unaddressed = after.isUnaddressed ? ' unaddressed' : '';
    return `${after.status}${amount}${attempt}${last}${unaddressed}${after.lastError ? ` ${after.lastError}` : ''}`;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}
