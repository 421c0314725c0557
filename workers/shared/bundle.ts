/**
 * The workflow bundle: built once, checked in CI, loaded by every worker. Its checksum is the workers' build id.
 *
 * Callers: `build-bundle.ts`, worker start, tests. The same sources give the same code, so the same checksum, in any
 * folder; only the source map after it may differ.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { Logger } from '@temporalio/worker';
import { bundleWorkflowCode } from '@temporalio/worker';
import { FAILURE_CONVERTER_PATH } from '../../platform/temporal/temporal.ts';
import { tracedWorkflowModules } from '../../platform/temporal/traced-worker.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const MAP_PREFIX = ';base64,';
const ENTRY = join(ROOT, 'workflows/index.ts');

export interface WorkflowBundle {
  readonly code: string;
  /** First 16 hex digits of the sha-256 of the code without its source map. */
  readonly checksum: string;
}

export interface BundleOptions {
  readonly entry?: string;
  /** True when it has the interceptors that make spans of workflows. */
  readonly traced?: boolean;
}

/** Throws an error that names the Node module when workflow code reaches one. */
export async function buildWorkflowBundle(
  logger: Logger,
  { entry = ENTRY, traced = false }: BundleOptions = {},
): Promise<WorkflowBundle> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: entry,
    ...(traced && { workflowInterceptorModules: tracedWorkflowModules() }),
    failureConverterPath: FAILURE_CONVERTER_PATH,
    logger,
    webpackConfigHook: (config) => ({
      ...config,
      context: ROOT,
      output: {
        ...config.output,
        filename: 'workflow-bundle.js',
        devtoolModuleFilenameTemplate: ({ absoluteResourcePath }: { absoluteResourcePath: string }) =>
          relative(ROOT, absoluteResourcePath),
      },
    }),
  });
  return withChecksum(withoutFolder(code));
}

/** The source map contains this clone's folder in places that no option reaches. */
function withoutFolder(code: string): string {
  const start = code.lastIndexOf(MAP_PREFIX) + MAP_PREFIX.length;
  const map = Buffer.from(code.slice(start).trimEnd(), 'base64').toString();
  return code.slice(0, start) + Buffer.from(map.replaceAll(`${ROOT}/`, '')).toString('base64');
}

/** Loads the bundle that {@link buildWorkflowBundle} wrote to a file. */
export async function loadWorkflowBundle(path: string): Promise<WorkflowBundle> {
  return withChecksum(await readFile(path, 'utf8'));
}

function withChecksum(code: string): WorkflowBundle {
  const checksum = createHash('sha256')
    .update(code.slice(0, code.lastIndexOf(MAP_PREFIX)))
    .digest('hex');
  return { code, checksum: checksum.slice(0, 16) };
}
