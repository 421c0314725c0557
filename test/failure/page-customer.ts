/**
 * A customer on a payment page without script, while parts of the service are dying: reads the form, chooses a method, pays at the
 * terminal, comes back, and tries again where something failed. Used by page-stories.ts.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { PaymentCalls } from './payment-calls.ts';

export interface OpenedPage {
  readonly id: string;
  readonly orderId: string;
  readonly url: string;
}

const PAGES = '/v1/payment-page-orchestrator/payment-page';
const GIVE_UP_MS = 420_000;
const ATTEMPT_MS = 10_000;
const LOOK_MS = 300;
const FIELD = /name="(paymentMethod|formNonce)" value="([^"]+)"/g;

export class PageCustomer {
  readonly #calls: PaymentCalls;
  /** By the page's link: a page whose attempt is running shows none, and takes the last one. */
  readonly #forms = new Map<string, readonly (readonly [name: string, value: string])[]>();

  constructor(calls: PaymentCalls) {
    this.#calls = calls;
  }

  /** As the partner reads it. */
  async read({ id }: Pick<OpenedPage, 'id'>) {
    return (await this.#calls.client.send(`${PAGES}/${id}`)).json;
  }

  async until(page: OpenedPage, statuses: readonly string[]): Promise<string> {
    for (const end = Date.now() + GIVE_UP_MS; Date.now() < end; await delay(LOOK_MS)) {
      const { status } = await this.read(page);
      if (statuses.includes(status)) return status;
    }
    throw new Error(`the page ${page.id} was never ${statuses.join(' or ')}`);
  }

  /** The terminal that the first method, or the second, leads to. Undefined: the page says something else now. */
  async choose({ url }: OpenedPage, method: 0 | 1 = 0): Promise<string | undefined> {
    const html = await (await this.#fetch(url))?.text();
    const fields = [...(html ?? '').matchAll(FIELD)].map(([, name = '', value = '']) => [name, value] as const);
    if (fields.length > 0) this.#forms.set(url, fields);
    const form = (this.#forms.get(url) ?? []).slice(2 * method, 2 * method + 2);
    if (form.length < 2) return undefined;
    const body = new URLSearchParams(Object.fromEntries(form));
    const answer = await this.#fetch(`${url}/pay`, { method: 'POST', body });
    const location = answer?.status === 303 ? answer.headers.get('location') : undefined;
    return location?.includes('/terminal/') ? location : undefined;
  }

  /** False: the terminal does not take it. */
  async payAt(terminal: string, cardNumber: string): Promise<boolean> {
    const body = new URLSearchParams({ cardNumber, pay: '1' });
    const answer = await this.#fetch(terminal, { method: 'POST', body });
    return answer !== undefined && answer.status < 400;
  }

  async chooseAnother({ url }: OpenedPage): Promise<void> {
    await this.#fetch(`${url}/other-method`, { method: 'POST', body: new URLSearchParams() });
  }

  /** Pays until the page is paid or has ended; passes the challenge that the issuer may ask for. Answers the last status. */
  async pay(page: OpenedPage, cardNumber: string, method: 0 | 1 = 0): Promise<string> {
    let terminal: string | undefined;
    for (const end = Date.now() + GIVE_UP_MS; Date.now() < end; await delay(LOOK_MS)) {
      const { status } = await this.read(page);
      if (status !== 'OPEN' && status !== 'PROCESSING') return status;
      if (status === 'OPEN' || terminal === undefined) {
        terminal = await this.choose(page, method);
        if (terminal !== undefined && !(await this.payAt(terminal, cardNumber))) terminal = undefined;
      } else {
        await this.#comeBack(page, terminal);
      }
    }
    throw new Error(`the page ${page.id} was never paid`);
  }

  async #comeBack({ url }: OpenedPage, terminal: string): Promise<void> {
    const back = await this.#fetch(`${url}/return`);
    if (back?.headers.get('location') !== terminal) return;
    await this.#fetch(`${terminal}/3-d-secure`, { method: 'POST', body: new URLSearchParams({ approve: '1' }) });
  }

  /** Undefined: the browser shows an error. */
  async #fetch(address: string, request: RequestInit = {}): Promise<Response | undefined> {
    const signal = AbortSignal.timeout(ATTEMPT_MS);
    return await fetch(address, { ...request, redirect: 'manual', signal }).catch(() => undefined);
  }
}
