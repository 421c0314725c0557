/** Refunds, each with the caller's key in its metadata: Stripe forgets keys after a day, never metadata. */
import type { Stripe } from 'stripe';
import type { AuthorisedMoney, MoneyOutcome } from '../payment-provider.ts';
import { toStripeAmount } from './stripe-amounts.ts';
import { asked, StripeRefusal } from './stripe-errors.ts';
import { refundOutcome } from './stripe-outcomes.ts';

/** The money is not there to be paid back by Stripe. Every other refusal is a fault of ours, and is repeated. */
const REFUSED_CODES = new Set(['charge_already_refunded', 'charge_disputed', 'refund_disputed_payment']);

export class StripeRefunds {
  readonly #stripe: Stripe;

  constructor(stripe: Stripe) {
    this.#stripe = stripe;
  }

  /**
   * Looks for the key first: a repeat after more than a day would pay twice otherwise. Within a day Stripe's own key guards
   * against two calls at once.
   */
  async refund({ key, authorisationId, amountMinor, currency }: AuthorisedMoney): Promise<MoneyOutcome> {
    const known = await this.outcomeOf(key, authorisationId);
    if (known.outcome !== 'NEVER_SEEN') return known;
    const amount = toStripeAmount(amountMinor, currency);
    const params = { payment_intent: authorisationId, amount, metadata: { credit_key: key } };
    try {
      const idempotencyKey = `refund:${key}`;
      return refundOutcome(await asked(() => this.#stripe.refunds.create(params, { idempotencyKey })));
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error;
      const found = await this.outcomeOf(key, authorisationId);
      if (found.outcome !== 'NEVER_SEEN') return found;
      if (error.isDecline || REFUSED_CODES.has(error.code ?? '')) return { outcome: 'REFUSED' };
      throw error;
    }
  }

  async outcomeOf(key: string, authorisationId: string): Promise<MoneyOutcome> {
    const refund = await asked(() => this.#find(key, authorisationId));
    return refund ? refundOutcome(refund) : { outcome: 'NEVER_SEEN' };
  }

  async #find(key: string, authorisationId: string): Promise<Stripe.Refund | undefined> {
    for await (const refund of this.#stripe.refunds.list({ payment_intent: authorisationId, limit: 100 })) {
      if (refund.metadata?.credit_key === key) return refund;
    }
    return undefined;
  }
}
