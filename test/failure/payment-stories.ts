/**
 * Stories of payments, told by several callers at once: cards of every behaviour, callers that cancel, compete or give up.
 * Each remembers how its transactions must end. Used by payment-run.ts.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { HEADERS, type MadePayment, type PaymentCalls } from './payment-calls.ts';

export const STORY_SCOPES = [
  ...['orders:read', 'orders:write', 'orders:price', 'payments:read', 'payments:write', 'events:read'],
];

type Ending = 'CAPTURED' | 'REJECTED' | 'CANCELLED' | 'CREDITED';

/** A transaction, and how it may end. One whose caller gave up may end in several ways. */
export interface ToldPayment extends MadePayment {
  readonly endings: readonly Ending[];
  readonly story: string;
}

const CARDS = {
  ok: '4111111111111111',
  challenge: '4000002500003155',
  failingChallenge: '4000008400001629',
  refused: '4000000000000002',
  unanswered: '4000000000000259',
  pending: '4000000000000077',
  unruly: '4000000000000101',
} as const;

const KINDS = [
  ...(['PAY', 'UNANSWERED', 'CHALLENGE', 'CREDIT', 'PENDING', 'REFUSED', 'COMPETE', 'CANCEL'] as const),
  ...(['PAY', 'UNRULY', 'GIVE_UP', 'APP', 'FAILING', 'TWO_PAYMENTS', 'CREDIT', 'CANCEL_PAID', 'EXPIRE'] as const),
] as const;
type Kind = (typeof KINDS)[number];

const AMOUNT = '349.00';
const APP_WITHIN_MS = 420_000;
const LOOK_MS = 300;
const EXPIRES_IN_MS = 1_500;

export class PaymentStories {
  readonly #calls: PaymentCalls;
  readonly told: ToldPayment[] = [];

  constructor(calls: PaymentCalls) {
    this.#calls = calls;
  }

  async tell(index: number): Promise<void> {
    const kind = KINDS[index % KINDS.length] ?? 'PAY';
    try {
      await this.#tell(kind);
    } catch (error) {
      this.#calls.faults.push(`${kind}: ${(error as Error).message}`);
    }
  }

