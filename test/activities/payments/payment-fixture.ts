/** The stores of payments on a real database, in two processes, with a clock that tests set. */
import type { Connection } from 'mongoose';
import { CREDITS_COLLECTION } from '../../../activities/payments/credit-document.ts';
import { CreditStore } from '../../../activities/payments/credit-store.ts';
import { PAYMENTS_COLLECTION, type PaymentCollection } from '../../../activities/payments/payment-document.ts';
import { PaymentStore } from '../../../activities/payments/payment-store.ts';
import type { PaymentWork, StoredPayment } from '../../../activities/payments/payment-types.ts';
import type { OutboxEvent } from '../../../platform/events/outbox.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { createPayment, type NewPayment } from '../../../workflows/payments/rules/creation.ts';
import type { PaymentId } from '../../../workflows/shared/ids.ts';
import { later, NOW, OURS } from '../../support/sample-orders.ts';
import { samplePayment, sampleTransaction } from '../../support/sample-payments.ts';
import { useMongo } from '../../support/stack.ts';

export interface Payments {
  readonly connection: Connection;
  readonly collection: PaymentCollection;
  readonly store: PaymentStore;
  readonly credits: CreditStore;
}

let works = 0;

export function work(workId?: string): PaymentWork {
  works += 1;
  return { workId: workId ?? `work-${works}`, correlationId: `correlation-${works}`, clientId: 'partner' };
}

export class PaymentFixture {
  here!: Payments;
  there!: Payments;
  now = NOW;
  readonly #name: string;

  /** The server is shared, so each test file uses its own `name`. */
  constructor(name: string) {
    this.#name = name;
  }

  async open(): Promise<void> {
    [this.here, this.there] = await Promise.all([this.#connect(), this.#connect()]);
    const { connection } = this.here;
    await Promise.all([PAYMENTS_COLLECTION.ensureIndexes(connection), CREDITS_COLLECTION.ensureIndexes(connection)]);
  }

  async clear(): Promise<void> {
    this.now = NOW;
    const { connection } = this.here;
    await PAYMENTS_COLLECTION.open(connection).deleteMany({});
    await CREDITS_COLLECTION.open(connection).deleteMany({});
  }

  async close(): Promise<void> {
    await Promise.all([this.here, this.there].filter(Boolean).map(({ connection }) => connection.close()));
  }

  passes(minutes: number): void {
    this.now = later(minutes, this.now);
  }

  /** With one transaction that pays it. */
  async create(more: Partial<NewPayment> = {}, by = work(), store = this.here.store): Promise<StoredPayment> {
    return await store.create(OURS, by, ({ paymentId, transactionId }, now) =>
      createPayment(
        samplePayment({ id: paymentId, transaction: sampleTransaction({ id: transactionId }), ...more }),
        now,
      ),
    );
  }

  async outbox(paymentId: PaymentId): Promise<readonly OutboxEvent[]> {
    const found = await this.here.collection.findOne({ _id: String(paymentId) });
    return found?.outbox ?? [];
  }

  async #connect(): Promise<Payments> {
    const { uri } = await useMongo();
    const connection = await connectMongo(uri(this.#name));
    const now = () => this.now;
    return {
      connection,
      collection: PAYMENTS_COLLECTION.open(connection),
      store: new PaymentStore({ connection, environment: 'dev', now }),
      credits: new CreditStore({ connection, now }),
    };
  }
}
