/** A process must reconnect soon after Temporal is available again. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { TemporalClient } from '../../platform/temporal/temporal.ts';

const ATTEMPTS = 6;

describe('the client of Temporal', () => {
  it('tries to connect every second, also after a long outage', async () => {
    const tried: number[] = [];
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    const away = createServer((socket) => {
      socket.destroy();
      if (tried.push(performance.now()) === ATTEMPTS) resolve();
    }).listen(0, '127.0.0.1');
    await once(away, 'listening');
    const temporal = new TemporalClient({
      TEMPORAL_ADDRESS: `127.0.0.1:${(away.address() as AddressInfo).port}`,
      TEMPORAL_NAMESPACE: 'default',
      PAYLOAD_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    });
    try {
      while (tried.length < ATTEMPTS) {
        await assert.rejects(temporal.ping());
        await Promise.race([enough, delay(100)]);
      }
      const pausesMs = tried.slice(1).map((at, index) => at - (tried[index] ?? 0));
      assert.ok(Math.max(...pausesMs) < 3_000, `pauses of ${pausesMs.map(Math.round).join(', ')} ms`);
    } finally {
      await temporal.close();
      away.close();
    }
  });
});
