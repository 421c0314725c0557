/** A pinned workflow that continues in a new run moves to the current build, on a real server. */
import '../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createDataConverter, TemporalClient } from '../../platform/temporal/temporal.ts';
import { WorkerVersions } from '../../platform/temporal/worker-versions.ts';
import { changedSignal, PLANNER_BUILD_QUEUE, plannerBuildWorkflow } from '../../workflows/timetable/messages.ts';
import { useWorkflowBundle } from '../support/bundle.ts';
import { useTemporal } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { PAYLOAD_KEYS } from './payload-keys.ts';
import { PlannerWorld } from './planner-world.ts';

const ROLE = `role-${randomUUID()}`;

describe('plannerBuild, pinned to a build of the workers', () => {
  const world = new PlannerWorld();
  let temporal: TemporalClient;
  let versions: WorkerVersions;
  let connection: NativeConnection;
  const stops: (() => Promise<void>)[] = [];

  before(async () => {
    const { address } = await useTemporal();
    temporal = new TemporalClient({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default', PAYLOAD_KEYS });
    versions = new WorkerVersions(temporal);
    connection = await NativeConnection.connect({ address });
  });
  after(async () => {
    await Promise.all(stops.map((stop) => stop()));
    await connection.close();
    await temporal.close();
  });

  /** Polls the role's queue when it has a build; otherwise the queue of the heavy activities. */
  async function startWorker(buildId?: string): Promise<void> {
    const nothingToWaitFor = async () => ({ quietMs: 0, longestMs: 0 });
    const version = { deploymentName: ROLE, buildId: buildId ?? '' };
    const worker = await Worker.create({
      connection,
      dataConverter: createDataConverter(PAYLOAD_KEYS),
      activities: { ...world.activities(), plannerSettings: nothingToWaitFor },
      taskQueue: buildId === undefined ? PLANNER_BUILD_QUEUE : ROLE,
      ...(buildId !== undefined && {
        workflowBundle: { code: (await useWorkflowBundle()).code },
        workerDeploymentOptions: { version, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' },
      }),
    });
    const running = worker.run();
    stops.push(async () => {
      worker.shutdown();
      await running;
    });
  }

  async function makeCurrent(buildId: string): Promise<void> {
    const find = async () => {
      const seen = await versions.findDeployment(ROLE);
      return seen?.versions.some((each) => each.buildId === buildId) ? seen : undefined;
    };
    await until(async () => (await find()) !== undefined, { what: `a worker of build ${buildId}` });
    const seen = await find();
    assert.ok(seen);
    await versions.makeCurrent({ deployment: ROLE, buildId }, { seen });
  }

  it('continues on the current build after continue-as-new', async () => {
    await startWorker();
    await startWorker('first');
    await makeCurrent('first');
    await startWorker('second');
    const handle = await temporal.client.workflow.start(plannerBuildWorkflow.type, {
      taskQueue: ROLE,
      workflowId: ROLE,
      args: [],
    });
    const latest = () => temporal.client.workflow.getHandle(ROLE);
    const builds: (string | null | undefined)[] = [];
    world.onBuild = async () => {
      const { raw } = await latest().describe();
      builds.push(raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId);
      if (builds.length > 1) return;
      await makeCurrent('second');
      world.published += 1;
      await latest().signal(changedSignal);
    };
    assert.deepEqual(await handle.result(), { step: 'PUBLISHED', build: 2 });
    assert.deepEqual(builds, ['first', 'second']);
  });
});
