/**
 * Continues a pinned workflow as new on the build that is current. By default the new run stays with the build of the
 * run before it, whose workers could then never be stopped. Callers: pinned workflows that may continue as new without
 * end.
 */
import { makeContinueAsNewFunc, type Workflow } from '@temporalio/workflow';

export async function continueOnCurrentBuild<W extends Workflow>(...input: Parameters<W>): Promise<never> {
  return await makeContinueAsNewFunc<W>({ initialVersioningBehavior: 'AUTO_UPGRADE' })(...input);
}
