/** Temporal's server that skips time, with waits for results that skip little more than they need. */
import './quiet-temporal.ts';
import { WorkflowClient } from '@temporalio/client';
import type proto from '@temporalio/proto';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { createDataConverter } from '../../platform/temporal/temporal.ts';
import { PAYLOAD_KEYS } from '../workflows/payload-keys.ts';
import { useTimeSkippingServerPath } from './stack.ts';

type SearchAttributes = Readonly<Record<string, proto.temporal.api.enums.v1.IndexedValueType>>;

const SHORTEST_STEP_MS = 1_000;

export interface SkippingOptions {
  readonly searchAttributes?: SearchAttributes;
  /** Waits for results let time run freely. For tests of a parent that its child outlives: the server skips no time from then on. */
  readonly isFree?: boolean;
}

export async function openTimeSkipping({ searchAttributes = {}, isFree = false }: SkippingOptions = {}) {
  const environment = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path: useTimeSkippingServerPath() } },
    client: { dataConverter: createDataConverter(PAYLOAD_KEYS) },
  });
  if (!isFree) skipInSteps(environment);
  const { operatorService } = environment.connection;
  await operatorService.addSearchAttributes({ namespace: 'default', searchAttributes });
  return environment;
}

/**
 * The environment's own wait lets time run freely until its answer is there. A workflow that ends meanwhile leaves nothing to
 * do, and the server then skips ten years, to the time limit of all workflows: tickets are outdated, and work ids end in 2106.
 * In steps, it skips at most a quarter more than the workflow takes.
 */
function skipInSteps(environment: TestWorkflowEnvironment): void {
  const { workflow } = environment.client;
  const isRunning = async (workflowId: string, runId?: string): Promise<boolean> => {
    const { name } = (await workflow.getHandle(workflowId, runId).describe()).status;
    if (name === 'CONTINUED_AS_NEW' && runId !== undefined) return await isRunning(workflowId);
    return name === 'RUNNING';
  };
  workflow.result = async (workflowId, runId, options) => {
    let waitedMs = 0;
    while (await isRunning(workflowId, runId)) {
      const stepMs = Math.max(SHORTEST_STEP_MS, Math.round(waitedMs / 4));
      await environment.sleep(stepMs);
      waitedMs += stepMs;
    }
    return await WorkflowClient.prototype.result.call(workflow, workflowId, runId, options);
  };
}
