/**
 * The parts that tracing adds to a worker: a bundle of the same workflows with Temporal's interceptors, and the spans
 * of activities. It adds nothing while tracing is off. Callers: worker-process.ts, the build of bundles, tests of
 * replays.
 */
import { createRequire } from 'node:module';
import type { WorkerOptions } from '@temporalio/worker';
import { tracing } from '../tracing/tracing.ts';

type ActivityInterceptors = NonNullable<NonNullable<WorkerOptions['interceptors']>['activity']>;

/**
 * In the folder of the other bundle. Its code and so its build id differ: a worker that begins to trace is a new
 * version.
 */
export function tracedBundlePath(path: string): string {
  return path.replace(/(\.js)?$/, '.traced.js');
}

/** The one of the two that this process loads. */
export function bundlePathInUse(path: string): string {
  return tracing() ? tracedBundlePath(path) : path;
}

/** Modules of interceptors for the traced bundle. */
export function tracedWorkflowModules(): string[] {
  return [createRequire(import.meta.url).resolve('@temporalio/interceptors-opentelemetry/lib/workflow-interceptors')];
}

export function tracedWorkerOptions(): { sinks?: NonNullable<WorkerOptions['sinks']>; activity: ActivityInterceptors } {
  const traced = tracing()?.workerOptions;
  return traced ? { sinks: traced.sinks, activity: [traced.activity] } : { activity: [] };
}
