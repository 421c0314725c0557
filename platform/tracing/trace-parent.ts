/**
 * The trace context of incoming and outgoing requests: only W3C `traceparent`. Callers control `tracestate` and
 * `baggage`; these may hold personal data, and would lie unsealed in Temporal as long as a workflow's history. Caller:
 * tracing-otel.ts.
 */
import {
  type Context,
  isSpanContextValid,
  type TextMapGetter,
  type TextMapPropagator,
  type TextMapSetter,
  trace,
} from '@opentelemetry/api';

const HEADER = 'traceparent';
const FORM = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const FIRST_VERSION = '00';
const NO_VERSION = 'ff';

export class TraceParent implements TextMapPropagator {
  inject(context: Context, carrier: unknown, setter: TextMapSetter): void {
    const span = trace.getSpanContext(context);
    if (!span || !isSpanContextValid(span)) return;
    const flags = span.traceFlags.toString(16).padStart(2, '0');
    setter.set(carrier, HEADER, `${FIRST_VERSION}-${span.traceId}-${span.spanId}-${flags}`);
  }

  extract(context: Context, carrier: unknown, getter: TextMapGetter): Context {
    const header = getter.get(carrier, HEADER);
    const [, version, traceId = '', spanId = '', flags = '', more] =
      FORM.exec(String(Array.isArray(header) ? header[0] : header).trim()) ?? [];
    // Later versions may append fields; the first may not.
    if (version === undefined || version === NO_VERSION || (version === FIRST_VERSION && more)) return context;
    const span = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
    return isSpanContextValid(span) ? trace.setSpanContext(context, span) : context;
  }

  fields(): string[] {
    return [HEADER];
  }
}
