/**
 * Runs the timetable workflows on a time-skipping server, one world after the other. It serves tests of attempts that
 * are minutes and hours apart.
 */
import '../support/quiet-temporal.ts';
import { randomUUID } from 'node:crypto';
import proto from '@temporalio/proto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { createDataConverter } from '../../platform/temporal/temporal.ts';
import { TIMETABLE_QUEUE, TIMETABLE_VALIDATION_QUEUE } from '../../workflows/timetable/messages.ts';
import { useWorkflowBundle } from '../support/bundle.ts';
import { openTimeSkipping } from '../support/time-skipping.ts';
import { ImportWorld } from './import-world.ts';
import { PAYLOAD_KEYS } from './payload-keys.ts';
import { RefreshWorld } from './refresh-world.ts';

type Activities = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

const KEYWORD = proto.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;

export class SkippingWorkers {
  readonly #environment: TestWorkflowEnvironment;
  readonly #current: { activities: Activities };
  readonly #stop: () => Promise<unknown>;
  #lastWorkflowId = '';

  private constructor(
    environment: TestWorkflowEnvironment,
    current: { activities: Activities },
    stop: () => Promise<unknown>,
  ) {
    this.#environment = environment;
    this.#current = current;
    this.#stop = stop;
  }

  static async open(): Promise<SkippingWorkers> {
    const dataConverter = createDataConverter(PAYLOAD_KEYS);
    const environment = await openTimeSkipping({ searchAttributes: { Codespace: KEYWORD, ImportState: KEYWORD } });
    const current: { activities: Activities } = { activities: {} };
    const names = Object.keys({ ...new ImportWorld().activities(), ...new RefreshWorld([]).activities() });
    const delegates = names.map((name) => [name, (...args: never[]) => current.activities[name]?.(...args)] as const);
    const shared = {
      connection: environment.nativeConnection,
      activities: Object.fromEntries(delegates),
      dataConverter,
    };
    const { code } = await useWorkflowBundle();
    const workers = [
      await Worker.create({ ...shared, workflowBundle: { code }, taskQueue: TIMETABLE_QUEUE }),
      await Worker.create({ ...shared, taskQueue: TIMETABLE_VALIDATION_QUEUE }),
    ];
    const running = Promise.all(workers.map((worker) => worker.run()));
    return new SkippingWorkers(environment, current, async () => {
      for (const worker of workers) worker.shutdown();
      await running;
    });
  }

  async run<Result>(activities: object, workflow: string, input: object): Promise<Result> {
    this.#current.activities = activities as Activities;
    this.#lastWorkflowId = randomUUID();
    const options = { taskQueue: TIMETABLE_QUEUE, workflowId: this.#lastWorkflowId, args: [input] };
    return (await this.#environment.client.workflow.execute(workflow, options)) as Result;
  }

  /** History of the last run. */
  async history() {
    return await this.#environment.client.workflow.getHandle(this.#lastWorkflowId).fetchHistory();
  }

  async close(): Promise<void> {
    await this.#stop();
    await this.#environment.teardown();
  }
}
