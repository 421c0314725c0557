/** A new build of the workers takes over: what the one before has begun ends, also when it was killed meanwhile. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { run } from '../support/run.ts';
import { type PartName, Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import { type Build, WorkerBuilds } from './worker-builds.ts';

const TIMETABLE = 'timetable-worker';
const CUSTOMERS = 'sales-customers-worker';
const VALIDATION = 'timetableValidationWorker';

describe('a new build of the workers', function () {
  this.timeout(600_000);
  let service: Service;
  let builds: WorkerBuilds;
  let first: Build;

  before(async () => {
    service = await Service.start({ processes: ['salesCustomersWorker'] });
    builds = new WorkerBuilds(service);
    await builds.prepare();
    first = await builds.first();
    await builds.untilCurrent(TIMETABLE, first);
    await builds.untilCurrent(CUSTOMERS, first);
  });
  // Whatever came of a test: the next one's imports would wait for ever.
  afterEach(letGoOn);
  after(async () => {
    await builds?.close();
    await service?.stop();
  });

  /** Unless told otherwise they leave what a dead build has left alone. */
  const of = ({ path }: Build, strandedSeconds = '3600') => ({
    WORKER_VERSIONING: 'once',
    WORKFLOW_BUNDLE: path,
    WORKER_STRANDED_SECONDS: strandedSeconds,
  });
  /** An import that waits in the middle: whoever validates is paused. */
  async function heldImport(): Promise<string> {
    process.kill(service.pid(VALIDATION), 'SIGSTOP');
    const id = await builds.upload();
    await builds.untilHeld(id);
    return id;
  }
  function letGoOn(): void {
    process.kill(service.pid(VALIDATION), 'SIGCONT');
  }
  /** A timetable worker of a new build; when it is current, those of other builds are ended. */
  async function takeOver(name: string, strandedSeconds?: string): Promise<Build & { readonly worker: PartName }> {
    const others = service.parts.filter((each) => each.split('-')[0] === 'timetableWorker');
    const build = await builds.another(name);
    const worker = await service.startAnother('timetableWorker', of(build, strandedSeconds));
    await builds.untilCurrent(TIMETABLE, build);
    for (const other of others) await service.end(other);
    return { ...build, worker };
  }

  it('takes new work, while the one before ends what is short and hands over what is long', async () => {
    const second = await builds.another('second');
    const before = await heldImport();
    const [waking, sleeping] = [await builds.createTemporary(), await builds.createTemporary()];
    await service.startAnother('timetableWorker', of(second));
    await service.startAnother('salesCustomersWorker', of(second));
    await builds.untilCurrent(TIMETABLE, second);
    await builds.untilCurrent(CUSTOMERS, second);

    const after = await builds.upload();
    assert.equal(await builds.convert(waking), 'PERMANENT');
    assert.equal(await builds.buildOf(builds.profileWorkflow(waking)), second.checksum);
    await service.end('salesCustomersWorker');
    assert.equal(await builds.convert(sleeping), 'PERMANENT');

    letGoOn();
    assert.deepEqual([await builds.stateOf(before), await builds.stateOf(after)], ['FAILED', 'FAILED']);
    assert.deepEqual([await builds.buildOf(before), await builds.buildOf(after)], [first.checksum, second.checksum]);
    await until(
      async () => (await builds.versions.countPinned({ deployment: TIMETABLE, buildId: first.checksum })) === 0,
    );
    await service.end('timetableWorker');
  });

  it('continues the work of a killed one, by command of npm run worker-version', async () => {
    const killed = await takeOver('killed');
    const left = await heldImport();
    await service.kill(killed.worker);
    const next = await takeOver('next');
    letGoOn();
    assert.equal(await builds.versions.countPinned({ deployment: TIMETABLE, buildId: killed.checksum }), 1);

    const environment = { TEMPORAL_ADDRESS: service.temporalAddress, PAYLOAD_KEYS: service.payloadKeys };
    await run(process.execPath, [join(projectRoot, 'ops/worker-version.ts'), 'release', killed.checksum], environment);
    assert.equal(await builds.stateOf(left), 'FAILED');
    assert.equal(await builds.buildOf(left), next.checksum);
  });

  it('continues it by itself when that build has not polled for long', async () => {
    const killed = await takeOver('killed too');
    const left = await heldImport();
    await service.kill(killed.worker);
    const next = await takeOver('next too', '1');
    letGoOn();
    assert.equal(await builds.stateOf(left), 'FAILED');
    assert.equal(await builds.buildOf(left), next.checksum);
  });
});
