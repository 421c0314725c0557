/** What Stripe has booked in a time, from its balance transactions: the books that its payouts follow. */
import type { Stripe } from 'stripe';
import type { ProviderMovement } from '../payment-provider.ts';
import { fromStripeAmount } from './stripe-amounts.ts';
import { asked } from './stripe-errors.ts';
import { asObject } from './stripe-sessions.ts';

type Booked = Stripe.BalanceTransaction;

/** Asked type by type: Stripe expands a member only where every source of the answer has it. */
const TYPES = {
  charge: ['data.source.payment_intent'],
  payment: ['data.source.payment_intent'],
  refund: ['data.source.payment_intent'],
  payment_refund: ['data.source.payment_intent'],
  refund_failure: ['data.source.payment_intent'],
  adjustment: ['data.source'],
} as const;
const SECOND_MS = 1_000;

/** One type after the other, each with the newest first. Stripe books by whole seconds. */
export async function* listMovements(stripe: Stripe, from: Date, until: Date): AsyncIterable<ProviderMovement> {
  const created = { gte: seconds(from), lt: seconds(until) };
  for (const [type, expand] of Object.entries(TYPES)) {
    let after: string | undefined;
    for (;;) {
      const page = { created, type, limit: 100, expand: [...expand], ...(after && { starting_after: after }) };
      const { data, has_more } = await asked(() => stripe.balanceTransactions.list(page));
      for (const booked of data) {
        const movement = await movementOf(stripe, booked);
        if (movement) yield movement;
      }
      after = data.at(-1)?.id;
      if (!has_more || after === undefined) break;
    }
  }
}

/** The first whole second that is not before. */
function seconds(time: Date): number {
  return Math.ceil(time.getTime() / SECOND_MS);
}

/** By the source, in the currency of the sale: the balance may be in another one. */
async function movementOf(stripe: Stripe, booked: Booked): Promise<ProviderMovement | undefined> {
  const { source } = booked;
  const at = new Date(booked.created * SECOND_MS);
  if (source === null || typeof source === 'string') return undefined;
  switch (source.object) {
    case 'charge': {
      const intent = asObject((source as Stripe.Charge).payment_intent);
      return { kind: 'CAPTURE', ...booking(source.amount_captured, source.currency, intent), ...capture(intent), at };
    }
    case 'refund': {
      const taken = booked.type === 'refund_failure' ? -source.amount : source.amount;
      const key = source.metadata?.credit_key ?? source.id;
      return { kind: 'REFUND', ...booking(taken, source.currency, asObject(source.payment_intent)), key, at };
    }
    case 'dispute': {
      const intent = await intentOf(stripe, source.payment_intent);
      const taken = booked.amount > 0 ? -source.amount : source.amount;
      return { kind: 'DISPUTE', ...booking(taken, source.currency, intent), key: source.id, at };
    }
    default:
      return undefined;
  }
}

function booking(amount: number, currency: string, intent: Stripe.PaymentIntent | undefined) {
  return {
    reference: intent?.metadata.reference ?? '',
    amountMinor: fromStripeAmount(amount, currency),
    currency: currency.toUpperCase(),
  };
}

function capture(intent: Stripe.PaymentIntent | undefined) {
  return { key: intent?.metadata.capture_key ?? intent?.id ?? '' };
}

async function intentOf(stripe: Stripe, intent: Stripe.Dispute['payment_intent']) {
  return typeof intent === 'string' ? await asked(() => stripe.paymentIntents.retrieve(intent)) : asObject(intent);
}
