/** Which payment providers a process uses, as its configuration says. */
import assert from 'node:assert/strict';
import { BookProvider } from '../../../activities/payments/provider/book-provider.ts';
import type { PaymentProvider } from '../../../activities/payments/provider/payment-provider.ts';
import type { ProviderBase } from '../../../activities/payments/provider/provider-base.ts';
import { openProviders } from '../../../activities/payments/provider/providers.ts';
import { ConfigError, parseConfig } from '../../../platform/config.ts';
import { createLog } from '../../../platform/log.ts';

const base = (names: string, eventEnvironment: ProviderBase['eventEnvironment'] = 'dev'): ProviderBase => ({
  log: createLog({ level: 'silent', name: 'providers' }),
  eventEnvironment,
  readConfig: (shape) => parseConfig(shape, { PAYMENT_PROVIDERS: names }),
});

const named = (name: string) => async () => () =>
  Object.assign(Object.create(BookProvider.prototype), { name }) as PaymentProvider;
const ADAPTERS = { SIMULATOR: named('SIMULATOR'), OTHER: named('OTHER') };

describe('payment providers', () => {
  it('are those of the configuration, and the book', async () => {
    const providers = await openProviders(base('OTHER, SIMULATOR'), ADAPTERS);
    for (const name of ['OTHER', 'SIMULATOR', 'BOOK']) assert.equal(providers.get(name).name, name);
    const none = await openProviders(base(''), ADAPTERS);
    assert.equal(none.find('SIMULATOR'), undefined);
    assert.throws(() => none.get('SIMULATOR'), /PAYMENT_PROVIDERS does not name SIMULATOR/);
  });

  it('exclude the simulator in production, and names without an adapter', async () => {
    await assert.rejects(openProviders(base('SIMULATOR', 'production'), ADAPTERS), ConfigError);
    await openProviders(base('SIMULATOR', 'staging'), ADAPTERS);
    await assert.rejects(openProviders(base('toString'), ADAPTERS), /there is no toString, only SIMULATOR, OTHER/);
  });
});
