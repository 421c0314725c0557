/**
 * Traces of requests through HTTP, workflows and activities, exported to `OTEL_EXPORTER_OTLP_ENDPOINT`. Without it no
 * module of OpenTelemetry is loaded, and nothing is done.
 *
 * Callers: each process at its start and end; code that begins a span, by `tracing()`. One per process, as
 * OpenTelemetry's own interface has it.
 */
import { z } from 'zod';
import type { ProcessIdentity } from '../metrics/process-metrics.ts';
import type { Tracing } from './tracing-otel.ts';

export const tracingShape = {
  /** Base URL of a collector that takes OTLP over HTTP; spans go to `/v1/traces` below it. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  /**
   * Share of traces that are exported, from 0 to 1, the same in every process. It depends on the trace id, not on the
   * caller's flag.
   */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  /** OpenTelemetry reads these two by itself: `name=value`, comma-separated, for the collector; milliseconds between batches. */
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_BSP_SCHEDULE_DELAY: z.coerce.number().int().positive().optional(),
};

export type TracingConfig = z.infer<z.ZodObject<typeof tracingShape>>;

let starting: Promise<Tracing> | undefined;
let current: Tracing | undefined;

/**
 * Call before the process makes its Temporal client and opens its port. Servers that share a process start side by
 * side and have one tracing, under the name of the first.
 */
export async function startTracing(identity: ProcessIdentity, config: TracingConfig): Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share } = config;
  if (endpoint === undefined) return;
  starting ??= import('./tracing-otel.ts').then(({ createTracing }) => createTracing({ ...identity, endpoint, share }));
  current = await starting;
}

/** Undefined when tracing is off. */
export function tracing(): Tracing | undefined {
  return current;
}

/** Exports the remaining spans, within a time limit. */
export async function stopTracing(): Promise<void> {
  const stopping = current;
  starting = undefined;
  current = undefined;
  await stopping?.stop();
}
