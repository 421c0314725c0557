/**
 * Events that Stripe sends. The signature covers the bytes and the time of sending. Of an event only the ids are used:
 * what became of a dispute or a refund is read again.
 */
import { Stripe } from 'stripe';
import type { PaymentId, TransactionId } from '../../../../workflows/shared/ids.ts';
import type { ProviderReport, ProviderTrouble, RawCallback } from '../payment-provider.ts';
import { fromStripeAmount } from './stripe-amounts.ts';
import { isLive, type StripeAccess } from './stripe-config.ts';
import { asked } from './stripe-errors.ts';
import { asObject } from './stripe-sessions.ts';

/** An event that is older was kept back by somebody. Stripe signs each repeat anew. */
const TOLERANCE_SECONDS = 300;
const REFERENCE = /^([1-9]\d{0,15})\/([1-9]\d{0,15})$/;
/** Nothing was taken back from us: an inquiry, or a dispute that Stripe has prevented. */
const HARMLESS = new Set(['warning_needs_response', 'warning_under_review', 'warning_closed', 'prevented']);
const INTENT = { expand: ['payment_intent'] };

type Verified = ProviderReport | 'IRRELEVANT' | undefined;

export class StripeCallbacks {
  readonly #stripe: Stripe;
  readonly #access: StripeAccess;
  readonly #now: () => Date;

  constructor(stripe: Stripe, access: StripeAccess, now: () => Date) {
    this.#stripe = stripe;
    this.#access = access;
    this.#now = now;
  }

  async verify(callback: RawCallback): Promise<Verified> {
    const event = this.#verified(callback);
    if (!event) return undefined;
    if (event.livemode !== isLive(this.#access.secretKey)) return 'IRRELEVANT';
    return await this.#reportOf(event);
  }

  #verified({ body, headers }: RawCallback): Stripe.Event | undefined {
    const signature = headers['stripe-signature'];
    if (signature === undefined) return undefined;
    try {
      const { webhooks } = this.#stripe;
      const { webhookSecret } = this.#access;
      const at = this.#now().getTime();
      return webhooks.constructEvent(Buffer.from(body), signature, webhookSecret, TOLERANCE_SECONDS, undefined, at);
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError)
        return undefined;
      throw error;
    }
  }

  async #reportOf(event: Stripe.Event): Promise<Verified> {
    switch (event.type) {
      case 'checkout.session.completed':
      case 'checkout.session.expired':
      case 'checkout.session.async_payment_succeeded':
      case 'checkout.session.async_payment_failed':
      case 'payment_intent.amount_capturable_updated':
      case 'payment_intent.succeeded':
      case 'payment_intent.canceled':
        return report(event, event.data.object.metadata?.reference);
      case 'charge.dispute.created':
      case 'charge.dispute.funds_withdrawn':
      case 'charge.dispute.funds_reinstated':
      case 'charge.dispute.closed':
        return await this.#disputed(event, event.data.object.id);
      case 'refund.failed':
      case 'refund.updated':
      case 'charge.refund.updated':
        return await this.#refundFailed(event, event.data.object.id);
      default:
        return 'IRRELEVANT';
    }
  }

  async #disputed(event: Stripe.Event, id: string): Promise<Verified> {
    const dispute = await asked(() => this.#stripe.disputes.retrieve(id, INTENT));
    if (HARMLESS.has(dispute.status)) return 'IRRELEVANT';
    const amountMinor = fromStripeAmount(dispute.amount, dispute.currency);
    const kind = dispute.status === 'won' ? 'DISPUTE_WON' : 'DISPUTED';
    return report(event, referenceOf(dispute), { kind, amountMinor, currency: dispute.currency.toUpperCase() });
  }

  async #refundFailed(event: Stripe.Event, id: string): Promise<Verified> {
    const refund = await asked(() => this.#stripe.refunds.retrieve(id, INTENT));
    const key = refund.metadata?.credit_key;
    if (key === undefined || (refund.status !== 'failed' && refund.status !== 'canceled')) return 'IRRELEVANT';
    return report(event, referenceOf(refund), { kind: 'REFUND_FAILED', key });
  }
}

function referenceOf({ payment_intent }: Stripe.Dispute | Stripe.Refund): string | undefined {
  return asObject(payment_intent)?.metadata.reference;
}

/** The account may have other payments, which carry no reference of ours. */
function report({ id }: Stripe.Event, reference: string | undefined, trouble?: ProviderTrouble): Verified {
  const [, payment, transaction] = REFERENCE.exec(reference ?? '') ?? [];
  const paymentId = Number(payment);
  const transactionId = Number(transaction);
  if (!Number.isSafeInteger(paymentId) || !Number.isSafeInteger(transactionId)) return 'IRRELEVANT';
  const place = { paymentId: paymentId as PaymentId, transactionId: transactionId as TransactionId };
  return { id, ...place, ...(trouble && { trouble }) };
}
