/**
 * A workflow as others name it. Each area defines its workflows in `messages.ts`; nothing else names one, so its type,
 * queue, input and result agree wherever it is started. `test/workflows/definitions.test.ts` holds the definitions to
 * the functions of `workflows/index.ts`.
 */
import type { Workflow } from '@temporalio/common';

export interface WorkflowDefinition<Run extends Workflow> {
  /** The name its function is exported by. Histories hold it: it never changes. */
  readonly type: string;
  readonly taskQueue: string;
  /** For the compiler alone: what it takes and answers. Always absent. */
  readonly signature?: Run;
}

export function defineWorkflow<Run extends Workflow>(type: string, taskQueue: string): WorkflowDefinition<Run> {
  return { type, taskQueue };
}
