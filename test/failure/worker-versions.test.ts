/**
 * Workers come and go in one running service. A worker that dies beside another of its role loses nothing. A new build takes
 * over: work that the former build began ends, also when that build is killed meanwhile.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { run } from '../support/run.ts';
import { type PartName, Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import { describeOneOfTwoKilled } from './one-of-two-killed.ts';
import { type Build, WorkerBuilds } from './worker-builds.ts';

const TIMETABLE = 'timetable-worker';
const CUSTOMERS = 'sales-customers-worker';
const VALIDATION = 'timetableValidationWorker';

describe('the workers of a running service', function () {
  this.timeout(600_000);
  let service: Service;
  let builds: WorkerBuilds;
  let first: Build;
  /** The newest build, with its timetable worker. Each test begins with that of the test before. */
  let current: Build & { readonly worker: PartName };

  before(async () => {
    service = await Service.start({ processes: ['salesCustomersWorker'] });
    builds = new WorkerBuilds(service);
    await builds.prepare();
    first = await builds.first();
    await builds.untilCurrent(TIMETABLE, first);
    await builds.untilCurrent(CUSTOMERS, first);
  });
  // Resumes the validation after a failed test, too; otherwise imports of the next test would never end.
  afterEach(resumeValidation);
  after(async () => {
    await builds?.close();
    await service?.stop();
  });

  /** By default the new build never takes over work that a dead build left. */
  const of = ({ path }: Build, strandedSeconds = '3600') => ({
    WORKER_VERSIONING: 'once',
    WORKFLOW_BUNDLE: path,
    WORKER_STRANDED_SECONDS: strandedSeconds,
  });
  /** Starts an import that waits half-way, since the validation worker is paused. */
  async function heldImport(): Promise<string> {
    process.kill(service.pid(VALIDATION), 'SIGSTOP');
    const id = await builds.upload();
    await builds.untilHeld(id);
    return id;
  }
  function resumeValidation(): void {
    process.kill(service.pid(VALIDATION), 'SIGCONT');
  }
  /** Kills the timetable worker of the current build during an import, and starts that of a new build. */
  async function replaceKilled(name: string, strandedSeconds?: string) {
    const killed = current;
    const left = await heldImport();
    await service.kill(killed.worker);
    const next = await builds.another(name);
    current = { ...next, worker: await service.startAnother('timetableWorker', of(next, strandedSeconds)) };
    await builds.untilCurrent(TIMETABLE, next);
    resumeValidation();
    return { killed, left, next };
  }

  describeOneOfTwoKilled(() => ({ service, builds }));

  describe('a new build of the workers', () => {
    it('takes new work, while the former build ends short workflows and hands over long ones', async () => {
      const second = await builds.another('second');
      const before = await heldImport();
      const [waking, sleeping] = [await builds.createTemporary(), await builds.createTemporary()];
      current = { ...second, worker: await service.startAnother('timetableWorker', of(second)) };
      await service.startAnother('salesCustomersWorker', of(second));
      await builds.untilCurrent(TIMETABLE, second);
      await builds.untilCurrent(CUSTOMERS, second);

      const after = await builds.upload();
      assert.equal(await builds.convert(waking), 'PERMANENT');
      assert.equal(await builds.buildOf(builds.profileWorkflow(waking)), second.checksum);
      await service.end('salesCustomersWorker');
      assert.equal(await builds.convert(sleeping), 'PERMANENT');

      resumeValidation();
      assert.deepEqual([await builds.stateOf(before), await builds.stateOf(after)], ['FAILED', 'FAILED']);
      assert.deepEqual([await builds.buildOf(before), await builds.buildOf(after)], [first.checksum, second.checksum]);
      await until(
        async () => (await builds.versions.countPinned({ deployment: TIMETABLE, buildId: first.checksum })) === 0,
      );
      await service.end('timetableWorker');
    });

    it('continues the work of a killed build when npm run worker-version commands it', async () => {
      const { killed, left, next } = await replaceKilled('third');
      assert.equal(await builds.versions.countPinned({ deployment: TIMETABLE, buildId: killed.checksum }), 1);

      const environment = { TEMPORAL_ADDRESS: service.temporalAddress, PAYLOAD_KEYS: service.payloadKeys };
      await run(
        process.execPath,
        [join(projectRoot, 'ops/worker-version.ts'), 'release', killed.checksum],
        environment,
      );
      assert.equal(await builds.stateOf(left), 'FAILED');
      assert.equal(await builds.buildOf(left), next.checksum);
    });

    it('continues that work by itself when the build has not polled for long', async () => {
      const { left, next } = await replaceKilled('fourth', '1');
      assert.equal(await builds.stateOf(left), 'FAILED');
      assert.equal(await builds.buildOf(left), next.checksum);
    });
  });
});
