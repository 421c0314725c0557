/**
 * Stories of payment pages: customers who pay, pass a challenge, are refused first, choose another method, whose order changes or
 * whose page ends. Each remembers how its page must end. Used by payment-run.ts.
 */
import { PAGE_CHANNEL } from '../support/paged-orders.ts';
import { type OpenedPage, PageCustomer } from './page-customer.ts';
import type { PaymentCalls } from './payment-calls.ts';

export const PAGE_SCOPES = ['payment-page:read', 'payment-page:write'];

export interface ToldPage extends OpenedPage {
  /** COMPLETED counts as PAID: whether the tickets were sent is not the matter here. */
  endings: readonly ('PAID' | 'EXPIRED' | 'CANCELLED')[];
  readonly story: string;
}

const KINDS = [
  ...(['PAGE_PAY', 'PAGE_CHALLENGE', 'PAGE_REFUSED', 'PAGE_CHANGED', 'PAGE_OTHER_METHOD', 'PAGE_EXPIRE'] as const),
  ...(['PAGE_UNRULY', 'PAGE_EXPIRE_PAYING', 'PAGE_CANCEL'] as const),
] as const;
type Kind = (typeof KINDS)[number];

const CARDS = {
  ok: '4111111111111111',
  mastercard: '5555555555554444',
  challenge: '4000002500003155',
  refused: '4000000000000002',
  unruly: '4000000000000101',
} as const;
const PAGES = '/v1/payment-page-orchestrator/payment-page';
const HEADERS = { 'service-distribution-channel': PAGE_CHANNEL };
const AMOUNT = '349.00';
const LIVES_MS = 4_000;
const ENDED = ['PAID', 'COMPLETED', 'EXPIRED', 'CANCELLED'];

export class PageStories {
  readonly #calls: PaymentCalls;
  readonly #customer: PageCustomer;
  readonly told: ToldPage[] = [];

  constructor(calls: PaymentCalls) {
    this.#calls = calls;
    this.#customer = new PageCustomer(calls);
  }

  async tell(index: number): Promise<void> {
    const kind = KINDS[index % KINDS.length] ?? 'PAGE_PAY';
    try {
      await this.#tell(kind);
    } catch (error) {
      this.#calls.faults.push(`${kind}: ${(error as Error).message}`);
    }
  }

  async #tell(kind: Kind): Promise<void> {
    switch (kind) {
      case 'PAGE_PAY':
        return await this.#paid(kind, CARDS.ok);
      case 'PAGE_CHALLENGE':
        return await this.#paid(kind, CARDS.challenge);
      case 'PAGE_UNRULY':
        return await this.#paid(kind, CARDS.unruly);
      case 'PAGE_REFUSED':
        return await this.#refused(kind);
      case 'PAGE_OTHER_METHOD':
        return await this.#paidOtherwise(kind);
      case 'PAGE_CHANGED':
        return await this.#changed(kind);
      case 'PAGE_EXPIRE':
        return await this.#expired(kind);
      case 'PAGE_EXPIRE_PAYING':
        return await this.#expiredWhilePaying(kind);
      case 'PAGE_CANCEL':
        return await this.#cancelled(kind);
    }
  }

  async #open(story: string, endings: ToldPage['endings']): Promise<ToldPage> {
    const orderId = await this.#calls.order(AMOUNT);
    const { json } = await this.#calls.write(PAGES, { orderId, orderVersion: 1 });
    const told = { id: json.id, orderId, url: json.url, endings, story };
    this.told.push(told);
    return told;
  }

  async #paid(kind: Kind, card: string): Promise<void> {
    await this.#customer.pay(await this.#open(kind, ['PAID']), card);
  }

  /** The page is open again after the refusal, and the customer has another card. */
  async #refused(kind: Kind): Promise<void> {
    const page = await this.#open(kind, ['PAID']);
    const terminal = await this.#customer.choose(page);
    if (terminal !== undefined && (await this.#customer.payAt(terminal, CARDS.refused))) {
      await this.#customer.until(page, ['OPEN']);
    }
    await this.#customer.pay(page, CARDS.mastercard);
  }

  async #paidOtherwise(kind: Kind): Promise<void> {
    const page = await this.#open(kind, ['PAID']);
    await this.#customer.choose(page);
    await this.#customer.chooseAnother(page);
    await this.#customer.pay(page, CARDS.mastercard, 1);
  }

  /** The customer still pays at the terminal that was opened for the old amount. */
  async #changed(kind: Kind): Promise<void> {
    const page = await this.#open(kind, ['PAID']);
    const old = await this.#customer.choose(page);
    const price = { amount: '51.00', taxRate: 12 };
    await this.#calls.write(`/v1/orders/${page.orderId}/fees`, { type: 'MANUAL', price, reason: 'A test' });
    if (old !== undefined) await this.#customer.payAt(old, CARDS.ok);
    await this.#customer.pay(page, CARDS.ok);
  }

  async #expired(kind: Kind): Promise<void> {
    const page = await this.#open(kind, ['EXPIRED']);
    await this.#endSoon(page);
    await this.#customer.until(page, ENDED);
  }

  /** Whether the attempt begins in time, and is paid then, is chance. */
  async #expiredWhilePaying(kind: Kind): Promise<void> {
    const page = await this.#open(kind, ['EXPIRED', 'PAID']);
    await this.#endSoon(page);
    await this.#customer.pay(page, CARDS.ok);
  }

  /** A request that was repeated for long names a time that has passed; it is refused, and another one is sent. */
  async #endSoon(page: ToldPage): Promise<void> {
    for (;;) {
      const body = { expireAt: new Date(Date.now() + LIVES_MS).toISOString() };
      const answer = await this.#calls.client.send(`${PAGES}/${page.id}`, { method: 'PATCH', headers: HEADERS, body });
      if (answer.status === 200) return;
      if (answer.json?.code === 'PAYMENT_PAGE_CLOSED') return;
      if (answer.json?.code !== 'VALIDATION_FAILED') {
        throw new Error(`PATCH of a page answered ${answer.status} ${JSON.stringify(answer.json)}`);
      }
    }
  }

  async #cancelled(kind: Kind): Promise<void> {
    const page = await this.#open(kind, ['CANCELLED']);
    await this.#calls.write(`${PAGES}/${page.id}/cancel`, {});
  }
}
