/**
 * Starts, signals and updates workflows from outside Temporal, by the definitions of an area's `messages.ts`, never by
 * a bare string. Callers: API handlers, activities, sweeps, operators' commands.
 *
 * Every start is safe to repeat and to race. It joins a run in progress and starts a closed one again, so each workflow
 * first reads the database.
 */
import {
  type Client,
  isGrpcServiceError,
  WithStartWorkflowOperation,
  type Workflow,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowHandle,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
} from '@temporalio/client';
import type { Priority, SearchAttributePair, SignalDefinition, UpdateDefinition } from '@temporalio/common';
import type { TemporalClient } from './temporal.ts';

const GRPC_FAILED_PRECONDITION = 9;
/** Each further attempt needs another signal in the same few milliseconds. */
const UPDATE_ATTEMPTS = 10;

/** As `defineWorkflow` makes it. */
export interface NamedWorkflow<Run extends Workflow> {
  readonly type: string;
  readonly taskQueue: string;
  readonly signature?: Run;
}

export interface WorkflowStart<Run extends Workflow> {
  readonly workflowId: string;
  readonly args: Parameters<Run>;
  readonly searchAttributes?: SearchAttributePair[];
  readonly priority?: Priority;
}

export interface UpdateCall<Args extends unknown[]> {
  /** The same in every attempt of one request: they join one update. */
  readonly updateId: string;
  readonly args: Args;
  readonly timeoutMs: number;
}

/** Joins a run in progress. */
export async function startWorkflow<Run extends Workflow>(
  temporal: TemporalClient,
  workflow: NamedWorkflow<Run>,
  start: WorkflowStart<Run>,
): Promise<void> {
  await temporal.withDeadline((client) => client.workflow.start<Workflow>(workflow.type, optionsOf(workflow, start)));
}

/** False when one is in progress, which continues unchanged. */
export async function startUnlessRunning<Run extends Workflow>(
  temporal: TemporalClient,
  workflow: NamedWorkflow<Run>,
  start: WorkflowStart<Run>,
): Promise<boolean> {
  const options = { ...optionsOf(workflow, start), workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL };
  try {
    await temporal.withDeadline((client) => client.workflow.start<Workflow>(workflow.type, options));
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

export async function signalWithStart<Run extends Workflow, Args extends unknown[]>(
  temporal: TemporalClient,
  workflow: NamedWorkflow<Run>,
  start: WorkflowStart<Run>,
  signal: SignalDefinition<Args>,
  ...signalArgs: Args
): Promise<void> {
  await temporal.withDeadline((client) =>
    client.workflow.signalWithStart<Workflow, unknown[]>(workflow.type, {
      ...optionsOf(workflow, start),
      signal: signal.name,
      signalArgs,
    }),
  );
}

/** Answers the update's result. Throws what the client throws when the update is refused, or when no worker answers in time. */
export async function updateWithStart<Run extends Workflow, Result, Args extends unknown[]>(
  temporal: TemporalClient,
  workflow: NamedWorkflow<Run>,
  start: WorkflowStart<Run>,
  update: UpdateDefinition<Result, Args>,
  { updateId, args, timeoutMs }: UpdateCall<Args>,
): Promise<Result> {
  return await temporal.withDeadline(
    async (client) =>
      await untilItsTaskIsKept(async () => {
        const startWorkflowOperation = startOperation(workflow, start);
        const options = { updateId, args: [...args], startWorkflowOperation };
        return await client.workflow.executeUpdateWithStart<Workflow, Result, unknown[]>(update.name, options);
      }),
    timeoutMs,
  );
}

/** Returns once the workflow has taken the update: what comes of it is in the database. One with the same id is joined. */
export async function sendUpdateWithStart<Run extends Workflow, Result, Args extends unknown[]>(
  temporal: TemporalClient,
  workflow: NamedWorkflow<Run>,
  start: WorkflowStart<Run>,
  update: UpdateDefinition<Result, Args>,
  { updateId, args }: Omit<UpdateCall<Args>, 'timeoutMs'>,
): Promise<void> {
  await temporal.withDeadline(
    async (client) =>
      await untilItsTaskIsKept(async () => {
        const startWorkflowOperation = startOperation(workflow, start);
        const options = { updateId, args: [...args], startWorkflowOperation };
        await client.workflow.startUpdateWithStart<Workflow, Result, unknown[]>(update.name, {
          ...options,
          waitForStage: 'ACCEPTED',
        });
      }),
  );
}

function startOperation<Run extends Workflow>(workflow: NamedWorkflow<Run>, start: WorkflowStart<Run>) {
  return new WithStartWorkflowOperation<Workflow>(workflow.type, optionsOf(workflow, start));
}

async function untilItsTaskIsKept<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (attempt === UPDATE_ATTEMPTS || !lostItsTask(error)) throw error;
    }
  }
}

/**
 * Temporal drops an update whose workflow task fails, and the SDK does not repeat it. A task fails when it completes the
 * workflow while a signal arrives. Temporal reports that as a workflow that is not ready.
 */
function lostItsTask(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return isGrpcServiceError(cause) && cause.code === GRPC_FAILED_PRECONDITION;
}

/** A handle by the id of a workflow started elsewhere; makes no request yet. */
export function handleOf<Run extends Workflow>(
  client: Client,
  _workflow: NamedWorkflow<Run>,
  workflowId: string,
): WorkflowHandle<Run> {
  return client.workflow.getHandle<Run>(workflowId);
}

function optionsOf<Run extends Workflow>(
  { taskQueue }: NamedWorkflow<Run>,
  { workflowId, args, searchAttributes, priority }: WorkflowStart<Run>,
) {
  return {
    taskQueue,
    workflowId,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    args: [...args],
    ...(searchAttributes && { typedSearchAttributes: searchAttributes }),
    ...(priority && { priority }),
  };
}
