/** The short twin of kill-workers.ts: one worker of each of two roles, killed once under load. */
import assert from 'node:assert/strict';
import { Service } from '../support/service.ts';
import { TwoWorkers } from './two-workers.ts';
import { WorkerBuilds } from './worker-builds.ts';

/** Many writes are under way whenever a worker dies, and the processor is left to those that start. */
const WRITE_EVERY_MS = 100;

describe('two workers of a role, one of them killed', function () {
  this.timeout(600_000);
  let service: Service;
  let builds: WorkerBuilds;

  before(async () => {
    service = await Service.start({ processes: ['salesCustomersWorker'] });
    builds = new WorkerBuilds(service);
    await builds.prepare();
  });
  after(async () => {
    await builds?.close();
    await service?.stop();
  });

  it('fail no request and leave no workflow open', async () => {
    const two = new TwoWorkers(service, builds, 'FAILED', WRITE_EVERY_MS);
    await two.startTwins(['timetableValidationWorker', 'salesCustomersWorker']);
    const outcome = await two.run(1, 1);
    assert.deepEqual(outcome.failures, []);
    assert.equal(outcome.kills, 2);
    assert.ok(outcome.imports >= 1 && outcome.requests > 10);
  });
});
