/** A world in memory for `plannerBuild`, on a time-skipping server. Its activities can fail or wait. */
import '../support/quiet-temporal.ts';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { createDataConverter } from '../../platform/temporal/temporal.ts';
import {
  changedSignal,
  PLANNER_BUILD_QUEUE,
  PLANNER_BUILD_WORKFLOW_ID,
  type PlannerBuildProgress,
  plannerBuildWorkflow,
} from '../../workflows/timetable/messages.ts';
import type {
  BuildFailure,
  PlannerBuildActivities,
  PlannerBuildRecords,
} from '../../workflows/timetable/planner-build-activities.ts';
import { useWorkflowBundle } from '../support/bundle.ts';
import { openTimeSkipping } from '../support/time-skipping.ts';
import { PAYLOAD_KEYS } from './payload-keys.ts';

type Activities = PlannerBuildRecords & PlannerBuildActivities;
export type PlannerActivityName = keyof Activities;

export const QUIET_MS = 10_000;
export const LONGEST_MS = 60_000;

export class PlannerWorld {
  /** The published data, and the data that the snapshot in use was made from. */
  published = 1;
  inUse = 0;
  builds = 0;
  readonly calls: PlannerActivityName[] = [];
  /** Input and time of each planned build. */
  readonly planned: { readonly input: number; readonly at: number }[] = [];
  readonly failures: BuildFailure[] = [];
  clock: () => Promise<number> = async () => 0;
  onBuild: () => Promise<void> = async () => {};
  readonly #faults = new Map<string, Error[]>();

  breakOn(name: PlannerActivityName, when: 'before' | 'after', ...errors: Error[]): void {
    this.#faults.set(`${name} ${when}`, errors);
  }

  callsOf(name: PlannerActivityName): number {
    return this.calls.filter((called) => called === name).length;
  }

  activities(): Activities {
    return {
      plannerSettings: this.#activity('plannerSettings', async () => ({ quietMs: QUIET_MS, longestMs: LONGEST_MS })),
      planPlannerBuild: this.#activity('planPlannerBuild', async () => {
        if (this.inUse === this.published) return { outcome: 'UNCHANGED' as const };
        this.planned.push({ input: this.published, at: await this.clock() });
        this.builds += 1;
        return { outcome: 'PLANNED' as const, build: this.builds };
      }),
      buildSnapshot: this.#activity('buildSnapshot', async ({ build }) => {
        await this.onBuild();
        return { snapshotId: `s${build}`, sizeBytes: 1 };
      }),
      storeJourneys: this.#activity('storeJourneys', async () => ({ journeys: 3 })),
      publishSnapshot: this.#activity('publishSnapshot', async ({ build }) => {
        this.inUse = this.planned[build - 1]?.input ?? 0;
        return 'PUBLISHED' as const;
      }),
      failPlannerBuild: this.#activity('failPlannerBuild', async (_, failure) => {
        this.failures.push(failure);
      }),
      wakeImports: this.#activity('wakeImports', async () => {}),
      removeOldSnapshots: this.#activity('removeOldSnapshots', async () => {}),
    };
  }

  #activity<Name extends PlannerActivityName>(name: Name, effect: Activities[Name]): Activities[Name] {
    const run = async (...args: Parameters<Activities[Name]>) => {
      this.calls.push(name);
      this.#throwNext(`${name} before`);
      const answer = await (effect as (...given: unknown[]) => Promise<unknown>)(...args);
      this.#throwNext(`${name} after`);
      return answer;
    };
    return run as unknown as Activities[Name];
  }

  #throwNext(point: string): void {
    const error = this.#faults.get(point)?.shift();
    if (error) throw error;
  }
}

export class PlannerWorkers {
  readonly environment: TestWorkflowEnvironment;
  readonly #current: { world: PlannerWorld };
  readonly #stop: () => Promise<unknown>;

  private constructor(
    environment: TestWorkflowEnvironment,
    current: { world: PlannerWorld },
    stop: () => Promise<unknown>,
  ) {
    this.environment = environment;
    this.#current = current;
    this.#stop = stop;
  }

  static async open(): Promise<PlannerWorkers> {
    const dataConverter = createDataConverter(PAYLOAD_KEYS);
    const environment = await openTimeSkipping();
    const current = { world: new PlannerWorld() };
    const names = Object.keys(current.world.activities()) as PlannerActivityName[];
    const delegates = names.map((name) => [
      name,
      (...args: unknown[]) => (current.world.activities()[name] as (...given: unknown[]) => unknown)(...args),
    ]);
    const { code } = await useWorkflowBundle();
    const worker = await Worker.create({
      connection: environment.nativeConnection,
      dataConverter,
      taskQueue: PLANNER_BUILD_QUEUE,
      workflowBundle: { code },
      activities: Object.fromEntries(delegates),
    });
    const running = worker.run();
    return new PlannerWorkers(environment, current, async () => {
      worker.shutdown();
      await running;
    });
  }

  use(world: PlannerWorld): void {
    this.#current.world = world;
    world.clock = () => this.environment.currentTimeMs();
  }

  /** Sends the signal of a publication or withdrawal. */
  async signal() {
    return await this.environment.client.workflow.signalWithStart(plannerBuildWorkflow.type, {
      taskQueue: PLANNER_BUILD_QUEUE,
      workflowId: PLANNER_BUILD_WORKFLOW_ID,
      args: [],
      signal: changedSignal,
      signalArgs: [],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    });
  }

  /** Result of the last run, for a workflow that continued as new. */
  async result(): Promise<PlannerBuildProgress> {
    return (await this.environment.client.workflow
      .getHandle(PLANNER_BUILD_WORKFLOW_ID)
      .result()) as PlannerBuildProgress;
  }

  async history() {
    return await this.environment.client.workflow.getHandle(PLANNER_BUILD_WORKFLOW_ID).fetchHistory();
  }

  async close(): Promise<void> {
    await this.#stop();
    await this.environment.teardown();
  }
}
