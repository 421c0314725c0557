/**
 * The next run of a workflow that its worker pins to a build begins with the build that is current then. By itself it would stay with
 * the build of the run before it, whose workers nobody could ever stop. Callers: pinned workflows that may go on without end.
 */
import { makeContinueAsNewFunc, type Workflow } from '@temporalio/workflow';

export async function continueOnCurrentBuild<W extends Workflow>(...input: Parameters<W>): Promise<never> {
  return await makeContinueAsNewFunc<W>({ initialVersioningBehavior: 'AUTO_UPGRADE' })(...input);
}
