/** Many refusals by a limit are answered late, so that callers who come again at once do not take the event loop. */
import assert from 'node:assert/strict';
import { isLimitRefusal, LateRefusals } from '../../../api/shared/late-refusals.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { startParcels, type TestServer, TOKEN } from '../support/parcels.ts';

const RETRY = { headers: { 'retry-after': '1' } };
const LATE_MS = 60_000;
const SERVED_LATE_MS = 200;

describe('Refusals by a limit', () => {
  const signal = AbortSignal.timeout(30_000);
  const isPrompt = async (waiting: Promise<void>) =>
    await Promise.race([
      waiting.then(() => true),
      // All that is ready by then has run.
      new Promise<boolean>((resolve) => setImmediate(resolve, false)),
    ]);

  it('are answered at once up to a number in each second', async () => {
    let now = 0;
    const late = new LateRefusals({ promptPerSecond: 2, lateMs: LATE_MS, mostHeld: 10 }, () => now);
    const asked = async () => await isPrompt(late.wait(signal));
    assert.deepEqual([await asked(), await asked(), await asked(), await asked()], [true, true, false, false]);
    now = 999;
    assert.equal(await asked(), false);
    now = 1_000;
    assert.deepEqual([await asked(), await asked(), await asked()], [true, true, false]);
  });

  it('are answered at once above the number that may be held, and when their caller has gone', async () => {
    const late = new LateRefusals({ promptPerSecond: 0, lateMs: LATE_MS, mostHeld: 2 }, () => 0);
    const callers = [new AbortController(), new AbortController()];
    const held = callers.map((caller) => late.wait(caller.signal));
    assert.equal(await isPrompt(late.wait(signal)), true);
    callers[0]?.abort();
    await held[0];
    assert.equal(await isPrompt(late.wait(signal)), false);
    callers[1]?.abort();
    await held[1];
  });

  it('are answered late, not never', async () => {
    const late = new LateRefusals({ promptPerSecond: 0, lateMs: 20, mostHeld: 1 });
    const begun = performance.now();
    await late.wait(signal);
    assert.ok(performance.now() - begun >= 19);
  });

  it('are 429, and 503 that says when to come again; a failure is none', () => {
    assert.equal(isLimitRefusal(new ServiceError('RATE_LIMITED', 'x')), true);
    assert.equal(isLimitRefusal(new ServiceError('UNAVAILABLE', 'x', RETRY)), true);
    assert.equal(isLimitRefusal(new ServiceError('UNAVAILABLE', 'x')), false);
    assert.equal(isLimitRefusal(new ServiceError('UNAVAILABLE', 'x', { ...RETRY, cause: new Error('away') })), false);
    assert.equal(isLimitRefusal(new ServiceError('NOT_FOUND', 'x', RETRY)), false);
  });

  describe('of a server', () => {
    let server: TestServer;
    let error: ServiceError;

    before(async () => {
      server = await startParcels({
        lateRefusals: new LateRefusals({ promptPerSecond: 1, lateMs: SERVED_LATE_MS, mostHeld: 10 }, () => 0),
        replaced: {
          open: async () => {
            throw error;
          },
        },
      });
    });
    after(async () => {
      await server.close();
    });

    /** The first refusal, which is answered at once, is the one of the log. */
    const ask = async () => {
      const begun = performance.now();
      const { status } = await fetch(`${server.url}/v1/open`, { headers: TOKEN });
      return { status, ms: performance.now() - begun };
    };

    it('have one line in the log, without a stack', async () => {
      error = new ServiceError('UNAVAILABLE', 'Too many run.', RETRY);
      const before = server.logged.length;
      assert.equal((await ask()).status, 503);
      const lines = server.logged.slice(before).filter(({ code }) => code === 'UNAVAILABLE');
      assert.deepEqual(
        lines.map(({ msg, err }) => [msg, err]),
        [['request', undefined]],
      );
    });

    it('leave failures where they were: at once, with their stack', async () => {
      error = new ServiceError('UNAVAILABLE', 'Away.', { ...RETRY, cause: new Error('away') });
      assert.equal((await ask()).status, 503);
      assert.ok(server.logged.some(({ msg, err }) => msg === 'the request failed' && err !== undefined));
    });

    it('come late when there are many', async () => {
      error = new ServiceError('RATE_LIMITED', 'Too many.', RETRY);
      for (let times = 0; times < 2; times += 1) {
        const { status, ms } = await ask();
        assert.equal(status, 429);
        assert.ok(ms >= SERVED_LATE_MS - 1, String(ms));
      }
    });
  });
});
