/** Orders that are paid elsewhere, all confirmed at once, and their receipts. Caller: the test that kills processes meanwhile. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { RECEIPT_DOCUMENTS } from '../../activities/receipts/receipt-document.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { type Answer, send } from '../api/support/call.ts';
import type { Service } from '../support/service.ts';
import { CHANNEL } from '../support/sold-trains.ts';
import { until } from '../support/until.ts';
import { checkReceipts } from './receipt-books.ts';

const AMOUNT = '10.00';
const METHOD = { paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA' };
/** A worker that was killed is replaced after ten seconds. */
const ISSUED_WITHIN_MS = 120_000;
const TRIES = 20;

export class ManyReceipts {
  readonly #service: Service;
  readonly #token: string;

  static async open(service: Service): Promise<ManyReceipts> {
    const scopes = ['orders:read', 'orders:write', 'payments:read', 'payments:write'];
    return new ManyReceipts(service, await service.token(scopes));
  }

  private constructor(service: Service, token: string) {
    this.#service = service;
    this.#token = token;
  }

  /** Orders that owe a fee, each with a payment that waits for it. */
  async prepare(count: number): Promise<readonly string[]> {
    return await Promise.all(
      Array.from({ length: count }, async () => {
        const { id: orderId } = (await this.#post('/v1/orders', {})).json;
        await this.#post(`/v1/orders/${orderId}/fees`, { type: 'BOOKING', price: { amount: AMOUNT }, reason: 'x' });
        const payment = { orderId, orderVersion: 1, totalAmount: AMOUNT };
        return `/v1/payments/${(await this.#post('/v1/payments', payment)).json.paymentId}`;
      }),
    );
  }

  /** Each order is confirmed by it. */
  async pay(payments: readonly string[]): Promise<void> {
    const transactionConfirmedAt = new Date(Date.now() - 60_000).toISOString();
    await Promise.all(
      payments.map(async (payment) => {
        const rrn = randomUUID();
        await this.#post(`${payment}/transactions/import`, { amount: AMOUNT, ...METHOD, rrn, transactionConfirmedAt });
      }),
    );
  }

  /** Until there are so many, whose books are right. */
  async untilIssued(count: number): Promise<number> {
    const connection = await connectMongo(this.#service.mongoUri);
    try {
      const issued = async () => await RECEIPT_DOCUMENTS.open(connection).countDocuments();
      const what = `${count} receipts`;
      await until(async () => (await issued()) >= count, { what, timeoutMs: ISSUED_WITHIN_MS });
      return (await checkReceipts(connection)).length;
    } finally {
      await connection.close();
    }
  }

  /** The same request, until it is answered. */
  async #post(path: string, body: object): Promise<Answer> {
    const headers = { 'service-distribution-channel': CHANNEL, 'idempotency-key': randomUUID() };
    for (let tried = 1; ; tried += 1) {
      const answer = await send(`${this.#service.apiUrl}${path}`, { token: this.#token, body, headers });
      if (answer.status < 300) return answer;
      if (answer.status < 500 && answer.status !== 429) throw new Error(`${path}: ${answer.text}`);
      if (tried === TRIES) throw new Error(`${path}: ${answer.text}`);
      await pause(500);
    }
  }
}
