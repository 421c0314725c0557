/**
 * Finds the build that the workers of this folder or image run. It reads the bundle and starts nothing. Caller: `npm
 * run worker-version -- current`.
 */
import { join } from 'node:path';
import { tracedBundlePath } from '../../platform/temporal/traced-worker.ts';
import { loadWorkflowBundle } from '../../workers/shared/bundle.ts';
import { PROJECT_ROOT } from '../installation.ts';

export interface OwnBuild {
  readonly path: string;
  readonly buildId: string;
}

/** Reads the same variables as a worker, because a tracing worker runs another bundle, which is another build. */
export async function ownBuild(env: NodeJS.ProcessEnv): Promise<OwnBuild> {
  const untraced = env.WORKFLOW_BUNDLE || join(PROJECT_ROOT, 'dist/workflow-bundle.js');
  const path = env.OTEL_EXPORTER_OTLP_ENDPOINT ? tracedBundlePath(untraced) : untraced;
  return { path, buildId: (await loadWorkflowBundle(path)).checksum };
}
