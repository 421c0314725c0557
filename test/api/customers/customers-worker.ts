/** Runs a worker of the queue `sales-customers` on a real Temporal, over the databases of a test's server. */
import '../../support/quiet-temporal.ts';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createErasureActivities } from '../../../activities/customers/erasure-activities.ts';
import { ProfileLifecycleStore } from '../../../activities/customers/profile-lifecycle-store.ts';
import { createTemporaryProfileActivities } from '../../../activities/customers/temporary-profile-activities.ts';
import { createDataConverter, TemporalClient } from '../../../platform/temporal/temporal.ts';
import { SALES_CUSTOMERS_QUEUE } from '../../../workflows/customers/messages.ts';
import { useWorkflowBundle } from '../../support/bundle.ts';
import { useTemporal } from '../../support/stack.ts';
import { silentLog } from '../support/parcels.ts';
import { type CustomersServer, PAYLOAD_KEYS } from './support.ts';

export async function useTemporalClient(): Promise<TemporalClient> {
  const { address } = await useTemporal();
  return new TemporalClient({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default', PAYLOAD_KEYS });
}

/** Returns a function that stops the worker. */
export async function startCustomersWorker({ options }: CustomersServer): Promise<() => Promise<void>> {
  const { address } = await useTemporal();
  const connection = await NativeConnection.connect({ address });
  const profiles = new ProfileLifecycleStore(options);
  const worker = await Worker.create({
    connection,
    activities: {
      ...createTemporaryProfileActivities({ profiles }),
      ...createErasureActivities({ profiles, steps: [], log: silentLog }),
    },
    dataConverter: createDataConverter(PAYLOAD_KEYS),
    workflowBundle: { code: (await useWorkflowBundle()).code },
    taskQueue: SALES_CUSTOMERS_QUEUE,
  });
  const running = worker.run();
  return async () => {
    worker.shutdown();
    await running;
    await connection.close();
  };
}
