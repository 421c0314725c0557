/** Prometheus metrics of the requests of an HTTP process. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface EndedRequest {
  /** `none` when no operation matched. */
  readonly operation: string;
  /** Template of the path, `/a/{b}`, never the path itself. Empty when no document describes it. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  /** Error code of the answer. */
  readonly code: string | undefined;
  readonly seconds: number;
}

export interface HttpMetrics {
  readonly requestStarted: () => void;
  readonly requestEnded: (request: EndedRequest) => void;
}

/** Node's parser accepts three dozen more, which must not become labels. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function createHttpMetrics(registry: Registry): HttpMetrics {
  const registers = [registry];
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the request head to the end of the answer, by operation and the template of its path',
    labelNames: ['operation', 'method', 'status', 'route'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600],
    registers,
  });
  const problems = new Counter({
    name: 'http_problems_total',
    help: 'Requests that were answered with a problem, by its code',
    labelNames: ['code'],
    registers,
  });
  // The alert on it must see the first one: a rate knows only series that were there before.
  problems.inc({ code: 'IDEMPOTENCY_ANSWER_INVALID' }, 0);
  const running = new Gauge({ name: 'http_requests_running', help: 'Requests not yet answered', registers });
  return {
    requestStarted: () => running.inc(),
    requestEnded: ({ operation, route, method, status, code, seconds }) => {
      running.dec();
      const known = METHODS.has(method) ? method : 'other';
      duration.observe({ operation, method: known, status: String(status), route }, seconds);
      if (code !== undefined) problems.inc({ code });
    },
  };
}
