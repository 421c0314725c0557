/** The workflow `reconciliation` on a time-skipping server, with activities that answer as the test says and may die. */
import '../../support/quiet-temporal.ts';
import { randomUUID } from 'node:crypto';
import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { createDataConverter } from '../../../platform/temporal/temporal.ts';
import type { Reconciling } from '../../../workflows/books/activities.ts';
import {
  BOOKS_QUEUE,
  type ReconciliationInput,
  type ReconciliationState,
  reconciliationStateQuery,
  reconciliationWorkflow,
} from '../../../workflows/books/messages.ts';
import { type Findings, NOTHING_FOUND } from '../../../workflows/books/rules/reconciled-day.ts';
import { useWorkflowBundle } from '../../support/bundle.ts';
import { openTimeSkipping } from '../../support/time-skipping.ts';
import { PAYLOAD_KEYS } from '../payload-keys.ts';

export class ReconciliationWorkers {
  /** As `compareMovements 3`. */
  readonly calls: string[] = [];
  readonly reported: { readonly day: string; readonly findings: Findings }[] = [];
  range = { after: 10, upTo: 450 };
  readonly #environment: TestWorkflowEnvironment;
  readonly #faults = new Map<string, number>();
  #stop: () => Promise<void> = async () => {};

  static async open(): Promise<ReconciliationWorkers> {
    const environment = await openTimeSkipping();
    const workers = new ReconciliationWorkers(environment);
    await workers.#start();
    return workers;
  }

  private constructor(environment: TestWorkflowEnvironment) {
    this.#environment = environment;
  }

  /** The next `times` runs of the activity die. */
  breakOn(name: keyof Reconciling, times: number): void {
    this.#faults.set(name, times);
  }

  async start(input?: ReconciliationInput): Promise<WorkflowHandleWithFirstExecutionRunId> {
    this.calls.length = 0;
    this.reported.length = 0;
    const args = input ? [input] : [];
    const options = { taskQueue: BOOKS_QUEUE, workflowId: `reconciliation-${randomUUID()}`, args };
    return await this.#environment.client.workflow.start(reconciliationWorkflow.type, options);
  }

  async end(run: WorkflowHandleWithFirstExecutionRunId): Promise<ReconciliationState> {
    return (await run.result()) as ReconciliationState;
  }

  async state(run: WorkflowHandleWithFirstExecutionRunId): Promise<ReconciliationState> {
    return await run.query(reconciliationStateQuery);
  }

  async close(): Promise<void> {
    await this.#stop();
    await this.#environment.teardown();
  }

  async #start(): Promise<void> {
    const worker = await Worker.create({
      connection: this.#environment.nativeConnection,
      taskQueue: BOOKS_QUEUE,
      dataConverter: createDataConverter(PAYLOAD_KEYS),
      workflowBundle: { code: (await useWorkflowBundle()).code },
      activities: this.#activities(),
    });
    const running = worker.run();
    this.#stop = async () => {
      worker.shutdown();
      await running;
    };
  }

  #activities(): Reconciling {
    return {
      compareMovements: async ({ hour }) => {
        this.#step('compareMovements', hour);
        const isOdd = hour === 3;
        if (!isOdd) return { ...NOTHING_FOUND, movements: 2 };
        return { ...NOTHING_FOUND, movements: 2, differences: 1, told: [{ kind: 'UNKNOWN_MOVEMENT', key: 'cap-1-1' }] };
      },
      rangeOfDay: async () => {
        this.#step('rangeOfDay', '');
        return this.range;
      },
      compareEvents: async ({ after, upTo }) => {
        this.#step('compareEvents', after);
        const next = after + 200;
        return { ...NOTHING_FOUND, events: 200, ...(next < upTo && { next }) };
      },
      compareOrders: async ({ hour }) => {
        this.#step('compareOrders', hour);
        return { ...NOTHING_FOUND, events: 1 };
      },
      report: async (report) => {
        this.#step('report', '');
        this.reported.push(report);
      },
    };
  }

  #step(name: keyof Reconciling, what: number | string): void {
    const left = this.#faults.get(name) ?? 0;
    if (left > 0) {
      this.#faults.set(name, left - 1);
      throw new Error(`${name} died`);
    }
    this.calls.push(`${name} ${what}`.trim());
  }
}
