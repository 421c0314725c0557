/** One workflow from its start to its end, by a worker as the processes run it. */
import { DefaultLogger } from '@temporalio/worker';
import type { Logger } from '../../../platform/log.ts';
import { SharedConnection } from '../../../platform/temporal/shared-connection.ts';
import { SupervisedWorker } from '../../../platform/temporal/supervised-worker.ts';
import { createDataConverter, type TemporalConfig } from '../../../platform/temporal/temporal.ts';
import { buildWorkflowBundle } from '../../../workers/shared/bundle.ts';
import { SALES_CUSTOMERS_QUEUE } from '../../../workflows/customers/messages.ts';
import { withClient } from './server.ts';

const WORKFLOW_MS = 30_000;

/** Returns the result as text. */
export async function runWorkflow(config: TemporalConfig, log: Logger): Promise<string> {
  const { code } = await buildWorkflowBundle(new DefaultLogger('ERROR'));
  const worker = new SupervisedWorker({
    connection: new SharedConnection(config),
    log,
    worker: {
      workflowBundle: { code },
      // The workflow ends at once for a profile that is not to be erased.
      activities: { blockProfile: async () => 'ACTIVE' },
      taskQueue: SALES_CUSTOMERS_QUEUE,
      namespace: config.TEMPORAL_NAMESPACE,
      dataConverter: createDataConverter(config.PAYLOAD_KEYS),
    },
  });
  try {
    return await withClient(config, (temporal) =>
      temporal.withDeadline(async ({ workflow }) => {
        const start = {
          taskQueue: SALES_CUSTOMERS_QUEUE,
          workflowId: 'erase/1000001',
          args: [{ customerNumber: '1000001' }],
        };
        return JSON.stringify(await workflow.execute('profileErasure', start));
      }, WORKFLOW_MS),
    );
  } finally {
    await worker.stop();
  }
}
