/**
 * Runs the workflows of customers against worlds in memory, one for each customer. Uses the real server or a
 * time-skipping one.
 */
import '../../support/quiet-temporal.ts';
import type { WorkflowClient } from '@temporalio/client';
import proto from '@temporalio/proto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { createDataConverter, TemporalClient } from '../../../platform/temporal/temporal.ts';
import {
  type CustomerInput,
  type ErasureProgress,
  profileErasureWorkflowId,
  SALES_CUSTOMERS_QUEUE,
  type TemporaryProfileResult,
  temporaryProfileWorkflowId,
} from '../../../workflows/customers/messages.ts';
import { useWorkflowBundle } from '../../support/bundle.ts';
import { useTemporal } from '../../support/stack.ts';
import { openTimeSkipping } from '../../support/time-skipping.ts';
import { PAYLOAD_KEYS } from '../payload-keys.ts';
import { type CustomerActivities, type CustomerActivityName, CustomerWorld } from './customer-world.ts';

const { INDEXED_VALUE_TYPE_DATETIME, INDEXED_VALUE_TYPE_KEYWORD } = proto.temporal.api.enums.v1.IndexedValueType;
const SEARCH_ATTRIBUTES = { OrganisationId: INDEXED_VALUE_TYPE_KEYWORD, ExpireAt: INDEXED_VALUE_TYPE_DATETIME };

type Worlds = Map<string, CustomerWorld>;

interface Surroundings {
  readonly temporal: TemporalClient;
  /** On a time-skipping server, waiting for a result by this client skips time. */
  readonly waiting: WorkflowClient;
  readonly environment?: TestWorkflowEnvironment;
}

export class CustomerWorkers {
  readonly temporal: TemporalClient;
  readonly #around: Surroundings;
  readonly #worlds: Worlds;
  readonly #stop: () => Promise<unknown>;

  private constructor(around: Surroundings, worlds: Worlds, stop: () => Promise<unknown>) {
    this.temporal = around.temporal;
    this.#around = around;
    this.#worlds = worlds;
    this.#stop = stop;
  }

  static async open(): Promise<CustomerWorkers> {
    const { address } = await useTemporal();
    const connection = await NativeConnection.connect({ address });
    const worlds: Worlds = new Map();
    const stopWorker = await runWorker({ connection }, worlds);
    const temporal = clientOf(address);
    return new CustomerWorkers({ temporal, waiting: temporal.client.workflow }, worlds, async () => {
      await stopWorker();
      await connection.close();
    });
  }

  static async openSkipping(): Promise<CustomerWorkers> {
    const environment = await openTimeSkipping({ searchAttributes: SEARCH_ATTRIBUTES, isFree: true });
    const worlds: Worlds = new Map();
    const stopWorker = await runWorker({ connection: environment.nativeConnection }, worlds);
    const temporal = clientOf(environment.address);
    return new CustomerWorkers({ temporal, waiting: environment.client.workflow, environment }, worlds, async () => {
      await stopWorker();
      await environment.teardown();
    });
  }

  /** Sets the clock of the world to the server's time from here on. */
  add(world: CustomerWorld): CustomerWorld {
    const { environment } = this.#around;
    this.#worlds.set(world.input.customerNumber, world);
    if (environment) world.clock = () => environment.currentTimeMs();
    return world;
  }

  /** The server's time. */
  async now(): Promise<number> {
    return (await this.#around.environment?.currentTimeMs()) ?? Date.now();
  }

  /** Skips this time. */
  async skip(ms: number): Promise<void> {
    await this.#around.environment?.sleep(ms);
  }

  /** Handle of the given run; by default, of the last. */
  handle({ customerNumber }: CustomerInput, runId?: string) {
    return this.#around.waiting.getHandle(temporaryProfileWorkflowId(customerNumber), runId);
  }

  erasureHandle({ customerNumber }: CustomerInput) {
    return this.#around.waiting.getHandle(profileErasureWorkflowId(customerNumber));
  }

  async end(world: CustomerWorld): Promise<TemporaryProfileResult> {
    return (await this.handle(world.input).result()) as TemporaryProfileResult;
  }

  async erased(world: CustomerWorld): Promise<ErasureProgress> {
    return (await this.erasureHandle(world.input).result()) as ErasureProgress;
  }

  async close(): Promise<void> {
    await this.temporal.close();
    await this.#stop();
  }
}

function clientOf(address: string): TemporalClient {
  return new TemporalClient({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default', PAYLOAD_KEYS });
}

/** Runs one worker process; returns the function that stops it. */
async function runWorker(options: Pick<WorkerOptions, 'connection'>, worlds: Worlds): Promise<() => Promise<void>> {
  const worker = await Worker.create({
    ...options,
    activities: activitiesOf(worlds),
    dataConverter: createDataConverter(PAYLOAD_KEYS),
    workflowBundle: { code: (await useWorkflowBundle()).code },
    taskQueue: SALES_CUSTOMERS_QUEUE,
  });
  const running = worker.run();
  return async () => {
    worker.shutdown();
    await running;
  };
}

/** Routes each call to the world of its customer. All worlds have the same areas. */
function activitiesOf(worlds: Worlds): CustomerActivities {
  const names = Object.keys(new CustomerWorld().activities()) as CustomerActivityName[];
  const delegates = names.map((name) => {
    const delegate = async (input: CustomerInput) => {
      const world = worlds.get(input.customerNumber);
      const activity = world?.activities()[name] as ((given: CustomerInput) => Promise<unknown>) | undefined;
      if (!activity) throw new Error(`There is no world for ${name}`);
      return await activity(input);
    };
    return [name, delegate] as const;
  });
  return Object.fromEntries(delegates) as unknown as CustomerActivities;
}
