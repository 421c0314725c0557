/**
 * Loads the code of a role, checks its configuration, and makes its part and its Temporal worker. Callers:
 * worker-process.ts, start-roles.ts.
 */
import type { QueueRole, ReadConfig, TaskPart, WorkerBase, WorkerRole } from '../../platform/area.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { QueueResources } from './queue-resources.ts';
import type { Resources } from './resources.ts';
import type { StartedRole } from './start-worker.ts';

export interface LoadedRole {
  readonly name: string;
  readonly create: (resources: Resources) => Promise<CreatedRole>;
}

export interface CreatedRole {
  readonly part: TaskPart;
  /** Lets it take tasks. Called once, when the parts of all roles are made. */
  readonly start: () => StartedRole;
}

/** Throws ConfigError before any connection is opened. */
export async function loadRole(role: WorkerRole, readConfig: ReadConfig): Promise<LoadedRole> {
  if (role.queue === undefined) {
    const code = await role.load();
    code.checkConfig?.(readConfig);
    return {
      name: role.name,
      create: async ({ base, logOf }) => ({
        part: await code.create({ ...base, log: logOf(role.name) }),
        start: () => ({}),
      }),
    };
  }
  // Temporal's SDK takes a third of a start's processor time: a process without a task queue never loads it.
  const [code, { startWorker }] = await Promise.all([role.load(), import('./start-worker.ts')]);
  code.checkConfig?.(readConfig);
  const create = async (resources: Resources): Promise<CreatedRole> => {
    const { queue } = resources;
    if (!queue) throw new Error(`${role.name} has a task queue, and the process has no connection to Temporal`);
    const part = await code.create(baseOf(role, resources, queue));
    return { part, start: () => startWorker(role, part, resources, queue) };
  };
  return { name: role.name, create };
}

/** Objects are refused to a role that no manifest gives a prefix: it has no access to the object store. */
function baseOf(role: QueueRole, { base, objects, logOf }: Resources, { temporal }: QueueResources): WorkerBase {
  return {
    ...base,
    log: logOf(role.name),
    temporal,
    get objects(): ObjectStore {
      if (!objects) throw new Error(`${role.name} uses no prefix of the object store in any manifest`);
      return objects;
    },
  };
}
