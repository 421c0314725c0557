/** Gives a build the work, in every role that knows it. Caller: `npm run worker-version -- current`, `-- none`. Starts no worker. */
import type { WorkerDeployment, WorkerVersions } from '../../platform/temporal/worker-versions.ts';
import { UsageError } from './usage-error.ts';

/** In the place of a build: workers without a version. */
export const UNVERSIONED = '';

export interface CurrentChange {
  readonly buildId: string;
  /** Also to a build that no worker runs: its work waits for one. */
  readonly force: boolean;
  readonly say: (line: string) => void;
}

/** All roles or none: throws before the first change where no worker of the build asks for work. */
export async function changeCurrent(
  versions: Pick<WorkerVersions, 'lastAsked' | 'makeCurrent'>,
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
  versions: Pick<WorkerVersions, 'lastAsked'>,
  deployments: readonly WorkerDeployment[],
  buildId: string,
): Promise<void> {
  const asked = await Promise.all(deployments.map(({ name }) => versions.lastAsked({ deployment: name, buildId })));
  const dead = deployments.filter((_, index) => asked[index] === undefined).map(({ name }) => name);
  if (dead.length === 0) return;
  throw new UsageError(
    `No worker of build ${buildId} has asked for work lately: ${dead.join(', ')}. Start some, or say --force: then all work waits for them`,
  );
}
