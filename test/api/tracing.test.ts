/** Tests the traces of real processes at a collector: one request through API, workflow and activities. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { Client, Connection } from '@temporalio/client';
import { createApp } from '../../api/shared/app.ts';
import { createForwarding } from '../../api/shared/forward.ts';
import { serve } from '../../api/shared/serve.ts';
import { parseProxies } from '../../api/shared/trusted-proxies.ts';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { createLog } from '../../platform/log.ts';
import { startTracing, stopTracing, tracing } from '../../platform/tracing/tracing.ts';
import type { Tracing } from '../../platform/tracing/tracing-otel.ts';
import { profileErasureWorkflowId } from '../../workflows/customers/messages.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import { Service } from '../support/service.ts';
import { type ReceivedSpan, SpanReceiver } from '../support/span-receiver.ts';
import { until } from '../support/until.ts';

const PERSON = { firstName: 'Gudrun', surname: 'Sporløs', email: 'gudrun.sporlos@example.org' };
const SCOPES = ['profiles:read', 'profiles:write'];
const newTrace = () => {
  const [traceId, parentId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, parentId, traceparent: `00-${traceId}-${parentId}-01` };
};

const ANSWERED = { route: '/', operation: undefined, status: 200, code: undefined, correlationId: undefined };
const WORKFLOW_SPAN = 'RunWorkflow:datasetRefresh';

type ExportSpans = Tracing['workerOptions']['sinks']['exporter']['export']['fn'];

/** The span as a workflow's sandbox passes it on: all spans without a trace are sampled inside. */
function workflowSpan(traceId: string): Parameters<ExportSpans>[1][number] {
  return {
    name: WORKFLOW_SPAN,
    kind: SpanKind.INTERNAL,
    spanContext: { traceId, spanId: randomBytes(8).toString('hex'), traceFlags: TraceFlags.SAMPLED },
    startTime: [0, 0],
    endTime: [0, 0],
    duration: [0, 0],
    ended: true,
    status: { code: SpanStatusCode.OK },
    attributes: {},
    links: [],
    events: [],
    droppedAttributesCount: 0,
    droppedLinksCount: 0,
    droppedEventsCount: 0,
    instrumentationLibrary: { name: 'workflow' },
  };
}

