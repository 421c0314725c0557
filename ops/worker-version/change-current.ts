/**
 * Gives a build the work, in every role that knows it. Caller: `npm run worker-version -- current`, `-- none`. Starts
 * no worker.
 */
import type { WorkerDeployment, WorkerVersions } from '../../platform/temporal/worker-versions.ts';
import { UsageError } from '../read-arguments.ts';

/** Stands in place of a build for workers without a version. */
export const UNVERSIONED = '';

export interface CurrentChange {
  readonly buildId: string;
  /** Accepts a build that no worker runs. Its work then waits for a worker. */
  readonly force: boolean;
  readonly say: (line: string) => void;
}

/** Changes all roles or none: it throws before the first change if no worker of the build polls. */
export async function changeCurrent(
  versions: Pick<WorkerVersions, 'lastPollOf' | 'makeCurrent'>,
  deployments: readonly WorkerDeployment[],
  { buildId, force, say }: CurrentChange,
): Promise<void> {
  const known = deployments.filter(
    (each) => buildId === UNVERSIONED || each.versions.some((one) => one.buildId === buildId),
  );
  if (known.length === 0) throw new UsageError(`No worker of build ${buildId} has been seen`);
  const changed = known.filter(({ current }) => current !== (buildId || undefined));
  if (buildId !== UNVERSIONED && !force) await refuseDead(versions, changed, buildId);
  for (const seen of changed) {
    await versions.makeCurrent({ deployment: seen.name, buildId }, { seen });
    say(`${seen.name}: ${buildId === UNVERSIONED ? 'workers without a version get' : `${buildId} gets`} the work`);
  }
}

async function refuseDead(
  versions: Pick<WorkerVersions, 'lastPollOf'>,
  deployments: readonly WorkerDeployment[],
  buildId: string,
): Promise<void> {
  const lastPolls = await Promise.all(
    deployments.map(({ name }) => versions.lastPollOf({ deployment: name, buildId })),
  );
  const dead = deployments.filter((_, index) => lastPolls[index] === undefined).map(({ name }) => name);
  if (dead.length === 0) return;
  throw new UsageError(
    `No worker of build ${buildId} has polled lately: ${dead.join(', ')}. Start workers of it, or use --force: then all work waits for them`,
  );
}
