/**
 * Runs `datasetImport` on a real Temporal server against worlds in memory, one for each import. So many imports wait
 * for their retries in parallel. (The time-skipping server does not skip pauses between attempts of activities, and
 * this workflow has no timers.)
 */
import '../support/quiet-temporal.ts';
import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { startDatasetImport } from '../../activities/timetable/dataset-import-start.ts';
import { createDataConverter, TemporalClient } from '../../platform/temporal/temporal.ts';
import type { Codespace, CorrelationId } from '../../workflows/shared/ids.ts';
import {
  type DatasetImportInput,
  type DatasetImportResult,
  datasetImportWorkflowId,
  TIMETABLE_QUEUE,
  TIMETABLE_VALIDATION_QUEUE,
} from '../../workflows/timetable/messages.ts';
import { useWorkflowBundle } from '../support/bundle.ts';
import { useTemporal } from '../support/stack.ts';
import { type ActivityName, ImportWorld } from './import-world.ts';
import { PAYLOAD_KEYS } from './payload-keys.ts';

type ImportHandle = WorkflowHandle<(input: DatasetImportInput) => Promise<DatasetImportResult>>;

export interface StartedImport {
  readonly world: ImportWorld;
  readonly input: DatasetImportInput;
  readonly handle: ImportHandle;
  readonly result: Promise<DatasetImportResult>;
}

export class ImportWorkers {
  readonly temporal: TemporalClient;
  readonly #worlds = new Map<string, ImportWorld>();
  readonly #stop: () => Promise<unknown>;

  private constructor(temporal: TemporalClient, worlds: Map<string, ImportWorld>, stop: () => Promise<unknown>) {
    this.temporal = temporal;
    this.#worlds = worlds;
    this.#stop = stop;
  }

  /**
   * Starts one worker for each queue, like two processes. The queues belong to one test file at a time, so it must be
   * closed.
   */
  static async open(): Promise<ImportWorkers> {
    const { address } = await useTemporal();
    const connection = await NativeConnection.connect({ address });
    const worlds = new Map<string, ImportWorld>();
    const shared = { connection, activities: activitiesOf(worlds), dataConverter: createDataConverter(PAYLOAD_KEYS) };
    const workflowBundle = { code: (await useWorkflowBundle()).code };
    const workers = [
      await Worker.create({ ...shared, workflowBundle, taskQueue: TIMETABLE_QUEUE }),
      await Worker.create({ ...shared, taskQueue: TIMETABLE_VALIDATION_QUEUE }),
    ];
    const running = Promise.all(workers.map((worker) => worker.run()));
    const config = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default', PAYLOAD_KEYS };
    return new ImportWorkers(new TemporalClient(config), worlds, async () => {
      for (const worker of workers) worker.shutdown();
      await running;
      await connection.close();
    });
  }

  /** Starts the workflow as the upload handler does. */
  async start(world: ImportWorld): Promise<StartedImport> {
    const input = { codespace: 'rut' as Codespace, correlationId: randomUUID() as CorrelationId };
    this.#worlds.set(input.correlationId, world);
    await startDatasetImport(this.temporal, input);
    const id = datasetImportWorkflowId(input.codespace, input.correlationId);
    const handle: ImportHandle = this.temporal.client.workflow.getHandle(id);
    return {
      world,
      input,
      handle,
      // Requested on demand: a wait that no test awaits would outlive the connection.
      get result() {
        return handle.result();
      },
    };
  }

  async run(world: ImportWorld): Promise<DatasetImportResult> {
    return await (await this.start(world)).result;
  }

  async close(): Promise<void> {
    await this.#stop();
    await this.temporal.close();
  }
}

/** Routes each call to the world of its import. */
function activitiesOf(worlds: ReadonlyMap<string, ImportWorld>) {
  const names = Object.keys(new ImportWorld().activities()) as ActivityName[];
  const delegates = names.map((name) => {
    const delegate = async (input: DatasetImportInput, ...rest: unknown[]) => {
      const activity = worlds.get(input.correlationId)?.activities()[name] as (...args: unknown[]) => Promise<unknown>;
      return await activity(input, ...rest);
    };
    return [name, delegate] as const;
  });
  return Object.fromEntries(delegates);
}