describe('Traces of requests', function () {
  this.timeout(240_000);
  let receiver: SpanReceiver;
  let service: Service;
  let token: string;

  before(async () => {
    receiver = await SpanReceiver.start();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '100' };
    service = await Service.start({ timetable: false, processes: ['salesCustomersWorker', 'eventsWorker'], env });
    token = await service.token(SCOPES);
  });
  after(async () => {
    await service?.stop();
    await receiver.close();
  });

  async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    return await fetch(`${service.apiUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  async function createProfile(): Promise<string> {
    const by = { createdBy: 'test', createdByChannel: 'test' };
    const answer = await call('POST', '/customers/v2/profiles', {
      ...PERSON,
      ...by,
      organisationId: 1,
      email: `${randomUUID()}@x.org`,
    });
    assert.equal(answer.status, 201, await answer.clone().text());
    return ((await answer.json()) as { customerNumber: string }).customerNumber;
  }

  const parentOf = (span: ReceivedSpan | undefined, spans: readonly ReceivedSpan[]) =>
    spans.find((each) => each.spanId === span?.parentSpanId);

  it('lead from the caller through API and workflow to the activities', async () => {
    const customerNumber = await createProfile();
    const { traceId, parentId, traceparent } = newTrace();
    const correlationId = randomUUID();
    const path = `/customers/v2/profiles/${customerNumber}`;
    const answer = await call('DELETE', path, undefined, { traceparent, 'x-correlation-id': correlationId });
    assert.equal(answer.status, 202);

    const find = (name: string) => receiver.of(traceId).find((span) => span.name === name);
    const ended = () => find('RunWorkflow:profileErasure') && find('RunActivity:markErased');
    await until(() => ended() !== undefined, { timeoutMs: 60_000, what: 'the spans of the workflow' });
    const spans = receiver.of(traceId);
    const request = find('DELETE /customers/v2/profiles/{customerIdentifier}');
    assert.equal(request?.service, 'samferd-api');
    assert.equal(request?.parentSpanId, parentId);
    assert.deepEqual(request?.attributes, {
      'http.request.method': 'DELETE',
      'http.route': '/customers/v2/profiles/{customerIdentifier}',
      'http.response.status_code': 202,
      'service.operation': request?.attributes['service.operation'],
      'service.correlation_id': correlationId,
    });
    const run = find('RunWorkflow:profileErasure');
    assert.equal(run?.service, 'samferd-sales-customers-worker');
    assert.equal(parentOf(run, spans)?.name, 'StartWorkflow:profileErasure');
    assert.equal(parentOf(parentOf(run, spans), spans), request);
    const activity = find('RunActivity:markErased');
    assert.equal(parentOf(activity, spans)?.name, 'StartActivity:markErased');
    assert.equal(parentOf(parentOf(activity, spans), spans), run);
    for (const text of receiver.texts) assert.ok(!text.includes(customerNumber), text);
  });

  it('pass no other headers of the caller to Temporal', async () => {
    const customerNumber = (await createProfile()) as CustomerNumber;
    const { traceId, traceparent } = newTrace();
    const beside = { tracestate: 'shop=sporlos-state', baggage: 'person=sporlos-baggage' };
    const path = `/customers/v2/profiles/${customerNumber}`;
    const answer = await call('DELETE', path, undefined, { traceparent, ...beside });
    assert.equal(answer.status, 202);
    const connection = await Connection.connect({ address: service.temporalAddress });
    try {
      const handle = new Client({ connection }).workflow.getHandle(profileErasureWorkflowId(customerNumber));
      const readHeaders = async () =>
        (await handle.fetchHistory()).events?.flatMap((event) => [
          ...Object.values(event.workflowExecutionStartedEventAttributes?.header?.fields ?? {}),
          ...Object.values(event.activityTaskScheduledEventAttributes?.header?.fields ?? {}),
        ]) ?? [];
      await until(async () => (await readHeaders()).length > 1, { timeoutMs: 60_000, what: 'an activity' });
      const texts = (await readHeaders()).map(({ data }) => Buffer.from(data ?? []).toString());
      for (const text of texts) {
        assert.ok(text.includes(traceId), text);
        assert.deepEqual(Object.keys(JSON.parse(text)), ['traceparent']);
      }
    } finally {
      await connection.close();
    }
  });

  it('hold no personal data and no text of callers', async () => {
    const { traceId, traceparent } = newTrace();
    const path = `/customers/v2/profiles?email=${encodeURIComponent(PERSON.email)}`;
    await call('GET', path, undefined, { traceparent });
    await call(
      'POST',
      '/customers/v2/profiles',
      { ...PERSON, organisationId: 1, unknown: PERSON.surname },
      { traceparent },
    );
    await call('GET', `/there/is/nothing/${PERSON.email}`, undefined, { traceparent });
    await createProfile();
    await until(() => receiver.of(traceId).length >= 3, { what: 'the spans of the requests' });
    const refused = receiver.of(traceId).find((span) => span.name === 'POST /customers/v2/profiles/');
    assert.equal(refused?.attributes['service.error_code'], 'VALIDATION_FAILED');
    const sent = receiver.texts.join('\n');
    for (const text of [...Object.values(PERSON), 'x.org', token]) assert.ok(!sent.includes(text), text);
  });

  it('exclude health and metrics', async () => {
    const { traceId, traceparent } = newTrace();
    await fetch(`${service.apiUrl}/health/ready`, { headers: { traceparent } });
    await fetch(`${service.apiUrl}/metrics`, { headers: { traceparent } });
    // A process sends its spans in the order of their ends.
    const later = newTrace();
    await call('GET', '/there/is/nothing', undefined, { traceparent: later.traceparent });
    const isReceived = () => receiver.of(later.traceId).some((span) => span.service === 'samferd-api');
    await until(isReceived, { what: 'the span of the request after it' });
    assert.deepEqual(receiver.of(traceId), []);
  });
});

describe('Tracing in a process', function () {
  this.timeout(240_000);
  const log = createLog({ level: 'silent', name: 'test' });

  it('forwards the trace context with requests', async () => {
    const receiver = await SpanReceiver.start();
    await startTracing(
      { name: 'test', revision: 'r1' },
      { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_TRACES_SAMPLER_ARG: 1 },
    );
    const heard: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      heard.push(String(request.headers.traceparent));
      response.end('{}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const trustedProxies = parseProxies('');
    const forwarding = createForwarding({ url, prefixes: ['/other'], name: 'other', trustedProxies });
    const app = createApp({ areas: [], log, routers: [forwarding.router] });
    const server = await serve(app, { host: '127.0.0.1', port: 0, graceMs: 100 });
    const { traceId, parentId, traceparent } = newTrace();
    await fetch(`${server.url}/other/thing`, { headers: { traceparent } });
    await server.close();
    forwarding.close();
    other.close();
    await stopTracing();

    const [span] = receiver.of(traceId);
    assert.equal(span?.parentSpanId, parentId);
    assert.deepEqual(heard, [`00-${traceId}-${span?.spanId}-01`]);
    await receiver.close();
  });

  it('samples the configured share of traces, independently of callers', async () => {
    const receiver = await SpanReceiver.start();
    const config = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_TRACES_SAMPLER_ARG: 0 };
    await startTracing({ name: 'test', revision: 'r1' }, config);
    tracing()
      ?.serve({ method: 'GET', headers: { traceparent: newTrace().traceparent } }, () => undefined)
      .end(ANSWERED);
    await stopTracing();
    assert.deepEqual(receiver.spans, []);
    await receiver.close();
  });

  it('samples the same share of workflows that a schedule starts', async () => {
    const receiver = await SpanReceiver.start();
    const config = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_TRACES_SAMPLER_ARG: 0.5 };
    await startTracing({ name: 'test', revision: 'r1' }, config);
    const running = tracing();
    const exportSpans = running?.workerOptions.sinks.exporter.export.fn;
    const traces = Array.from({ length: 64 }, newTrace);
    for (const { traceId, traceparent } of traces) {
      running?.serve({ method: 'GET', headers: { traceparent } }, () => undefined).end(ANSWERED);
      exportSpans?.({} as Parameters<ExportSpans>[0], [workflowSpan(traceId)]);
    }
    await stopTracing();
    const traceIdsOf = (name: string) =>
      receiver.spans.filter((span) => span.name === name).map(({ traceId }) => traceId);
    assert.deepEqual(traceIdsOf(WORKFLOW_SPAN), traceIdsOf('GET /'));
    assert.ok(traceIdsOf(WORKFLOW_SPAN).length > 0 && traceIdsOf(WORKFLOW_SPAN).length < traces.length);
    await receiver.close();
  });

  it('loads no tracing module when it is off', async () => {
    const entries = ['api/server.ts', 'api/auth/server.ts', 'api/journey-planner/server.ts', 'workers/main.ts'];
    const preload = join(projectRoot, 'test/support/list-modules.ts');
    for (const entry of entries) {
      // All static imports are loaded before the missing configuration ends the process.
      const stderr = await new Promise<string>((resolve) => {
        const env = { PATH: process.env.PATH ?? '' };
        execFile(
          process.execPath,
          ['--import', preload, join(projectRoot, entry), ...(entry === 'workers/main.ts' ? ['timetable-worker'] : [])],
          { env },
          (_, __, text) => resolve(text),
        );
      });
      assert.match(stderr, /The configuration is not usable/);
      assert.match(stderr, /modules of tracing: 0\n/, entry);
    }
  });
});
