/** Starts the roles of a process: first makes the parts of all, then lets all take work. Caller: worker-process.ts. */
import type { TaskPart } from '../../platform/area.ts';
import { type Repetition, repeat } from '../../platform/process/repeat.ts';
import type { SupervisedWorker } from '../../platform/temporal/supervised-worker.ts';
import type { LoadedRole } from './load-role.ts';
import type { Resources } from './resources.ts';

export interface RunningRole {
  readonly part: TaskPart;
  /** Absent where the role has no task queue. */
  readonly worker: SupervisedWorker | undefined;
  readonly repetitions: readonly Repetition[];
}

/**
 * Making a part may wait for a server for minutes, or fail. Until every part is made the process has no health port and
 * ends at once on SIGTERM, so no role may take a task before.
 */
export async function startRoles(roles: readonly LoadedRole[], resources: Resources): Promise<readonly RunningRole[]> {
  const created = await Promise.all(roles.map(async (role) => ({ role, ...(await role.create(resources)) })));
  return created.map(({ role, part, start }) => {
    const repeating = { log: resources.logOf(role.name), turns: resources.turns };
    const { worker, version } = start();
    const repetitions = (part.repeated ?? []).map(({ name, everyMs, run }) => repeat(name, everyMs, repeating, run));
    return { part, worker, repetitions: [...repetitions, ...(version ? [version] : [])] };
  });
}
