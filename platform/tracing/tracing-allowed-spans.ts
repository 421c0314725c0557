/**
 * The parts of a span that leave the process: its name, times and place in the trace, and the attributes listed here.
 * Of an exception only its type leaves it. Texts of errors stay, since they may quote a request. Caller:
 * tracing-otel.ts.
 *
 * This is a list of allowed attributes, so attributes that a package adds later do not leave.
 */
import type { Attributes } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';

const ALLOWED: ReadonlySet<string> = new Set([
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'service.operation',
  'service.error_code',
  'service.correlation_id',
  // Not the workflow id, since some contain customer numbers. Temporal also finds a workflow by its run id.
  'run_id',
  'runId',
  'temporalActivityId',
  'workflowType',
  'taskQueue',
]);
const EXCEPTION = 'exception';
const EXCEPTION_TYPE = 'exception.type';

export class AllowedSpans implements SpanExporter {
  readonly #exporter: SpanExporter;

  constructor(exporter: SpanExporter) {
    this.#exporter = exporter;
  }

  export(...[spans, done]: Parameters<SpanExporter['export']>): void {
    this.#exporter.export(spans.map(withAllowed), done);
  }

  async shutdown(): Promise<void> {
    await this.#exporter.shutdown();
  }

  async forceFlush(): Promise<void> {
    await this.#exporter.forceFlush?.();
  }
}

function withAllowed(span: ReadableSpan): ReadableSpan {
  const { name, kind, parentSpanId, startTime, endTime, duration, ended, resource, instrumentationLibrary } = span;
  return {
    name,
    kind,
    startTime,
    endTime,
    duration,
    ended,
    resource,
    instrumentationLibrary,
    ...(parentSpanId !== undefined && { parentSpanId }),
    spanContext: () => span.spanContext(),
    status: { code: span.status.code },
    attributes: pick(span.attributes, (key) => ALLOWED.has(key)),
    links: [],
    events: span.events
      .filter((event) => event.name === EXCEPTION)
      .map(({ time, attributes = {} }) => ({
        name: EXCEPTION,
        time,
        attributes: pick(attributes, (key) => key === EXCEPTION_TYPE),
      })),
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function pick(attributes: Attributes, isAllowed: (key: string) => boolean): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([key]) => isAllowed(key)));
}
