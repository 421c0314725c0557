/**
 * What a partner's back end calls to sell orders and to refund them: offers, a reservation, payments by the provider's terminal,
 * options and refunds. Counts what has ended. Used by refund-stories.ts.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { PAGE_CHANNEL } from '../support/paged-orders.ts';
import { legOf, TRAINS } from '../support/sold-trains.ts';
import type { FinalAnswer, PatientRequest } from './patient-client.ts';
import type { PaymentCalls } from './payment-calls.ts';

export interface SoldOrder {
  readonly orderId: string;
  /** Price of the order. */
  readonly amountMinor: number;
}

export interface Sale {
  readonly product: 'FLEX' | 'SAVER' | 'CABIN';
  readonly travellers: number;
  /** Of two trains, in place of one. */
  readonly changes?: boolean;
  /** For each of them so many travellers are sold, and paid by a transaction. */
  readonly cards?: readonly string[];
  /** The customer has begun to pay twice before, and the partner has cancelled it: at the open terminal, and once authorised. */
  readonly hesitates?: boolean;
}

export interface Option {
  readonly orderLineRef: { readonly id: string; readonly version: number };
  readonly refundRule: { readonly id: string };
  readonly refundAmount: string;
}

/** As the API presents it. */
export interface ReadRefund {
  readonly refundId: string;
  readonly status: 'REQUESTED' | 'CREDITING' | 'NEEDS_ATTENTION' | 'COMPLETED' | 'FAILED';
  readonly refundAmount: string;
  readonly affectedOrderLineIds: readonly string[];
}

const HEADERS = { 'service-distribution-channel': PAGE_CHANNEL };
const GOOD_CARD = '4111111111111111';
/** Others are at work on the order: a caller asks again. */
const BUSY = ['ORDER_LOCKED', 'REFUND_IN_PROGRESS', 'RESOURCE_BUSY'];
const PAUSE_MS = 300;
const GIVE_UP_MS = 420_000;

export const minorOf = (amount: string): number => Math.round(Number(amount) * 100);

export class RefundCalls {
  readonly payments: PaymentCalls;
  /** Refunds that have ended. */
  ended = 0;
  #train = 0;

  constructor(payments: PaymentCalls) {
    this.payments = payments;
  }

  /** Answers when the order is confirmed. */
  async sell({ cards = [GOOD_CARD], hesitates = false, ...sale }: Sale): Promise<SoldOrder> {
    let sold: SoldOrder | undefined;
    for (const card of cards) {
      const orderId: string = await this.#reserve(sale, sold?.orderId);
      const { balance, version } = await this.order(orderId);
      const order = { orderId, orderVersion: version, totalAmount: balance };
      for (const isPaid of hesitates ? [false, true] : []) {
        const { made, terminal } = await this.#begin(order);
        if (isPaid) await this.payments.pay(terminal, card);
        await this.payments.cancel(made);
      }
      const { made, terminal } = await this.#begin(order);
      await this.payments.pay(terminal, card);
      await this.payments.capture(made);
      while ((await this.order(orderId)).status !== 'CONFIRMED') await delay(PAUSE_MS);
      sold = { orderId, amountMinor: (sold?.amountMinor ?? 0) + minorOf(balance) };
    }
    if (!sold) throw new RangeError('An order is paid by at least one card');
    return sold;
  }

  async #reserve({ product, travellers: count, changes = false }: Sale, orderId?: string): Promise<string> {
    const train = this.#train++ % (TRAINS - 1);
    const legs = changes
      ? [legOf({ from: 0, to: 1, train }), legOf({ from: 1, to: 2, train: train + 1 })]
      : [legOf({ from: 0, to: 2, train })];
    const travellers = Array.from({ length: count }, (_, at) => ({ id: `t${at}`, userType: 'ADULT' }));
    const search = { travellers, tripPattern: { legs } };
    const found = await this.#ask('/offers/v2/search/trip-pattern', { method: 'POST', body: search });
    const offer = found.json.offers.find(
      (each: { readonly preassignedProducts: readonly { readonly id: string }[] }) =>
        each.preassignedProducts[0]?.id === product,
    );
    if (!offer) throw new Error(`no offer of ${product}: ${JSON.stringify(found.json).slice(0, 300)}`);
    const body = { offerConfigurations: [{ offerId: offer.id }], ...(orderId !== undefined && { orderId }) };
    return (await this.#ask('/v1/reserve-offers', { method: 'POST', body })).json.orderId;
  }

