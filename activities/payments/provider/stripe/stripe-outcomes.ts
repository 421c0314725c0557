/**
 * What the state of a PaymentIntent or Refund says about a call. Money never moves twice because the outcome is read from
 * these states, which Stripe keeps, and not from the answers under a key, which it forgets after a day. Pure.
 */
import type { Stripe } from 'stripe';
import type { AuthorisedMoney, MoneyOutcome } from '../payment-provider.ts';
import { toStripeAmount } from './stripe-amounts.ts';

/** Why we cancel: a PaymentIntent that asks for the customer makes place for one of a new session, or its money is not needed. */
export const RETIRED = 'abandoned';
export const VOIDED = 'requested_by_customer';

const SOFT_DECLINE: MoneyOutcome = { outcome: 'SOFT_DECLINE', sessionEnded: true };

type Intent = Stripe.PaymentIntent;
type Money = Omit<AuthorisedMoney, 'key'>;

/** `intent` was read with `latest_charge`. */
export function captureOutcome(intent: Intent, money: Money): MoneyOutcome {
  switch (intent.status) {
    case 'succeeded':
      assertAmount(intent, money);
      return { outcome: 'DONE', ...rrnOf(intent) };
    case 'processing':
      return { outcome: 'PENDING' };
    case 'requires_capture':
      return { outcome: 'NEVER_SEEN' };
    case 'canceled':
      return isRetired(intent) ? SOFT_DECLINE : { outcome: 'REFUSED' };
    default:
      return asksForCustomer(intent) ? SOFT_DECLINE : { outcome: 'REFUSED' };
  }
}

export function voidOutcome({ status }: Intent): MoneyOutcome {
  if (status === 'canceled') return { outcome: 'DONE' };
  if (status === 'succeeded') return { outcome: 'REFUSED' };
  return { outcome: status === 'processing' ? 'PENDING' : 'NEVER_SEEN' };
}

export function refundOutcome(refund: Stripe.Refund): MoneyOutcome {
  switch (refund.status) {
    case 'succeeded':
      return { outcome: 'DONE', rrn: refund.destination_details?.card?.reference ?? refund.id };
    case 'failed':
    case 'canceled':
      return { outcome: 'REFUSED' };
    default:
      return { outcome: 'PENDING' };
  }
}

/** The issuer asked for the customer when the money was to be captured. */
export function asksForCustomer(intent: Intent): boolean {
  const { status } = intent;
  return status === 'requires_action' || status === 'requires_confirmation' || needsAuthentication(intent);
}

export function needsAuthentication({ last_payment_error }: Intent): boolean {
  return [last_payment_error?.code, last_payment_error?.decline_code].includes('authentication_required');
}

/** Cancelled because the next round has a session of its own. */
export function isRetired({ status, cancellation_reason }: Intent): boolean {
  return status === 'canceled' && cancellation_reason === RETIRED;
}

/** Somebody may have captured a part by hand in Stripe's dashboard: the service must not take that for the whole. */
function assertAmount(intent: Intent, { amountMinor, currency }: Money): void {
  const expected = toStripeAmount(amountMinor, currency);
  if (intent.amount_received === expected && intent.currency === currency.toLowerCase()) return;
  const found = `${intent.amount_received} ${intent.currency}`;
  throw new Error(
    `Stripe has captured ${found} of ${intent.id} in place of ${expected} ${currency}: see its dashboard`,
  );
}

/** The network's reference, where the method has one; else Stripe's own. */
function rrnOf({ latest_charge }: Intent): { readonly rrn?: string } {
  if (latest_charge === null || typeof latest_charge === 'string')
    return latest_charge === null ? {} : { rrn: latest_charge };
  const { id, balance_transaction, payment_method_details } = latest_charge;
  const booked = typeof balance_transaction === 'object' ? balance_transaction?.id : balance_transaction;
  return { rrn: payment_method_details?.card?.network_transaction_id ?? booked ?? id };
}
