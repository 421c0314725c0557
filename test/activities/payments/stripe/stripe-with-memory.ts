/**
 * Stripe for tests of what happens to money. Each request first goes to stripe-mock, which checks it against the published
 * contract and gives the shape of the answer. This adds what stripe-mock lacks: the states of sessions, PaymentIntents
 * and refunds, keys whose answers are repeated for a day (also a 5xx), and faults.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Answer, refusal, StripeState } from './stripe-state.ts';

/**
 * LOST: no answer, and no effect. DROP: the effect, but no answer. FAULT: 500 without an effect, remembered under the key.
 * FAULT_AFTER: 500 although the effect was there, remembered too. BUSY: 409, another call holds the object. SLOW_DOWN: 429.
 * REFUSED: 400.
 */
export type Fault = 'LOST' | 'DROP' | 'FAULT' | 'FAULT_AFTER' | 'BUSY' | 'SLOW_DOWN' | 'NOT_OURS' | 'REFUSED';

export class StripeWithMemory {
  readonly state = new StripeState();
  /** Of the next calls that change something. */
  readonly faults: Fault[] = [];
  readonly #mock: URL;
  readonly #server: Server;
  readonly #kept = new Map<string, { readonly call: string; readonly answer: Answer }>();

  constructor(mock: URL) {
    this.#mock = mock;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  async start(): Promise<URL> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** A day later. */
  forgetKeys(): void {
    this.#kept.clear();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const fault = request.method === 'POST' ? this.faults.shift() : undefined;
    if (fault === 'LOST') return void request.socket.destroy();
    const { answer, replayed } = await this.#answer(request, body, fault);
    if (fault === 'DROP') return void request.socket.destroy();
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      'request-id': 'req_test',
      ...(replayed && { 'idempotent-replayed': 'true' }),
    });
    response.end(JSON.stringify(answer.body));
  }

  async #answer(request: IncomingMessage, body: string, fault: Fault | undefined) {
    const { method = 'GET', url = '/', headers } = request;
    const example = await this.#checked(request, body);
    if (example.status !== 200) return { answer: example, replayed: false };
    if (fault === 'BUSY') return { answer: refusal(409, 'lock_timeout'), replayed: false };
    if (fault === 'SLOW_DOWN') return { answer: refusal(429, 'rate_limit'), replayed: false };
    if (fault === 'REFUSED') return { answer: refusal(400, 'amount_too_small'), replayed: false };
    if (fault === 'NOT_OURS') return { answer: refusal(401, 'invalid_api_key'), replayed: false };
    const key = String(headers['idempotency-key'] ?? '');
    const call = `${method} ${url} ${body}`;
    const kept = key === '' ? undefined : this.#kept.get(key);
    if (kept && kept.call !== call) return { answer: refusal(400, 'idempotency_key_in_use'), replayed: false };
    if (kept) return { answer: kept.answer, replayed: true };
    const done = fault === 'FAULT' ? undefined : this.state.answer(method, new URL(url, this.#mock), body, example);
    const answer = done === undefined || fault === 'FAULT_AFTER' ? refusal(500, 'api_error') : done;
    if (method === 'POST') this.#kept.set(key, { call, answer });
    return { answer, replayed: false };
  }

  async #checked({ method = 'GET', url = '/', headers }: IncomingMessage, body: string): Promise<Answer> {
    const { authorization = '' } = headers;
    const passed = {
      authorization,
      'content-type': headers['content-type'] ?? '',
      'stripe-version': String(headers['stripe-version']),
    };
    const answer = await fetch(new URL(url, this.#mock), {
      method,
      headers: passed,
      ...(method === 'POST' && { body }),
    });
    return { status: answer.status, body: (await answer.json()) as Answer['body'] };
  }
}