  async order(orderId: string) {
    return (await this.#ask(`/v1/orders/${orderId}`)).json;
  }

  /** A payment whose terminal is open. */
  async #begin(order: { orderId: string; orderVersion: number; totalAmount: string }) {
    const { orderId, totalAmount: amount } = order;
    const transaction = { amount, paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA' };
    const body = { ...order, transaction };
    const { paymentId, transactionHistory } = (await this.#ask('/v1/payments', { method: 'POST', body })).json;
    const path = `/v1/payments/${paymentId}/transactions/${transactionHistory[0].transactionId}`;
    const made = { orderId, path, amount };
    return { made, terminal: await this.payments.terminal(made) };
  }

  async options(orderId: string): Promise<readonly Option[]> {
    return (await this.#ask(`/v1/refunds/options/${orderId}`)).json.options;
  }

  async list(orderId: string): Promise<readonly ReadRefund[]> {
    return (await this.#ask(`/v1/refunds/${orderId}?perPage=100`)).json.items;
  }

  async cancelLine(orderId: string, lineId: string): Promise<void> {
    await this.#ask(`/v1/orders/${orderId}/orderlines/cancel?orderLineIds=${lineId}`, { method: 'POST' });
  }

  /** Answers when it has ended, or needs a decision. A refusal that is not allowed throws. */
  async refund(orderId: string, body: object, refusals: readonly string[] = []): Promise<ReadRefund | undefined> {
    const answer = await this.#ask(`/v1/refunds/${orderId}`, { method: 'POST', body }, refusals);
    if (answer.status >= 300) return undefined;
    return await this.#untilEnded(orderId, answer.json);
  }

  /** As `/v1beta`, without a body: every option. */
  async refundAll(orderId: string): Promise<ReadRefund> {
    const answer = await this.#ask(`/v1beta/refunds/${orderId}`, { method: 'POST' });
    return await this.#untilEnded(orderId, answer.json);
  }

  /** One request that is sent so often at once, and once more afterwards, with one key. */
  async refundRepeatedly(orderId: string, body: object, key: string, times: number): Promise<readonly ReadRefund[]> {
    const request = { method: 'POST', body, headers: { 'idempotency-key': key } };
    const send = async () => {
      const { json } = await this.#ask(`/v1/refunds/${orderId}`, request);
      return await this.#untilEnded(orderId, json, 0);
    };
    const first = await Promise.all(Array.from({ length: times }, send));
    this.ended++;
    return [...first, await send()];
  }

  /** Asks once, and does not wait for the answer. */
  async refundAndForget(orderId: string, body: object): Promise<void> {
    await this.payments.client.sendOnce(`/v1/refunds/${orderId}`, { method: 'POST', headers: HEADERS, body });
  }

  async resolve(orderId: string, refundId: string, resolution: string): Promise<ReadRefund> {
    const path = `/v1/refunds/${orderId}/${refundId}/resolve`;
    const { json } = await this.#ask(path, { method: 'POST', body: { resolution, reason: 'TEST' } });
    return await this.#untilEnded(orderId, json, 1, ['COMPLETED', 'FAILED']);
  }

  /** Of a refund that nobody waits for. */
  async untilAllEnded(orderId: string): Promise<readonly ReadRefund[]> {
    for (const end = Date.now() + GIVE_UP_MS; Date.now() < end; await delay(PAUSE_MS)) {
      const refunds = await this.list(orderId);
      if (refunds.every(({ status }) => status === 'COMPLETED' || status === 'FAILED')) {
        this.ended += refunds.length;
        return refunds;
      }
    }
    throw new Error(`a refund of ${orderId} has never ended`);
  }

  async #untilEnded(
    orderId: string,
    begun: ReadRefund,
    counts = 1,
    statuses: readonly string[] = ['COMPLETED', 'FAILED', 'NEEDS_ATTENTION'],
  ): Promise<ReadRefund> {
    let refund = begun;
    for (const end = Date.now() + GIVE_UP_MS; !statuses.includes(refund.status); await delay(PAUSE_MS)) {
      if (Date.now() > end) throw new Error(`the refund ${refund.refundId} of ${orderId} is ${refund.status}`);
      refund = (await this.#ask(`/v1/refunds/${orderId}/${refund.refundId}`)).json;
    }
    if (refund.status !== 'NEEDS_ATTENTION') this.ended += counts;
    return refund;
  }

  /** Repeats what is busy until it is answered for good, each time as a new request. */
  async #ask(path: string, request: PatientRequest = {}, refusals: readonly string[] = []): Promise<FinalAnswer> {
    const headers = { ...HEADERS, ...request.headers };
    for (const end = Date.now() + GIVE_UP_MS; ; await delay(PAUSE_MS)) {
      const answer = await this.payments.client.send(path, { ...request, headers });
      const code = answer.json?.code;
      if (answer.status < 300) this.payments.acknowledged++;
      if (answer.status < 300 || refusals.includes(code)) return answer;
      if (!BUSY.includes(code) || Date.now() > end) {
        throw new Error(`${request.method ?? 'GET'} ${path} answered ${answer.status} ${JSON.stringify(answer.json)}`);
      }
      this.payments.busy++;
    }
  }
}
