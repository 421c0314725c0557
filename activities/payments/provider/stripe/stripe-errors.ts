/**
 * What an error of Stripe means for the port. Errors of the library carry whole objects with data of the customer: only
 * their codes leave this file. https://docs.stripe.com/error-low-level
 */
import { Stripe } from 'stripe';
import { ProviderUnknown } from '../payment-provider.ts';

/** Stripe has understood the call and has not done it. */
export class StripeRefusal extends Error {
  readonly code: string | undefined;
  readonly status: number | undefined;
  /** The issuer asks for the customer. */
  readonly needsAuthentication: boolean;
  /** By the issuer or the network, not because the call was wrong. */
  readonly isDecline: boolean;

  constructor(error: Stripe.errors.StripeError) {
    super(`Stripe refuses the call: ${describe(error)}`);
    this.name = 'StripeRefusal';
    this.code = error.code;
    this.status = error.statusCode;
    this.isDecline = error instanceof Stripe.errors.StripeCardError;
    this.needsAuthentication = [error.code, error.decline_code].includes('authentication_required');
  }
}

/** Throws ProviderUnknown or {@link StripeRefusal} for an error of the library, and every other one as it is. */
export async function asked<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    if (isUnknown(error)) throw new ProviderUnknown(`Stripe has not decided: ${describe(error)}`);
    throw new StripeRefusal(error);
  }
}

/**
 * No answer, 409 (another call holds the object), 429, 5xx. Also 401 and 403: with a wrong key of ours this call had no
 * effect, but an earlier one with the same key may have had.
 */
function isUnknown({ statusCode = 0 }: Stripe.errors.StripeError): boolean {
  return statusCode < 400 || [401, 403, 409, 429].includes(statusCode) || statusCode >= 500;
}

const MAX_KEYS = 6;

/**
 * Stripe repeats the answer of a key for a day, also a 5xx. Then the call is made under a further key. Only for calls that
 * the state of their object guards: a PaymentIntent is captured once and cancelled once, whatever the keys.
 */
export async function withFurtherKeys<T>(key: string, call: (key: string) => Promise<T>): Promise<T> {
  for (let number = 1; ; number++) {
    try {
      return await call(number === 1 ? key : `${key}~${number}`);
    } catch (error) {
      if (number === MAX_KEYS || !isRepeatedFault(error)) throw error;
    }
  }
}

function isRepeatedFault(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return false;
  return (error.statusCode ?? 0) >= 500 && error.headers?.['idempotent-replayed'] === 'true';
}

/** No text of Stripe: it may repeat an address that the caller gave. */
function describe({ type, statusCode, code, decline_code, param, requestId }: Stripe.errors.StripeError): string {
  const parts = { status: statusCode, code, decline: decline_code, param, request: requestId };
  const known = Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]));
  return [type, ...known].join(', ');
}
