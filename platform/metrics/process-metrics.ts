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
  /** The worker roles that run in it; absent: it is a process of one kind, its name. */
  readonly roles?: readonly string[];
  /** Of `BUILD_REVISION`. */
  readonly revision: string;
}

export function createProcessRegistry({ name, revision, roles = [name] }: ProcessIdentity): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const info = new Gauge({
    name: 'service_build_info',
    help: '1, with what runs',
    labelNames: ['process', 'revision', 'node'],
    registers: [registry],
  });
  for (const role of roles) info.set({ process: role, revision, node: process.versions.node }, 1);
  return registry;
}
