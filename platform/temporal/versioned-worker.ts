/** What a worker process says of its build, and how it sees to it that a build gets the work. Caller: worker-process.ts. */
import type { VersioningBehavior } from '@temporalio/common';
import type { WorkerDeploymentOptions } from '@temporalio/worker';
import { type Repeating, repeat } from '../process/repeat.ts';
import { TemporalClient, type TemporalConfig } from './temporal.ts';
import { type VersioningMode, VersionTakeOver } from './version-take-over.ts';
import { type WorkerVersion, WorkerVersions } from './worker-versions.ts';

interface VersioningConfig extends TemporalConfig {
  readonly ENVIRONMENT: string;
  readonly WORKER_VERSIONING?: VersioningMode | undefined;
  readonly WORKER_STRANDED_SECONDS: number;
}

/** How soon a new build takes over, at most. */
const EVERY_MS = 10_000;

/** `behaviour` absent: the worker runs activities alone, for whichever build asks. */
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

export function keepVersion(
  version: WorkerVersion,
  config: VersioningConfig,
  repeating: Repeating,
  behaviour: VersioningBehavior | undefined,
): { stop(): Promise<void> } {
  const mode = modeOf(config);
  if (behaviour === undefined || mode === 'off') return { stop: async () => {} };
  const temporal = new TemporalClient(config);
  const takeOver = new VersionTakeOver({
    ...{ version, mode, versions: new WorkerVersions(temporal), log: repeating.log },
    strandedMs: config.WORKER_STRANDED_SECONDS * 1_000,
  });
  const turns = repeat('worker-version', EVERY_MS, repeating, () => takeOver.turn());
  return {
    stop: async () => {
      await turns.stop();
      await temporal.close();
    },
  };
}

function modeOf({ WORKER_VERSIONING, ENVIRONMENT }: VersioningConfig): VersioningMode {
  return WORKER_VERSIONING ?? (ENVIRONMENT === 'development' ? 'at-start' : 'once');
}
