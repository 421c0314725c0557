/** The workflow bundle, built once per test run: the very code that workers load. */
import { DefaultLogger } from '@temporalio/worker';
import { buildWorkflowBundle, type WorkflowBundle } from '../../workers/shared/bundle.ts';

let building: Promise<WorkflowBundle> | undefined;
let buildingTraced: Promise<WorkflowBundle> | undefined;

export async function useWorkflowBundle(): Promise<WorkflowBundle> {
  building ??= buildWorkflowBundle(new DefaultLogger('ERROR'));
  return await building;
}

/** The one that workers load where requests are traced. */
export async function useTracedBundle(): Promise<WorkflowBundle> {
  buildingTraced ??= buildWorkflowBundle(new DefaultLogger('ERROR'), { traced: true });
  return await buildingTraced;
}
