/** Probes, however many, cause at most one check of a dependency a second. */
import assert from 'node:assert/strict';
import { Readiness } from '../../../platform/process/readiness.ts';
import { startParcels } from '../support/parcels.ts';

describe('Readiness', () => {
  it('is checked once for concurrent probes, and known for a second', async () => {
    let checks = 0;
    let nowMs = 0;
    const check = async () => {
      checks += 1;
      if (checks > 1) throw new Error('away');
    };
    const readiness = new Readiness({ mongodb: check }, { now: () => nowMs });
    const answers = await Promise.all(Array.from({ length: 100 }, () => readiness.states()));
    assert.equal(checks, 1);
    for (const states of answers) assert.deepEqual(states, [['mongodb', 'up']]);
    nowMs = 999;
    assert.deepEqual(await readiness.states(), [['mongodb', 'up']]);
    nowMs = 1_000;
    assert.deepEqual(await readiness.states(), [['mongodb', 'down']]);
    assert.equal(checks, 2);
  });

  it('is shared by probes and metrics of a process', async () => {
    let checks = 0;
    const health = {
      mongodb: async () => {
        checks += 1;
      },
    };
    const server = await startParcels({ health });
    const startedAt = performance.now();
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, at) => {
        const answer = await fetch(`${server.url}${at % 2 === 0 ? '/health/ready' : '/metrics'}`);
        await answer.text();
        return answer.status;
      }),
    );
    const elapsedSeconds = (performance.now() - startedAt) / 1_000;
    await server.close();
    assert.deepEqual(new Set(statuses), new Set([200]));
    // One for all. On a busy machine the requests take seconds, and each second may have its check.
    assert.ok(checks >= 1 && checks <= 1 + elapsedSeconds, `${checks} checks in ${elapsedSeconds} s`);
  });
});
