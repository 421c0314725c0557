/** Checks that the figures behind the alerts change with what they measure. Starts no process. */
import assert from 'node:assert/strict';
import pino from 'pino';
import { Registry } from 'prom-client';
import { SigningKeyMetrics } from '../../activities/auth/signing-key-metrics.ts';
import { RelayMetrics } from '../../activities/events/relay-metrics.ts';
import { PlannerBuildMetrics } from '../../activities/timetable/planner-build-metrics.ts';
import { createTokenMetrics } from '../../api/auth/token-metrics.ts';
import { watchCertificate } from '../../api/shared/certificate-metrics.ts';
import { createHttpMetrics } from '../../api/shared/metrics.ts';
import { repeat } from '../../platform/process/repeat.ts';
import { TurnMetrics } from '../../platform/process/turn-metrics.ts';
import { installSdkMetrics } from '../../platform/temporal/sdk-metrics.ts';
import { until } from '../support/until.ts';
import { parseMetrics } from './prometheus-text.ts';

const DAY_SECONDS = 86_400;
const log = pino({ level: 'silent' });

async function readFigure(registry: Registry, name: string, labels: Readonly<Record<string, string>> = {}) {
  const { samples } = parseMetrics(await registry.metrics());
  const wanted = Object.entries(labels);
  return samples.find((s) => s.name === name && wanted.every(([label, value]) => s.labels[label] === value))?.value;
}

describe('Figures', () => {
  let registry: Registry;
  beforeEach(() => {
    registry = new Registry();
  });

  it('of signing keys show the age of the current key, and how overdue a retired one is', async () => {
    const now = Date.now();
    const ago = (days: number) => new Date(now - days * DAY_SECONDS * 1_000);
    const metrics = new SigningKeyMetrics(registry, () => now);
    metrics.show([
      { kid: 'a', state: 'SIGNING', since: ago(36) },
      { kid: 'b', state: 'RETIRING', since: ago(36), removableAt: ago(1) },
    ]);
    assert.equal(await readFigure(registry, 'auth_signing_key_age_seconds'), 36 * DAY_SECONDS);
    assert.equal(await readFigure(registry, 'auth_signing_keys_overdue_seconds'), DAY_SECONDS);
    assert.equal(await readFigure(registry, 'auth_signing_keys', { state: 'NEXT' }), 0);
  });

  it('of tokens show every outcome from the start, without the caller', async () => {
    const note = createTokenMetrics(registry);
    assert.equal(await readFigure(registry, 'auth_token_requests_total', { outcome: 'too_many_failures' }), 0);
    note('wrong secret');
    assert.equal(await readFigure(registry, 'auth_token_requests_total', { outcome: 'wrong_secret' }), 1);
  });

  it('of requests are grouped by path template, with all unusual methods as one', async () => {
    const metrics = createHttpMetrics(registry);
    const end = (method: string) => {
      metrics.requestStarted();
      const more = { operation: 'open', route: '/open/{id}', status: 404, code: 'NOT_FOUND', seconds: 0.01 };
      metrics.requestEnded({ ...more, method });
    };
    for (const method of ['GET', 'PROPFIND', 'REPORT']) end(method);
    const count = 'http_request_duration_seconds_count';
    assert.equal(await readFigure(registry, count, { method: 'GET', route: '/open/{id}' }), 1);
    assert.equal(await readFigure(registry, count, { method: 'other' }), 2);
    assert.equal(await readFigure(registry, 'http_problems_total', { code: 'NOT_FOUND' }), 3);
    assert.equal(await readFigure(registry, 'http_requests_running'), 0);
  });

  it('of a certificate show its remaining time, and nothing without a certificate', async () => {
    watchCertificate(registry, { validTo: new Date(Date.now() + 13 * DAY_SECONDS * 1_000) });
    const left = (await readFigure(registry, 'service_tls_certificate_left_seconds')) ?? 0;
    assert.ok(left > 12.9 * DAY_SECONDS && left <= 13 * DAY_SECONDS);
    const other = new Registry();
    watchCertificate(other, undefined);
    assert.equal(await readFigure(other, 'service_tls_certificate_left_seconds'), undefined);
  });

  it('of the relay show how long the oldest event has waited, while this process leads', async () => {
    const now = new Date();
    const metrics = new RelayMetrics(registry, () => now);
    metrics.leads(true);
    metrics.oldestPending(new Date(now.getTime() - 61_000));
    assert.equal(await readFigure(registry, 'events_outbox_age_seconds'), 61);
    metrics.leads(false);
    assert.equal(await readFigure(registry, 'events_outbox_age_seconds'), 0);
    assert.equal(await readFigure(registry, 'events_relay_leader'), 0);
  });

  it('of builds show since when the snapshot is behind, until it is current', async () => {
    let now = 0;
    const metrics = new PlannerBuildMetrics(registry, () => now);
    const behind = { leftOut: 0, publishedBuild: 7, isCurrent: false };
    metrics.show(behind);
    now += 1_801_000;
    metrics.show(behind);
    assert.equal(await readFigure(registry, 'planner_build_behind_seconds'), 1_801);
    metrics.show({ ...behind, isCurrent: true });
    assert.equal(await readFigure(registry, 'planner_build_behind_seconds'), 0);
    assert.equal(await readFigure(registry, 'planner_published_build'), 7);
  });

  it('of repeated tasks show how runs end, from the first run on', async () => {
    let fails = true;
    const task = async () => {
      if (fails) throw new Error('it fails');
    };
    const repetition = repeat('a-task', 1, { log, turns: new TurnMetrics(registry) }, task);
    const turns = async (outcome: string) =>
      await readFigure(registry, 'worker_task_turns_total', { task: 'a-task', outcome });
    assert.equal(await turns('ok'), 0);
    await until(async () => Number(await turns('failed')) > 2, { what: 'turns to fail' });
    fails = false;
    await until(async () => Number(await turns('ok')) > 2, { what: 'turns to end well' });
    await repetition.stop();
  });

  it('of the SDK use another port when one is not free, and fail when none is', () => {
    const asked: string[] = [];
    const install = (options: object) => {
      asked.push(JSON.stringify(options));
      if (asked.length < 3) throw new Error('the address is in use');
    };
    installSdkMetrics(install);
    assert.equal(asked.length, 3);
    for (const options of asked) assert.match(options, /"bindAddress":"127\.0\.0\.1:\d{5}"/);
    const refuse = () => {
      throw new Error('never');
    };
    assert.throws(() => installSdkMetrics(refuse), /never/);
  });
});
