/** The short twin of kill-workers.ts: one worker of each of two roles, killed once under load. Caller: worker-versions.test.ts. */
import assert from 'node:assert/strict';
import type { Service } from '../support/service.ts';
import { TwoWorkers } from './two-workers.ts';
import type { WorkerBuilds } from './worker-builds.ts';

/** Many writes are under way whenever a worker dies, and the processor is left to those that start. */
const WRITE_EVERY_MS = 100;

export function describeOneOfTwoKilled(use: () => { readonly service: Service; readonly builds: WorkerBuilds }): void {
  describe('two workers of a role, one of them killed', () => {
    it('fail no request and leave no workflow open', async () => {
      const { service, builds } = use();
      const two = new TwoWorkers(service, builds, 'FAILED', WRITE_EVERY_MS);
      await two.startTwins(['timetableValidationWorker', 'salesCustomersWorker']);
      const outcome = await two.run(1, 1);
      // The tests after this one pause the first worker of a role, and expect no other.
      await two.endTwins();
      assert.deepEqual(outcome.failures, []);
      assert.equal(outcome.kills, 2);
      assert.ok(outcome.imports >= 1 && outcome.requests > 10);
    });
  });
}
