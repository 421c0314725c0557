/**
 * Compares the metrics of running processes with the dashboard and the alert rules. test/dev/demo-import.test.ts calls
 * it, because its service has done some work already.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { PROCESS_NAMES, type ProcessName } from '../../dev/stack/processes.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import { listExpressions, readRules } from './operations-files.ts';
import { parseMetrics, type Sample, type Scrape } from './prometheus-text.ts';
import { readPromql } from './promql.ts';
import { Served } from './served.ts';

/** No panel shows these; they help operators who look at a single process. */
const UNSHOWN = new Set(['planner_snapshot_info']);
/** Labels whose values may be numbers. */
const NUMBERS = new Set(['le', 'quantile', 'status', 'build']);
const NOBODYS_BUSINESS = /[0-9a-f]{8}-[0-9a-f]{4}-|@|:\/\/|^\d+$|^(\d+\.){3}\d+/;
const MOST_SERIES = 4_000;

export function describeServedMetrics(getService: () => Service): void {
  describe('serves Prometheus', () => {
    const scrape = async (name: ProcessName): Promise<Scrape> => {
      const answer = await fetch(`${getService().url(name)}/metrics`);
      assert.equal(answer.status, 200, name);
      return parseMetrics(await answer.text());
    };
    const scrapeAll = async () => await Promise.all(PROCESS_NAMES.map(scrape));

    it('all metrics of dashboard and alerts, with the labels and values they name', async () => {
      const served = new Served(await scrapeAll());
      assert.deepEqual(served.findFaults('max(no_such_figure)'), ['no_such_figure is not served']);
      assert.equal(served.findFaults('sum by (client) (http_requests_running{state="open"})').length, 2);
      assert.equal(
        served.findFaults('auth_token_requests_total{client="a"} + auth_signing_keys{state="LOST"}').length,
        2,
      );
      assert.deepEqual(
        listExpressions().flatMap(([where, expression]) => served.findFaults(expression).map((f) => `${where}: ${f}`)),
        [],
      );
    });

    it('no metric of its own that no dashboard or alert uses', async () => {
      const asked = new Set(listExpressions().flatMap(([, text]) => readPromql(text).selectors.map((s) => s.metric)));
      const own = (await scrapeAll()).flatMap(({ types }) => [...types.keys()]);
      const unseen = own.filter(
        (name) =>
          !/^(nodejs|process|temporal)_/.test(name) &&
          !UNSHOWN.has(name) &&
          !['', '_bucket', '_sum', '_count'].some((ending) => asked.has(name + ending)),
      );
      assert.deepEqual([...new Set(unseen)], []);
    });

    it('no label about persons, callers or single items: labels have few values', async () => {
      for (const { samples } of await scrapeAll()) {
        assert.ok(samples.length < MOST_SERIES, `${samples.length} series`);
        for (const { name, labels } of samples) {
          if (/^(nodejs|process)_/.test(name)) continue;
          for (const [label, value] of Object.entries(labels)) {
            if (NUMBERS.has(label)) continue;
            assert.doesNotMatch(value, NOBODYS_BUSINESS, `${name}: ${label}`);
            assert.ok(label !== 'route' || !/[0-9]{3}/.test(value), value);
          }
        }
      }
    });

    it('no further series for unusual requests', async () => {
      const servers: readonly ProcessName[] = ['api', 'auth', 'journeyPlanner'];
      const seriesOf = async () => {
        const all = await Promise.all(servers.map(scrape));
        return all.flatMap(({ samples }) => samples.filter(({ name }) => /^(http|auth|planner)_/.test(name)).map(show));
      };
      await sendOddRequests(getService());
      const before = new Set(await seriesOf());
      for (let round = 0; round < 3; round++) await sendOddRequests(getService());
      assert.deepEqual(
        (await seriesOf()).filter((series) => !before.has(series)),
        [],
      );
    });

    it('the condition of an alert when it occurs', async () => {
      const service = getService();
      const connection = await connectMongo(service.mongoUri);
      const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
      await connection
        .collection('signing_keys')
        .updateOne({ state: 'SIGNING' }, { $set: { signsSince: hoursAgo(40 * 24) } });
      const stuck = { _id: randomUUID() as never, codespace: 'zzz', state: 'IN_PROGRESS', receivedAt: hoursAgo(3) };
      await connection.collection('timetable_imports').insertOne(stuck);
      try {
        await Promise.all([
          exceeds('SigningKeyNotRotated', () => scrape('operationsWorker')),
          exceeds('ImportStuck', () => scrape('timetableWorker')),
        ]);
      } finally {
        await connection.collection('timetable_imports').deleteOne({ _id: stuck._id });
        await connection.close();
      }
    });

    it('that a server is unavailable, and that it is available again', async () => {
      const service = getService();
      const stateOfStore = async () => {
        const { samples } = await scrape('api');
        const found = samples.find((s) => s.name === 'service_dependency_up' && s.labels.dependency === 'objectStore');
        return found?.value;
      };
      assert.equal(await stateOfStore(), 1);
      await service.kill('minio');
      await until(async () => (await stateOfStore()) === 0, { what: 'the object store to be missed' });
      await service.restart('minio');
      await until(async () => (await stateOfStore()) === 1, { what: 'the object store to be back' });
    });
  });
}

function show({ name, labels }: Sample): string {
  return `${name}${JSON.stringify(labels)}`;
}

/**
 * Waits until a process serves more than the bound of the alert, whose expression has the form `max(metric) > bound`.
 */
async function exceeds(alert: string, scrape: () => Promise<Scrape>): Promise<void> {
  const expression = readRules().find((rule) => rule.alert === alert)?.expr ?? '';
  const [, metric, bound = ''] = /^max\((\w+)\) > ([\d *]+)$/.exec(expression) ?? [];
  const limit = bound.split('*').reduce((product, factor) => product * Number(factor), 1);
  assert.ok(metric && limit > 0, expression);
  const value = async () => (await scrape()).samples.find(({ name }) => name === metric)?.value ?? 0;
  await until(async () => (await value()) > limit, { timeoutMs: 40_000, what: `${metric} to exceed ${limit}` });
}

/** Sends different paths, methods, clients, tokens and names at each call. */
async function sendOddRequests({ apiUrl, authUrl, plannerUrl }: Service): Promise<void> {
  const id = randomUUID();
  const json = { 'content-type': 'application/json' };
  const named = { 'service-client-name': `me-${id}` };
  const client = { client_id: id, client_secret: id, audience: id, grant_type: 'client_credentials' };
  const query = `{ a${id.slice(0, 8)}: serverInfo { version } }`;
  const requests: readonly [string, RequestInit][] = [
    [`${apiUrl}/${id}`, {}],
    [`${apiUrl}/timetable/v1/codespaces/${id}`, { headers: { authorization: `Bearer ${id}` } }],
    [`${apiUrl}/customers/v2/profiles/${id}`, { method: 'DELETE' }],
    [`${apiUrl}/${id}`, { method: 'PROPFIND' }],
    [`${authUrl}/oauth/token`, { method: 'POST', headers: json, body: JSON.stringify(client) }],
    [`${authUrl}/admin/clients/${id}`, {}],
    [`${plannerUrl}/geocoder/v1/autocomplete?text=${id}`, { headers: named }],
    [
      `${plannerUrl}/journey-planner/v3/graphql`,
      { method: 'POST', headers: { ...json, ...named }, body: JSON.stringify({ query }) },
    ],
    [`${plannerUrl}/${id}`, { method: 'REPORT' }],
  ];
  for (const [url, request] of requests) await (await fetch(url, request)).arrayBuffer();
}
