/** Payment pages, and the orders that they are for, for tests of the rules and stores. */
import type { OrderFacts, PaymentPage } from '../../workflows/payment-page/rules/page.ts';
import type {
  DistributionChannelId,
  OrderId,
  PaymentId,
  PaymentPageId,
  TransactionId,
} from '../../workflows/shared/ids.ts';
import { later, NOW, OURS } from './sample-orders.ts';

export const VISA = { paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA' };
export const VIPPS = { paymentTypeGroup: 'MOBILE', paymentType: 'VIPPS' };
export const AMOUNT_MINOR = 34_900;
export const PLACE = { paymentId: 4_711 as PaymentId, transactionId: 815 as TransactionId };
export const PAGE_CHANNEL = 'SVC:DistributionChannel:PaymentPage' as DistributionChannelId;
const DAY_MINUTES = 24 * 60;

/** Made a minute before {@link NOW}, for a week. */
export function openPage(more: Partial<PaymentPage> = {}): PaymentPage {
  return {
    id: '6f0d2a3e-0f3c-8b11-9d4e-5a1f0f2d7c01' as PaymentPageId,
    organisationId: OURS,
    distributionChannelId: PAGE_CHANNEL,
    orderId: 'K7QW2MXP' as OrderId,
    orderVersion: 1,
    status: 'OPEN',
    expireAt: later(7 * DAY_MINUTES),
    paymentMethods: [VISA, VIPPS],
    amountMinor: AMOUNT_MINOR,
    currency: 'NOK',
    contentMark: 'content',
    attempts: 0,
    createdAt: later(-1),
    ...more,
  };
}

/** An attempt has a terminal since `minutes` before {@link NOW}. */
export function payingPage(minutes = 1, more: Partial<PaymentPage> = {}): PaymentPage {
  const attempt = { number: 1, ...VISA, amountMinor: AMOUNT_MINOR, contentMark: 'content', place: PLACE };
  return openPage({ status: 'PROCESSING', attempts: 1, attempt: { ...attempt, activeAt: later(-minutes) }, ...more });
}

/** Paid a minute before {@link NOW}. */
export function paidPage(more: Partial<PaymentPage> = {}): PaymentPage {
  return openPage({ status: 'PAID', attempts: 1, endedAt: later(-1), ...more });
}

/** The order as the page knows it. */
export function orderFacts({ held = 0, ...more }: Partial<OrderFacts> & { readonly held?: number } = {}): OrderFacts {
  return {
    status: 'DRAFT',
    version: 1,
    currency: 'NOK',
    balanceMinor: AMOUNT_MINOR,
    contentMark: 'content',
    isHeld: false,
    heldMinor: (paymentId) => (paymentId === PLACE.paymentId ? held : 0),
    ...more,
  };
}

export const AT = NOW;
