/**
 * The light worker roles in one process: each works under its own name, and killing or draining the process loses
 * nothing.
 */
import assert from 'node:assert/strict';
import { AREAS } from '../../activities/areas.ts';
import { rolesOf } from '../../platform/area.ts';
import { parseMetrics } from '../operations/prometheus-text.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import { WorkerBuilds } from './worker-builds.ts';

const WORKERS = 'lightWorkers';
const VALIDATION = 'timetableValidationWorker';
const LIGHT_ROLES = rolesOf(AREAS).filter(({ weight }) => weight === 'light');

describe('light workers that share a process', function () {
  this.timeout(600_000);
  let service: Service;
  let builds: WorkerBuilds;

  before(async () => {
    service = await Service.start({ timetable: false, processes: [WORKERS, VALIDATION] });
    builds = new WorkerBuilds(service);
    await builds.prepare();
  });
  after(async () => {
    await builds?.close();
    await service?.stop();
  });

  const scrape = async () => parseMetrics(await (await fetch(`${service.url(WORKERS)}/metrics`)).text());

  async function valuesOf(metric: string, label: string): Promise<readonly string[]> {
    const { samples } = await scrape();
    return [...new Set(samples.filter(({ name }) => name === metric).map(({ labels }) => labels[label] ?? ''))].sort();
  }

  it('do the work of every role', async () => {
    const [upload, customer] = [await builds.upload(), await builds.createTemporary()];
    assert.equal(await builds.stateOf(upload), 'FAILED');
    assert.equal(await builds.convert(customer), 'PERMANENT');
    const relayed = async () => (await valuesOf('events_relayed_total', 'topic')).includes('customer-changed-dev');
    await until(relayed, { what: 'the relay to move events' });
  });

  it('bear the names of their roles in metrics and deployments', async () => {
    assert.deepEqual(await valuesOf('service_build_info', 'process'), LIGHT_ROLES.map(({ name }) => name).sort());
    const build = await builds.first();
    for (const role of LIGHT_ROLES) {
      if (role.queue !== undefined) await builds.untilCurrent(role.name, build);
    }
    const queues = LIGHT_ROLES.flatMap(({ queue }) => queue ?? []).sort();
    assert.deepEqual(
      (await valuesOf('temporal_num_pollers', 'task_queue')).filter((name) => queues.includes(name)),
      queues,
    );
  });

  it('repeat tasks of different names', async () => {
    const { samples } = await scrape();
    const turns = samples.filter(({ name, labels }) => name === 'worker_task_turns_total' && labels.outcome === 'ok');
    for (const task of ['import-sweep', 'profile-sweep', 'signing-keys', 'outboxes-counted']) {
      assert.ok(Number(turns.find(({ labels }) => labels.task === task)?.value) > 0, task);
    }
    const versions = turns.filter(({ labels }) => labels.task?.startsWith('version-of-'));
    assert.equal(versions.length, LIGHT_ROLES.filter(({ queue }) => queue !== undefined).length);
  });

  it('continue the open work of a killed process', async () => {
    process.kill(service.pid(VALIDATION), 'SIGSTOP');
    try {
      const [upload, customer] = [await builds.upload(), await builds.createTemporary()];
      await builds.untilHeld(upload);
      await service.kill(WORKERS);
      await service.restart(WORKERS);
      process.kill(service.pid(VALIDATION), 'SIGCONT');
      assert.equal(await builds.stateOf(upload), 'FAILED');
      assert.equal(await builds.convert(customer), 'PERMANENT');
    } finally {
      process.kill(service.pid(VALIDATION), 'SIGCONT');
    }
  });

  it('end cleanly when drained', async () => {
    await service.end(WORKERS);
    const log = service.log(WORKERS);
    assert.match(log, /"msg":"stopping"/);
    assert.doesNotMatch(log, /could not stop cleanly/);
    await service.restart(WORKERS);
    assert.equal(await builds.stateOf(await builds.upload()), 'FAILED');
  });
});
