/**
 * Amounts between the service and Stripe. Both count the smallest unit of a currency, but not always the same one. Pure.
 * https://docs.stripe.com/currencies
 */
import { fractionDigits } from '../../../../workflows/shared/money.ts';
import { ServiceError } from '../../../../workflows/shared/service-error.ts';

const NO_DIGITS = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
const THREE_DIGITS = new Set('BHD JOD KWD OMR TND'.split(' '));
/** Stripe counts hundredths of these, but takes whole units alone. */
const WHOLE_UNITS = new Set(['ISK', 'UGX']);

function stripeDigits(currency: string): number {
  if (NO_DIGITS.has(currency)) return 0;
  return THREE_DIGITS.has(currency) ? 3 : 2;
}

/** What Stripe's amounts of this currency are multiples of. Networks round the third digit, so it is always 0. */
function stripeStep(currency: string): number {
  if (WHOLE_UNITS.has(currency)) return 100;
  return THREE_DIGITS.has(currency) ? 10 : 1;
}

/** Throws PSP_ERROR when Stripe cannot take exactly this amount. */
export function toStripeAmount(amountMinor: number, currency: string): number {
  const amount = scaled(amountMinor, stripeDigits(currency) - fractionDigits(currency));
  if (amount === undefined || amount % stripeStep(currency) !== 0)
    throw new ServiceError('PSP_ERROR', `Stripe cannot take ${amountMinor} smallest units of ${currency} exactly.`);
  return amount;
}

/** Throws RangeError when the service has no exact amount for it. `currency` in any case. */
export function fromStripeAmount(amount: number, currency: string): number {
  const code = currency.toUpperCase();
  const amountMinor = scaled(amount, fractionDigits(code) - stripeDigits(code));
  if (amountMinor === undefined) throw new RangeError(`${amount} of Stripe is no exact amount in ${code}`);
  return amountMinor;
}

/** `amount × 10^digits`; undefined when that is no exact integer. */
function scaled(amount: number, digits: number): number | undefined {
  const result = digits >= 0 ? amount * 10 ** digits : amount / 10 ** -digits;
  return Number.isSafeInteger(result) && Number.isSafeInteger(amount) ? result : undefined;
}
