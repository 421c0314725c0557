/**
 * Which build of the workers gets the work:
 *
 *     npm run -s worker-version                      # every role: its builds, and how many workflows are pinned to each
 *     npm run -s worker-version -- current [BUILD]   # the build gets the work; without one, that of WORKFLOW_BUNDLE or dist/
 *     npm run -s worker-version -- release BUILD     # what is pinned to a build without workers goes on with the current one
 *     npm run -s worker-version -- none              # workers without a version get the work (WORKER_VERSIONING=off)
 *
 * `--deployment NAME` for one role instead of all. Of the stack that the environment names (TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE,
 * PAYLOAD_KEYS), else of the local one; `--local DIR` for one that keeps its state elsewhere. See docs/operations/worker-versions.md.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { TemporalClient } from '../activities/shared/temporal.ts';
import { type WorkerDeployment, WorkerVersions } from '../activities/shared/worker-versions.ts';
import { loadWorkflowBundle } from '../workers/shared/bundle.ts';
import { projectRoot } from './setup/resolve.mjs';
import { findTemporal, NO_TEMPORAL } from './stack/find-temporal.ts';

const USAGE = 'npm run -s worker-version [-- current [BUILD] | release BUILD | none] [--deployment NAME]';
const NOBODY = '';

class UsageError extends Error {}

async function list(versions: WorkerVersions, deployments: readonly WorkerDeployment[]): Promise<void> {
  for (const { name, current, versions: builds } of deployments) {
    console.log(`${name}: ${current === undefined ? 'no version is current' : `${current} is current`}`);
    for (const { buildId, status } of builds) {
      const version = { deployment: name, buildId };
      const [pinned, asked] = await Promise.all([versions.countPinned(version), versions.lastAsked(version)]);
      console.log(
        `  ${buildId} ${status}, ${pinned} pinned, last asked for work ${asked?.toISOString() ?? 'long ago'}`,
      );
    }
  }
}

async function change(versions: WorkerVersions, deployments: readonly WorkerDeployment[], buildId: string) {
  const known = deployments.filter(
    (each) => buildId === NOBODY || each.versions.some((one) => one.buildId === buildId),
  );
  if (known.length === 0) throw new UsageError(`No worker of build ${buildId} has been seen`);
  for (const seen of known) {
    if (seen.current === (buildId || undefined)) continue;
    await versions.makeCurrent({ deployment: seen.name, buildId }, { seen });
    console.log(`${seen.name}: ${buildId === NOBODY ? 'workers without a version get' : `${buildId} gets`} the work`);
  }
}

async function release(versions: WorkerVersions, deployments: readonly WorkerDeployment[], buildId: string) {
  for (const { name } of deployments.filter((each) => each.versions.some((one) => one.buildId === buildId))) {
    console.log(
      `${name}: ${await versions.release({ deployment: name, buildId })} workflows go on with the current build`,
    );
  }
}

async function run(versions: WorkerVersions, command: string, build: string | undefined, deployment?: string) {
  const all = await versions.listDeployments();
  const deployments = all.filter(({ name }) => deployment === undefined || name === deployment);
  if (command === 'list') return await list(versions, deployments);
  if (command === 'none') return await change(versions, deployments, NOBODY);
  if (command === 'current') return await change(versions, deployments, build ?? (await ownBuild()));
  if (command === 'release' && build !== undefined) return await release(versions, deployments, build);
  throw new UsageError(USAGE);
}

async function ownBuild(): Promise<string> {
  const path = process.env.WORKFLOW_BUNDLE || join(projectRoot, 'dist/workflow-bundle.js');
  return (await loadWorkflowBundle(path)).checksum;
}

try {
  const flags = { local: { type: 'string' }, deployment: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ options: flags, allowPositionals: true });
  const [command = 'list', build, ...more] = positionals;
  if (more.length > 0) throw new UsageError(USAGE);
  const config = findTemporal(values.local);
  if (!config) throw new UsageError(NO_TEMPORAL);
  const temporal = new TemporalClient(config);
  try {
    await run(new WorkerVersions(temporal), command, build, values.deployment);
  } finally {
    await temporal.close();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
