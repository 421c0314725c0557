/**
 * Builds the workflow bundle once per run, as workers load it. The test runner builds it and passes its path in {@link
 * BUNDLE_VARIABLE}; a test file that runs alone builds its own.
 */
import { join } from 'node:path';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { tracedBundlePath } from '../../platform/temporal/traced-worker.ts';
import { loadWorkflowBundle, type WorkflowBundle } from '../../workers/shared/bundle.ts';
import { temporaryDirectory } from './folders.ts';
import { run } from './run.ts';

export const BUNDLE_VARIABLE = 'TEST_WORKFLOW_BUNDLE';

let building: Promise<string> | undefined;
let loading: Promise<WorkflowBundle> | undefined;
let loadingTraced: Promise<WorkflowBundle> | undefined;

/** The path of the bundle. The bundle with workflow spans lies next to it, see {@link tracedBundlePath}. */
export function useBundleFile(): Promise<string> {
  building ??= givenBundle() ?? buildBundle(temporaryDirectory('bundle'));
  return building;
}

export function useWorkflowBundle(): Promise<WorkflowBundle> {
  loading ??= useBundleFile().then(loadWorkflowBundle);
  return loading;
}

/** The bundle that workers load where requests are traced. */
export function useTracedBundle(): Promise<WorkflowBundle> {
  loadingTraced ??= useBundleFile().then((path) => loadWorkflowBundle(tracedBundlePath(path)));
  return loadingTraced;
}

export async function buildBundle(folder: string): Promise<string> {
  const path = join(folder, 'workflow-bundle.js');
  await run(process.execPath, [join(projectRoot, 'workers/build-bundle.ts'), '--out', path]);
  return path;
}

function givenBundle(): Promise<string> | undefined {
  const path = process.env[BUNDLE_VARIABLE];
  return path === undefined ? undefined : Promise.resolve(path);
}
