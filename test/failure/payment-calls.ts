/**
 * What a partner's back end and its customer do to pay: an order, a payment, a terminal of the simulator, the capture.
 * Counts what was acknowledged, and remembers refusals that must not be. Used by payment-stories.ts.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { CHANNEL } from '../support/sold-trains.ts';
import type { FinalAnswer, PatientClient } from './patient-client.ts';

export const HEADERS = { 'service-distribution-channel': CHANNEL };
const REDIRECT = { redirectUrl: 'http://127.0.0.1:9/shop' };
/** The provider's outcome is unknown, or other work holds the order: a caller asks again. */
const BUSY = ['RESOURCE_BUSY', 'ORDER_LOCKED'];
const PAUSE_MS = 300;
const TERMINAL_PAUSE_MS = 200;
const GIVE_UP_MS = 420_000;
const ATTEMPT_MS = 10_000;

export interface MadePayment {
  readonly orderId: string;
  readonly path: string;
  readonly amount: string;
}

export class PaymentCalls {
  readonly client: PatientClient;
  readonly faults: string[] = [];
  acknowledged = 0;
  busy = 0;

  constructor(client: PatientClient) {
    this.client = client;
  }

  /** An order with one fee: what is sold is not the matter here. */
  async order(amount: string): Promise<string> {
    const order = await this.write('/v1/orders', {});
    const price = { amount, taxRate: 12 };
    await this.write(`/v1/orders/${order.json.id}/fees`, { type: 'MANUAL', price, reason: 'A test' });
    return order.json.id;
  }

  async payment(orderId: string, amount: string, method = ['PAYMENTCARD', 'VISA']): Promise<MadePayment> {
    const [paymentTypeGroup, paymentType] = method;
    const transaction = { amount, paymentTypeGroup, paymentType };
    const made = await this.write('/v1/payments', { orderId, orderVersion: 1, totalAmount: amount, transaction });
    const { paymentId, transactionHistory } = made.json;
    const path = `/v1/payments/${paymentId}/transactions/${transactionHistory[0].transactionId}`;
    return { orderId, path, amount };
  }

  async terminal({ path }: MadePayment): Promise<string> {
    return (await this.write(`${path}/terminal`, REDIRECT)).json.terminalUri;
  }

  async appClaim({ path }: MadePayment): Promise<string> {
    const body = { ...REDIRECT, phoneNumber: '+4799999999', description: 'A test' };
    return (await this.write(`${path}/app-claim`, body)).json.appClaimUrl;
  }

  /** A customer whose browser shows an error tries again. */
  async submit(action: string, fields: Readonly<Record<string, string>>): Promise<void> {
    for (const end = Date.now() + GIVE_UP_MS; Date.now() < end; ) {
      const signal = AbortSignal.timeout(ATTEMPT_MS);
      const body = new URLSearchParams(fields);
      const answer = await fetch(action, { method: 'POST', body, redirect: 'manual', signal }).catch(() => undefined);
      if (answer && answer.status < 400) return;
      await delay(TERMINAL_PAUSE_MS);
    }
    throw new Error('The terminal was never answered');
  }

  async pay(terminalUri: string, cardNumber: string): Promise<void> {
    await this.submit(terminalUri, { cardNumber, pay: '1' });
  }

  /** Undefined where it was refused with one of these codes; any other refusal is a fault. */
  async capture({ path }: MadePayment, refusals: readonly string[] = []): Promise<string | undefined> {
    const answer = await this.#persist('PUT', `${path}/capture`, refusals);
    return answer.status < 300 ? undefined : answer.json?.code;
  }

  async cancel({ path }: MadePayment, refusals: readonly string[] = []): Promise<string | undefined> {
    const answer = await this.#persist('PUT', `${path}/cancel`, refusals);
    return answer.status < 300 ? undefined : answer.json?.code;
  }

  async status({ path }: MadePayment): Promise<string> {
    return (await this.client.send(path, { headers: HEADERS })).json.status;
  }

  /** Repeats what is busy until it is answered for good, each time as a new request. */
  async write(path: string, body: object): Promise<FinalAnswer> {
    return await this.#persist('POST', path, [], body);
  }

  async #persist(method: string, path: string, refusals: readonly string[], body?: object): Promise<FinalAnswer> {
    const end = Date.now() + GIVE_UP_MS;
    for (;;) {
      const answer = await this.client.send(path, { method, headers: HEADERS, ...(body && { body }) });
      if (answer.status < 300) {
        this.acknowledged++;
        return answer;
      }
      const code = answer.json?.code;
      if (refusals.includes(code)) return answer;
      if (!BUSY.includes(code) || Date.now() > end) return this.#fail(`${method} ${path}`, answer);
      this.busy++;
      await delay(PAUSE_MS);
    }
  }

  #fail(call: string, { status, json }: FinalAnswer): never {
    throw new Error(`${call} answered ${status} ${JSON.stringify(json)}`);
  }
}
