/**
 * Which build of the workers gets the work:
 *
 *     npm run -s worker-version                      # every role: its builds, and how many workflows are pinned to each
 *     npm run -s worker-version -- current [BUILD]   # the build gets the work; without one, that of WORKFLOW_BUNDLE or dist/, the traced
 *                                                    # one where OTEL_EXPORTER_OTLP_ENDPOINT is set
 *     npm run -s worker-version -- release BUILD     # workflows pinned to a build without workers continue on the current one
 *     npm run -s worker-version -- none              # workers without a version get the work (WORKER_VERSIONING=off)
 *
 * `--deployment NAME` for one role instead of all; `--force` for a build that no worker runs. Works on the stack that
 * the environment names (TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, PAYLOAD_KEYS), else on the local one. `--local DIR`
 * takes one that keeps its state elsewhere. See docs/operations/worker-versions.md.
 */
import { TemporalClient } from '../platform/temporal/temporal.ts';
import { type WorkerDeployment, WorkerVersions } from '../platform/temporal/worker-versions.ts';
import { findTemporal, NO_TEMPORAL } from './find-temporal.ts';
import { readArguments, UsageError } from './read-arguments.ts';
import { changeCurrent, UNVERSIONED } from './worker-version/change-current.ts';
import { ownBuild } from './worker-version/own-build.ts';

const USAGE = 'npm run -s worker-version [-- current [BUILD] [--force] | release BUILD | none] [--deployment NAME]';
const say = (line: string): void => console.log(line);

async function list(versions: WorkerVersions, deployments: readonly WorkerDeployment[]): Promise<void> {
  for (const { name, current, versions: builds } of deployments) {
    console.log(`${name}: ${current === undefined ? 'no version is current' : `${current} is current`}`);
    for (const { buildId, status } of builds) {
      const version = { deployment: name, buildId };
      const [pinned, lastPoll] = await Promise.all([versions.countPinned(version), versions.lastPollOf(version)]);
      console.log(`  ${buildId} ${status}, ${pinned} pinned, last polled ${lastPoll?.toISOString() ?? 'long ago'}`);
    }
  }
}

async function release(versions: WorkerVersions, deployments: readonly WorkerDeployment[], buildId: string) {
  for (const { name } of deployments.filter((each) => each.versions.some((one) => one.buildId === buildId))) {
    console.log(
      `${name}: ${await versions.release({ deployment: name, buildId })} workflows continue on the current build`,
    );
  }
}

interface Wish {
  readonly command: string;
  readonly build: string | undefined;
  readonly deployment: string | undefined;
  readonly force: boolean;
}

async function run(versions: WorkerVersions, { command, build, deployment, force }: Wish) {
  const all = await versions.listDeployments();
  const deployments = all.filter(({ name }) => deployment === undefined || name === deployment);
  if (command === 'list') return await list(versions, deployments);
  if (command === 'none') return await changeCurrent(versions, deployments, { buildId: UNVERSIONED, force, say });
  if (command === 'current') {
    return await changeCurrent(versions, deployments, { buildId: build ?? (await namedOwnBuild()), force, say });
  }
  if (command === 'release' && build !== undefined) return await release(versions, deployments, build);
  throw new UsageError(USAGE);
}

async function namedOwnBuild(): Promise<string> {
  const { path, buildId } = await ownBuild(process.env);
  say(`${path} is build ${buildId}`);
  return buildId;
}

try {
  const flags = { local: { type: 'string' }, deployment: { type: 'string' }, force: { type: 'boolean' } } as const;
  const { values, positionals } = readArguments(flags);
  const [command = 'list', build, ...more] = positionals;
  if (more.length > 0) throw new UsageError(USAGE);
  const config = findTemporal(values.local);
  if (!config) throw new UsageError(NO_TEMPORAL);
  const temporal = new TemporalClient(config, 'ops/worker-version');
  try {
    const { deployment, force = false } = values;
    await run(new WorkerVersions(temporal), { command, build, deployment, force });
  } finally {
    await temporal.close();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
