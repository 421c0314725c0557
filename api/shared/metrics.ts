/** Prometheus metrics of one HTTP process, each process with a registry of its own. Names: `area_thing_unit`. */
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface HttpMetrics {
  readonly registry: Registry;
  readonly requestStarted: () => void;
  readonly requestEnded: (operation: string, method: string, status: number, seconds: number) => void;
}

export function createHttpMetrics(registry = new Registry()): HttpMetrics {
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the request head to the end of the answer, by operation',
    labelNames: ['operation', 'method', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600],
    registers: [registry],
  });
  const running = new Gauge({
    name: 'http_requests_running',
    help: 'Requests not yet answered',
    registers: [registry],
  });
  return {
    registry,
    requestStarted: () => running.inc(),
    requestEnded: (operation, method, status, seconds) => {
      running.dec();
      duration.observe({ operation, method, status: String(status) }, seconds);
    },
  };
}
