/**
 * The registry of one process, with what every process tells Prometheus: which it is, which build of it runs, and how Node fares.
 * Made once at start by each process; areas add their own figures to it, named `area_thing_unit`.
 *
 * A label's values come from a closed list, never from what callers send: no path, no id, nothing of persons.
 */
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

export interface ProcessIdentity {
  /** As in its log lines. */
  readonly name: string;
  /** Of `BUILD_REVISION`. */
  readonly revision: string;
}

export function createProcessRegistry({ name, revision }: ProcessIdentity): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'service_build_info',
    help: '1, with what runs',
    labelNames: ['process', 'revision', 'node'],
    registers: [registry],
  }).set({ process: name, revision, node: process.versions.node }, 1);
  return registry;
}
