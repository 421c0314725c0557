/**
 * The registry of one process, with the metrics of every process: its name, its build and those of Node. Each process
 * makes it once at start; areas add their own metrics, named `area_thing_unit`.
 *
 * A label's values come from a closed list, never from what callers send: no path, no id, no personal data.
 */
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

export interface ProcessIdentity {
  /** The name in its log lines. */
  readonly name: string;
  /** The worker roles that run in it; absent: the process has one role, which is its name. */
  readonly roles?: readonly string[];
  /** Value of `BUILD_REVISION`. */
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
