/** The figures of payments: calls of providers by outcome, and what waits. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { Registry } from 'prom-client';
import { PaymentFigures } from '../../../activities/payments/payment-figures.ts';
import { measureReturnedMoney, PaymentMetrics } from '../../../activities/payments/payment-metrics.ts';
import { BookProvider } from '../../../activities/payments/provider/book-provider.ts';
import { observed } from '../../../activities/payments/provider/observed-provider.ts';
import { ProviderUnknown } from '../../../activities/payments/provider/payment-provider.ts';
import { Providers } from '../../../activities/payments/provider/providers.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { parseMetrics } from '../../operations/prometheus-text.ts';
import { useMongo } from '../../support/stack.ts';

const MONEY = { key: 'k', authorisationId: 'a', amountMinor: 100, currency: 'NOK' };

/** Answers its refunds, and nothing else. */
class Deaf extends BookProvider {
  override readonly name = 'DEAF' as never;

  override async capture(): Promise<never> {
    throw new ProviderUnknown('no answer');
  }

  override async void(): Promise<never> {
    throw new Error('an answer that is no answer');
  }
}

describe('figures of payments', () => {
  let registry: Registry;
  let metrics: PaymentMetrics;
  let connection: Connection;

  before(async () => {
    connection = await connectMongo((await useMongo()).uri(`payment_figures_${randomUUID().slice(0, 8)}`));
  });
  after(async () => {
    await connection.dropDatabase();
    await connection.close();
  });
  beforeEach(() => {
    registry = new Registry();
    metrics = new PaymentMetrics(registry, ['DEAF']);
  });

  const read = async (name: string, labels: Readonly<Record<string, string>> = {}) => {
    const { samples } = parseMetrics(await registry.metrics());
    const wanted = Object.entries(labels);
    return samples.find((s) => s.name === name && wanted.every(([label, value]) => s.labels[label] === value))?.value;
  };

  it('count the calls of a provider by what became of them, from the first on', async () => {
    const calls = (call: string, outcome: string) => read('payments_provider_calls_total', { call, outcome });
    assert.equal(await calls('capture', 'soft_decline'), 0);
    const deaf = observed(new Deaf(), (call) => metrics.called(call));
    await assert.rejects(deaf.capture(MONEY), ProviderUnknown);
    await assert.rejects(deaf.void(MONEY), /no answer/);
    await deaf.refund(MONEY);
    assert.deepEqual(
      [await calls('capture', 'unknown'), await calls('void', 'failed'), await calls('refund', 'done')],
      [1, 1, 1],
    );
    assert.equal(await read('payments_provider_call_duration_seconds_count', { call: 'capture' }), 1);
  });

  it('leave the book alone: nobody outside is called', async () => {
    const providers = new Providers([new Deaf(), new BookProvider()]).map((each) => observed(each, () => undefined));
    assert.ok(providers.get('BOOK') instanceof BookProvider);
    assert.ok(!(providers.get('DEAF') instanceof Deaf));
  });

  it('show what waits, and for how long', async () => {
    const now = Date.now();
    const ago = (seconds: number) => new Date(now - seconds * 1_000);
    const figures = new PaymentFigures(connection);
    const waiting = (what: string) => read('payments_waiting_count', { what });
    const oldest = (what: string) => read('payments_waiting_oldest_seconds', { what });
    await metrics.count(figures, now);
    assert.deepEqual([await waiting('outcomes'), await oldest('outcomes')], [0, 0]);
    await connection
      .collection('payments')
      .insertMany([
        { openSince: ago(5), callingSince: ago(1_000) },
        { openSince: ago(5), callingSince: ago(20) },
        { openSince: ago(5) },
        {},
      ]);
    await connection.collection('credits').insertMany([{ pendingStart: true, pendingSince: ago(90_000) }, {}]);
    await connection.collection('payment_callbacks').insertMany([{ nextAt: ago(-60) }, { endedAt: ago(60) }]);
    await metrics.count(figures, now);
    const counts = await Promise.all(['captures', 'outcomes', 'credits', 'callbacks'].map(waiting));
    assert.deepEqual(counts, [3, 2, 1, 1]);
    assert.deepEqual([await oldest('outcomes'), await oldest('credits')], [1_000, 90_000]);
  });

  it('count money that comes back, by kind', async () => {
    const note = measureReturnedMoney(registry);
    note('REFUND_FAILED');
    const returned = (kind: string) => read('payments_money_returned_total', { kind });
    assert.deepEqual([await returned('disputed'), await returned('refund_failed')], [0, 1]);
  });
});
