/**
 * Stripe behind the port to payment providers. The customer authorises on Stripe's page (Checkout); 3-D Secure happens
 * there. A soft decline of a capture ends the page, so the next round has a new one. See package.md.
 */
import type { Stripe } from 'stripe';
import { ServiceError } from '../../../../workflows/shared/service-error.ts';
import type {
  AuthorisedMoney,
  MoneyOutcome,
  OpenedSession,
  PaymentProvider,
  ProviderMovement,
  ProviderReport,
  RawCallback,
  SessionRequest,
  SessionState,
} from '../payment-provider.ts';
import { toStripeAmount } from './stripe-amounts.ts';
import { StripeCallbacks } from './stripe-callbacks.ts';
import { createStripeClient } from './stripe-client.ts';
import type { StripeAccess } from './stripe-config.ts';
import { asked, StripeRefusal, withFurtherKeys } from './stripe-errors.ts';
import { listMovements } from './stripe-movements.ts';
import { captureOutcome, isRetired, RETIRED, VOIDED, voidOutcome } from './stripe-outcomes.ts';
import { StripeRefunds } from './stripe-refunds.ts';
import { SESSION_EXPANDED, sessionParams, sessionState } from './stripe-sessions.ts';

export const STRIPE = 'STRIPE';

const EXPANDED = { expand: ['latest_charge'] };

type Money = Omit<AuthorisedMoney, 'key'>;

export class StripeProvider implements PaymentProvider {
  readonly name = STRIPE;
  readonly #stripe: Stripe;
  readonly #refunds: StripeRefunds;
  readonly #callbacks: StripeCallbacks;

  constructor(access: StripeAccess, now: () => Date = () => new Date()) {
    this.#stripe = createStripeClient(access);
    this.#refunds = new StripeRefunds(this.#stripe);
    this.#callbacks = new StripeCallbacks(this.#stripe, access, now);
  }

  async openSession(request: SessionRequest): Promise<OpenedSession> {
    const params = sessionParams(request);
    const open = (idempotencyKey: string) => this.#stripe.checkout.sessions.create(params, { idempotencyKey });
    // Nobody knows the address of a session that an earlier fault has left: no money can move there.
    const { id, url } = await unlessRefused(() => asked(() => withFurtherKeys(`session:${request.key}`, open)));
    if (url === null) throw new Error(`Stripe has opened ${id} without an address`);
    return { sessionId: id, terminalUri: url };
  }

  async session(sessionId: string): Promise<SessionState> {
    const expanded = { expand: SESSION_EXPANDED };
    return sessionState(await asked(() => this.#stripe.checkout.sessions.retrieve(sessionId, expanded)));
  }

  async cancelSession(sessionId: string, key: string): Promise<void> {
    const expire = (idempotencyKey: string) => this.#stripe.checkout.sessions.expire(sessionId, {}, { idempotencyKey });
    try {
      await asked(() => withFurtherKeys(`expire:${key}:${sessionId}`, expire));
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error;
      const { status } = await asked(() => this.#stripe.checkout.sessions.retrieve(sessionId));
      if (status === 'open') throw error;
    }
  }

  async capture(money: AuthorisedMoney): Promise<MoneyOutcome> {
    const { key, authorisationId, amountMinor, currency } = money;
    const amount = toStripeAmount(amountMinor, currency);
    const params = { amount_to_capture: amount, metadata: { capture_key: key }, ...EXPANDED };
    const capture = (idempotencyKey: string) =>
      this.#stripe.paymentIntents.capture(authorisationId, params, { idempotencyKey });
    try {
      const intent = await asked(() => withFurtherKeys(`capture:${key}`, capture));
      return await this.#settled(intent, money);
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error;
      return await this.#refusedCapture(money, error);
    }
  }

  async void({ key, authorisationId }: AuthorisedMoney): Promise<MoneyOutcome> {
    try {
      return voidOutcome(await this.#cancel(authorisationId, `void:${key}:${authorisationId}`, VOIDED));
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error;
      const found = voidOutcome(await this.#intent(authorisationId));
      if (found.outcome === 'NEVER_SEEN') throw error;
      return found;
    }
  }

  refund(money: AuthorisedMoney): Promise<MoneyOutcome> {
    return this.#refunds.refund(money);
  }

  async outcomeOf(key: string, money: Money): Promise<MoneyOutcome> {
    switch (callOf(key)) {
      case 'REFUND':
        return await this.#refunds.outcomeOf(key, money.authorisationId);
      case 'VOID':
        return voidOutcome(await this.#intent(money.authorisationId));
      case 'CAPTURE':
        return await this.#settled(await this.#intent(money.authorisationId), money);
    }
  }

  verifyCallback(callback: RawCallback): Promise<ProviderReport | 'IRRELEVANT' | undefined> {
    return this.#callbacks.verify(callback);
  }

  movements(from: Date, until: Date): AsyncIterable<ProviderMovement> {
    return listMovements(this.#stripe, from, until);
  }

  /** The call was wrong, the issuer has declined, or another key has been faster: the PaymentIntent tells which. */
  async #refusedCapture(money: AuthorisedMoney, refusal: StripeRefusal): Promise<MoneyOutcome> {
    const intent = await this.#intent(money.authorisationId);
    const isOver = intent.status === 'succeeded' || intent.status === 'canceled';
    if (refusal.needsAuthentication && !isOver) return await this.#retire(intent, money);
    const found = await this.#settled(intent, money);
    if (found.outcome !== 'NEVER_SEEN') return found;
    if (refusal.isDecline) return { outcome: 'REFUSED' };
    throw refusal;
  }

  async #settled(intent: Stripe.PaymentIntent, money: Money): Promise<MoneyOutcome> {
    const found = captureOutcome(intent, money);
    return found.outcome === 'SOFT_DECLINE' && !isRetired(intent) ? await this.#retire(intent, money) : found;
  }

  /** The customer could still authorise it. Two authorisations for one transaction would block twice the money. */
  async #retire({ id }: Stripe.PaymentIntent, money: Money): Promise<MoneyOutcome> {
    try {
      return captureOutcome(await this.#cancel(id, `retire:${id}`, RETIRED), money);
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error;
      return captureOutcome(await this.#intent(id), money);
    }
  }

  #cancel(id: string, key: string, reason: typeof RETIRED | typeof VOIDED): Promise<Stripe.PaymentIntent> {
    const params = { cancellation_reason: reason, ...EXPANDED };
    const cancel = (idempotencyKey: string) => this.#stripe.paymentIntents.cancel(id, params, { idempotencyKey });
    return asked(() => withFurtherKeys(key, cancel));
  }

  #intent(id: string): Promise<Stripe.PaymentIntent> {
    return asked(() => this.#stripe.paymentIntents.retrieve(id, EXPANDED));
  }
}

/** As an amount that is too small: no repeat opens the page. */
async function unlessRefused<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    const why = error.code === undefined ? '' : `: ${error.code}`;
    throw new ServiceError('PSP_ERROR', `Stripe opens no page for this payment${why}.`, { cause: error });
  }
}

const CALLS = { cap: 'CAPTURE', void: 'VOID', cr: 'REFUND' } as const;

/** Which call a key of ours belongs to. Stripe cannot be asked by key. */
function callOf(key: string): (typeof CALLS)[keyof typeof CALLS] {
  const [prefix = ''] = key.split('-');
  if (!(prefix in CALLS)) throw new RangeError(`${key} is no key of a call that moves money`);
  return CALLS[prefix as keyof typeof CALLS];
}
