/**
 * Traces of a process by OpenTelemetry: W3C trace context in and out, spans in batches by OTLP over HTTP. Only
 * tracing.ts loads it, and only when tracing is on. An unavailable collector costs spans, never a request.
 */
import { type Context, context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { Resource } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  SamplingDecision,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import {
  makeWorkflowExporter,
  OpenTelemetryActivityInboundInterceptor,
  OpenTelemetryWorkflowClientInterceptor,
} from '@temporalio/interceptors-opentelemetry';
import type { WorkerOptions } from '@temporalio/worker';
import type { ProcessIdentity } from '../metrics/process-metrics.ts';
import { TraceParent } from './trace-parent.ts';
import { AllowedSpans } from './tracing-allowed-spans.ts';

export interface TracingOptions extends ProcessIdentity {
  readonly endpoint: string;
  readonly share: number;
}

export interface ServedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface Served {
  /** Template of the path; undefined when no route matched. */
  readonly route: string | undefined;
  readonly operation: string | undefined;
  readonly status: number;
  readonly code: string | undefined;
  readonly correlationId: string | undefined;
}

export type Tracing = ReturnType<typeof createTracing>;

const EXPORT_TIMEOUT_MS = 5_000;
const QUEUE_SPANS = 4_096;
const STOP_TIMEOUT_MS = 3_000;
const SCOPE = 'samferd-http';

export function createTracing({ name, revision, endpoint, share }: TracingOptions) {
  const resource = new Resource({ 'service.name': `samferd-${name}`, 'service.version': revision });
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: EXPORT_TIMEOUT_MS });
  const processor = new BatchSpanProcessor(new AllowedSpans(exporter), { maxQueueSize: QUEUE_SPANS });
  const sampler = new TraceIdRatioBasedSampler(share);
  const provider = new NodeTracerProvider({ resource, sampler, spanProcessors: [processor] });
  provider.register({ propagator: new TraceParent() });
  return {
    /** Interceptors of a Temporal client. */
    clientInterceptors: { workflow: [new OpenTelemetryWorkflowClientInterceptor()] },

    /** Options of a worker whose bundle was built for tracing. */
    workerOptions: {
      sinks: { exporter: makeWorkflowExporter(sampled(processor, sampler), resource) },
      activity: (ctx) => ({ inbound: new OpenTelemetryActivityInboundInterceptor(ctx) }),
    } satisfies TracedWorkerOptions,

    /** Runs `handle` in a span of its own; call `end` when the request is answered or aborted. */
    serve({ method, headers }: ServedRequest, handle: () => void): { readonly end: (served: Served) => void } {
      const before = propagation.extract(context.active(), headers);
      const span = trace.getTracer(SCOPE).startSpan(method, { kind: SpanKind.SERVER }, before);
      context.with(trace.setSpan(before, span), handle);
      return { end: (served) => endServed(span, method, served) };
    },

    /** Adds the trace context to the headers of a request to another process. */
    inject(headers: Record<string, string | string[]>, from: Context = context.active()): void {
      propagation.inject(from, headers);
    },

    async stop(): Promise<void> {
      const late = new Promise<void>((resolve) => setTimeout(resolve, STOP_TIMEOUT_MS).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      for (const api of [trace, context, propagation]) api.disable();
    },
  };
}

/**
 * A workflow's sandbox has a tracer of its own without the sampling share: it exports all traces that began there, as
 * from schedules.
 */
function sampled(processor: SpanProcessor, sampler: TraceIdRatioBasedSampler): SpanProcessor {
  return {
    onStart: (span, parent) => processor.onStart(span, parent),
    onEnd: (span) => {
      const { decision } = sampler.shouldSample(context.active(), span.spanContext().traceId);
      if (decision === SamplingDecision.RECORD_AND_SAMPLED) processor.onEnd(span);
    },
    forceFlush: () => processor.forceFlush(),
    shutdown: () => processor.shutdown(),
  };
}

interface TracedWorkerOptions {
  readonly sinks: NonNullable<WorkerOptions['sinks']>;
  readonly activity: NonNullable<NonNullable<WorkerOptions['interceptors']>['activity']>[number];
}

const SERVER_FAULT = 500;

function endServed(span: Span, method: string, { route, operation, status, code, correlationId }: Served): void {
  if (route !== undefined) span.updateName(`${method} ${route}`);
  span.setAttributes({
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    'service.operation': operation,
    'service.error_code': code,
    'service.correlation_id': correlationId,
  });
  if (status >= SERVER_FAULT) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
