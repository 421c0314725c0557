/** The workflow bundle, built once per test run: the very code that workers load. */
import { DefaultLogger } from '@temporalio/worker';
import { buildWorkflowBundle, type WorkflowBundle } from '../../workers/shared/bundle.ts';

let building: Promise<WorkflowBundle> | undefined;

export async function useWorkflowBundle(): Promise<WorkflowBundle> {
  building ??= buildWorkflowBundle(new DefaultLogger('ERROR'));
  return await building;
}
