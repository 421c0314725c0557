/** The build of a worker, and how its process lets a build take over. Caller: workers/shared. */
import type { VersioningBehavior } from '@temporalio/common';
import type { WorkerDeploymentOptions } from '@temporalio/worker';
import { type Repeating, type Repetition, repeat } from '../process/repeat.ts';
import type { TemporalClient } from './temporal.ts';
import { type VersioningMode, VersionTakeOver } from './version-take-over.ts';
import { type WorkerVersion, WorkerVersions } from './worker-versions.ts';

interface VersioningConfig {
  readonly ENVIRONMENT: string;
  readonly WORKER_VERSIONING?: VersioningMode | undefined;
  readonly WORKER_STRANDED_SECONDS: number;
}

/** The longest delay before a new build takes over. */
const EVERY_MS = 10_000;

/** `behaviour` absent: the worker runs activities alone, for every build. */
export function deploymentOptions(
  { deployment, buildId }: WorkerVersion,
  config: VersioningConfig,
  behaviour: VersioningBehavior | undefined,
): WorkerDeploymentOptions {
  const version = { deploymentName: deployment, buildId };
  return behaviour === undefined || modeOf(config) === 'off'
    ? { version, useWorkerVersioning: false }
    : { version, useWorkerVersioning: true, defaultVersioningBehavior: behaviour };
}

export interface VersionKeeping extends Repeating {
  readonly temporal: TemporalClient;
}

export function keepVersion(
  version: WorkerVersion,
  config: VersioningConfig,
  { temporal, ...repeating }: VersionKeeping,
  behaviour: VersioningBehavior | undefined,
): Repetition | undefined {
  const mode = modeOf(config);
  if (behaviour === undefined || mode === 'off') return undefined;
  const takeOver = new VersionTakeOver({
    version,
    mode,
    versions: new WorkerVersions(temporal),
    log: repeating.log,
    strandedMs: config.WORKER_STRANDED_SECONDS * 1_000,
  });
  return repeat(`version-of-${version.deployment}`, EVERY_MS, repeating, () => takeOver.turn());
}

function modeOf({ WORKER_VERSIONING, ENVIRONMENT }: VersioningConfig): VersioningMode {
  return WORKER_VERSIONING ?? (ENVIRONMENT === 'development' ? 'at-start' : 'once');
}
