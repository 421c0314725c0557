/**
 * The state of each dependency in `/health/ready` as metrics, checked at each scrape. Callers: every process with a
 * port.
 */
import { Gauge, type Registry } from 'prom-client';
import type { Readiness } from '../process/readiness.ts';

export function watchDependencies(registry: Registry, readiness: Readiness): void {
  new Gauge({
    name: 'service_dependency_up',
    help: '1 while this process can use the dependency, 0 while it cannot',
    labelNames: ['dependency'],
    registers: [registry],
    async collect() {
      for (const [dependency, state] of await readiness.states()) this.set({ dependency }, state === 'up' ? 1 : 0);
    },
  });
}
