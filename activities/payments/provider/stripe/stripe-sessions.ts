/** Sessions of the port as Checkout Sessions of Stripe, each with one PaymentIntent that is captured by hand. Pure. */
import type { Stripe } from 'stripe';
import { ServiceError } from '../../../../workflows/shared/service-error.ts';
import type { SessionRequest, SessionState } from '../payment-provider.ts';
import { fromStripeAmount, toStripeAmount } from './stripe-amounts.ts';
import { isRetired, needsAuthentication } from './stripe-outcomes.ts';

type SessionParams = Stripe.Checkout.SessionCreateParams;
type Session = Stripe.Checkout.Session;

/** Read with the session, so that one call tells everything. */
export const SESSION_EXPANDED = ['payment_intent.latest_charge'];

/** Cards by the brands that Checkout can block, other methods by their name at Stripe. */
const CARD_BRANDS = { VISA: 'visa', MASTERCARD: 'mastercard', AMEX: 'american_express' } as const;
const ALWAYS_BLOCKED = ['discover_global_network'] as const;
const OTHER_METHODS: Readonly<Record<string, 'mobilepay'>> = {
  MOBILEPAY: 'mobilepay',
};

const LOCALES: Readonly<Record<string, Stripe.Checkout.SessionCreateParams.Locale>> = {
  nob: 'nb',
  nno: 'nb',
  eng: 'en',
};
/** All that the page shows of the order. */
const PRODUCT: Readonly<Record<string, string>> = { nob: 'Reise', nno: 'Reise', eng: 'Travel' };

/**
 * Everything follows from the request, so that a repeat under the same key has the same parameters: Stripe refuses others.
 * No end of the session is set for that reason; Stripe ends it after 24 hours, and the caller long before.
 */
export function sessionParams(request: SessionRequest): SessionParams {
  const { reference, returnUrl, language, currency } = request;
  if (request.app) throw new ServiceError('PSP_ERROR', 'Stripe opens no app on a phone: use its page.');
  const metadata = { reference };
  return {
    mode: 'payment',
    client_reference_id: reference,
    metadata,
    payment_intent_data: { capture_method: 'manual', metadata },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(),
          unit_amount: toStripeAmount(request.amountMinor, currency),
          product_data: { name: PRODUCT[language] ?? 'Travel' },
        },
      },
    ],
    ...methodParams(request),
    // The customer pays what the order costs, in its currency.
    adaptive_pricing: { enabled: false },
    locale: LOCALES[language] ?? 'auto',
    success_url: backTo(returnUrl, 'OK'),
    cancel_url: backTo(returnUrl, 'CANCEL'),
    expand: SESSION_EXPANDED,
  };
}

function methodParams({ methods, challenge }: SessionRequest): SessionParams {
  const brands = methods.flatMap((method) => (isCardBrand(method) ? [CARD_BRANDS[method]] : []));
  const others = methods.flatMap((method) => OTHER_METHODS[method] ?? []);
  if (brands.length === 0 && others.length === 0)
    throw new ServiceError('PSP_ERROR', `Stripe takes none of these methods: ${methods.join(', ')}`);
  if (brands.length === 0) return { payment_method_types: others };
  const blocked = [...Object.values(CARD_BRANDS).filter((brand) => !brands.includes(brand)), ...ALWAYS_BLOCKED];
  return {
    payment_method_types: ['card' as const, ...others],
    payment_method_options: {
      card: {
        request_three_d_secure: challenge ? ('challenge' as const) : ('automatic' as const),
        restrictions: { brands_blocked: blocked },
      },
    },
  };
}

function isCardBrand(method: string): method is keyof typeof CARD_BRANDS {
  return method in CARD_BRANDS;
}

/** A hint for the shop alone. */
function backTo(returnUrl: string, responseCode: 'OK' | 'CANCEL'): string {
  const url = new URL(returnUrl);
  url.searchParams.set('responseCode', responseCode);
  return url.href;
}

/** `session` was read with {@link SESSION_EXPANDED}. */
export function sessionState(session: Session): SessionState {
  const intent = asObject(session.payment_intent);
  const charge = asObject(intent?.latest_charge ?? null);
  const card = charge?.payment_method_details?.card;
  const status = statusOf(session, intent);
  const currency = (session.currency ?? intent?.currency ?? '').toUpperCase();
  const amount = status === 'AUTHORISED' && intent ? authorisedAmount(intent) : (session.amount_total ?? 0);
  return {
    status,
    ...(status === 'AUTHORISED' && intent && { authorisationId: intent.id }),
    ...(card?.last4 && { last4: card.last4 }),
    ...(card?.brand && { brand: card.brand.toUpperCase() }),
    challengeDone: status === 'AUTHORISED' && CHALLENGED.has(card?.three_d_secure?.result ?? ''),
    amountMinor: fromStripeAmount(amount, currency),
    currency,
  };
}

const CHALLENGED = new Set(['authenticated', 'attempt_acknowledged']);

function statusOf(session: Session, intent: Stripe.PaymentIntent | undefined): SessionState['status'] {
  switch (intent?.status) {
    case 'requires_capture':
    case 'succeeded':
      return 'AUTHORISED';
    case 'canceled':
      return isRetired(intent) || intent.cancellation_reason === 'automatic' ? 'EXPIRED' : 'CANCELLED';
    default:
  }
  if (session.status === 'expired') return 'EXPIRED';
  // The page lets a customer whose card is refused try another one: its session stays open.
  if (session.status === 'open' || intent?.status === 'processing' || !intent) return 'OPEN';
  return needsAuthentication(intent) ? 'EXPIRED' : 'REFUSED';
}

function authorisedAmount({ status, amount_capturable, amount_received }: Stripe.PaymentIntent): number {
  return status === 'requires_capture' ? amount_capturable : amount_received;
}

/** Undefined for an absent object. Throws for one that was not read along: the call lacks `expand`. */
export function asObject<T extends { readonly id: string }>(value: T | string | null): T | undefined {
  if (typeof value === 'string') throw new TypeError('Stripe sent an id where an object was asked for');
  return value ?? undefined;
}