  async #tell(kind: Kind): Promise<void> {
    switch (kind) {
      case 'PAY':
        return await this.#captured(kind, CARDS.ok);
      case 'UNANSWERED':
        return await this.#captured(kind, CARDS.unanswered);
      case 'PENDING':
        return await this.#captured(kind, CARDS.pending);
      case 'UNRULY':
        return await this.#captured(kind, CARDS.unruly);
      case 'REFUSED':
        return await this.#refused(kind);
      case 'CHALLENGE':
      case 'FAILING':
        return await this.#challenged(kind);
      case 'CREDIT':
        return await this.#credited(kind);
      case 'COMPETE':
        return await this.#competed(kind);
      case 'TWO_PAYMENTS':
        return await this.#paidTwice(kind);
      case 'APP':
        return await this.#paidByApp(kind);
      case 'GIVE_UP':
        return await this.#givenUp(kind);
      case 'EXPIRE':
        return await this.#expired(kind);
      case 'CANCEL':
      case 'CANCEL_PAID':
        return await this.#cancelled(kind);
    }
  }

  async #begin(story: string, endings: readonly Ending[], method?: string[]): Promise<ToldPayment> {
    const orderId = await this.#calls.order(AMOUNT);
    return this.#remember(story, await this.#calls.payment(orderId, AMOUNT, method), endings);
  }

  #remember(story: string, payment: MadePayment, endings: readonly Ending[]): ToldPayment {
    const told = { ...payment, endings, story };
    this.told.push(told);
    return told;
  }

  async #captured(kind: Kind, card: string): Promise<void> {
    const payment = await this.#begin(kind, ['CAPTURED']);
    await this.#calls.pay(await this.#calls.terminal(payment), card);
    await this.#calls.capture(payment);
  }

  async #refused(kind: Kind): Promise<void> {
    const payment = await this.#begin(kind, ['REJECTED']);
    await this.#calls.pay(await this.#calls.terminal(payment), CARDS.refused);
    const code = await this.#calls.capture(payment, ['REFUSED_BY_ISSUER']);
    if (code === undefined) throw new Error('a refused card was captured');
  }

  /** A caller who loses the answers repeats the capture, and uses up no round. */
  async #challenged(kind: 'CHALLENGE' | 'FAILING'): Promise<void> {
    const fails = kind === 'FAILING';
    const payment = await this.#begin(kind, fails ? ['REJECTED'] : ['CAPTURED']);
    const terminal = await this.#calls.terminal(payment);
    await this.#calls.pay(terminal, fails ? CARDS.failingChallenge : CARDS.challenge);
    const code = await this.#calls.capture(payment, ['SOFT_DECLINE']);
    if (code === undefined) throw new Error('the first capture was not declined');
    await this.#calls.submit(`${await this.#calls.terminal(payment)}/3-d-secure`, { approve: '1' });
    const refused = await this.#calls.capture(payment, fails ? ['REFUSED_BY_ISSUER'] : []);
    if (fails && refused === undefined) throw new Error('a failed challenge was captured');
  }

  /** Pays, then is given a reduction, which is paid back when the order is confirmed again. */
  async #credited(kind: Kind): Promise<void> {
    const payment = await this.#begin(kind, ['CAPTURED']);
    await this.#calls.pay(await this.#calls.terminal(payment), CARDS.ok);
    await this.#calls.capture(payment);
    const order = `/v1/orders/${payment.orderId}`;
    const price = { amount: '-100.00', taxRate: 12 };
    await this.#calls.write(`${order}/fees`, { type: 'REDUCTION', price, reason: 'A test' });
    await this.#calls.write(`${order}/confirm`, { orderVersion: 2, creditBalance: true });
  }

  /** Five callers capture at once. */
  async #competed(kind: Kind): Promise<void> {
    const payment = await this.#begin(kind, ['CAPTURED']);
    await this.#calls.pay(await this.#calls.terminal(payment), CARDS.ok);
    await Promise.all(Array.from({ length: 5 }, () => this.#calls.capture(payment)));
  }

  /** Two payments of one order, both authorised: one is captured, and the service gives the other one back. */
  async #paidTwice(kind: Kind): Promise<void> {
    const first = await this.#begin(kind, ['CAPTURED', 'CANCELLED']);
    const second = this.#remember(kind, await this.#calls.payment(first.orderId, AMOUNT), ['CAPTURED', 'CANCELLED']);
    const both = [first, second];
    for (const payment of both) await this.#calls.pay(await this.#calls.terminal(payment), CARDS.ok);
    const refusals = ['AMOUNT_MISMATCH', 'ORDER_NOT_DRAFT', 'INVALID_STATE', 'ORDER_VERSION_MISMATCH'];
    const codes = await Promise.all(both.map((payment) => this.#calls.capture(payment, refusals)));
    if (codes.filter((code) => code === undefined).length !== 1) throw new Error(`two captures answered ${codes}`);
  }

  async #paidByApp(kind: Kind): Promise<void> {
    const payment = await this.#begin(kind, ['CAPTURED'], ['MOBILE', 'VIPPS']);
    await this.#calls.submit(await this.#calls.appClaim(payment), { pay: '1' });
    for (const end = Date.now() + APP_WITHIN_MS; (await this.#calls.status(payment)) !== 'CAPTURED'; ) {
      if (Date.now() > end) throw new Error(`${payment.path} was never captured`);
      await delay(LOOK_MS);
    }
  }

  /** Asks once for the capture, and never reads the answer. Nobody comes back, so an authorisation may stay open. */
  async #givenUp(kind: Kind): Promise<void> {
    const payment = await this.#begin(kind, ['CAPTURED']);
    await this.#calls.pay(await this.#calls.terminal(payment), CARDS.ok);
    await this.#calls.client.sendOnce(`${payment.path}/capture`, { method: 'PUT', headers: HEADERS });
    await this.#calls.capture(payment);
  }

  /** The order ends while it is being paid. */
  async #expired(kind: Kind): Promise<void> {
    const payment = await this.#begin(kind, ['CAPTURED', 'CANCELLED', 'CREDITED']);
    await this.#calls.pay(await this.#calls.terminal(payment), CARDS.ok);
    const expireAt = new Date(Date.now() + EXPIRES_IN_MS).toISOString();
    const body = { expireAt };
    await this.#calls.client.sendOnce(`/v1/orders/${payment.orderId}/expire-at`, {
      method: 'PUT',
      headers: HEADERS,
      body,
    });
    await delay(EXPIRES_IN_MS * Math.random() * 2);
    const refusals = [
      'ORDER_EXPIRED',
      'INVALID_STATE',
      'ORDER_VERSION_MISMATCH',
      'ORDER_NOT_DRAFT',
      'PAYMENT_INACTIVE',
    ];
    if ((await this.#calls.capture(payment, refusals)) !== undefined) await this.#calls.cancel(payment);
  }

  async #cancelled(kind: 'CANCEL' | 'CANCEL_PAID'): Promise<void> {
    const payment = await this.#begin(kind, ['CANCELLED']);
    const terminal = await this.#calls.terminal(payment);
    if (kind === 'CANCEL_PAID') await this.#calls.pay(terminal, CARDS.ok);
    await this.#calls.cancel(payment);
  }
}
