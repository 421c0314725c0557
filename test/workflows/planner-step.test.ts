/** The step PLANNER_BUILD of the import workflow, against worlds in memory. */
import '../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { createDataConverter } from '../../platform/temporal/temporal.ts';
import { GAVE_UP } from '../../workflows/timetable/activities.ts';
import { plannerBuiltSignal } from '../../workflows/timetable/messages.ts';
import { useWorkflowBundle } from '../support/bundle.ts';
import { until } from '../support/until.ts';
import { ImportWorkers } from './import-workers.ts';
import { ImportWorld } from './import-world.ts';
import { PAYLOAD_KEYS } from './payload-keys.ts';
import { SkippingWorkers } from './skipping-workers.ts';

function plannedWorld(): ImportWorld {
  const world = new ImportWorld();
  world.planner = 'REQUESTED';
  return world;
}

describe('the step PLANNER_BUILD', () => {
  let workers: ImportWorkers;

  before(async () => {
    workers = await ImportWorkers.open();
  });
  after(() => workers?.close());

  it('succeeds when the snapshot in use has the version, in parallel with the private dataset', async () => {
    const world = plannedWorld();
    assert.deepEqual(await workers.run(world), { state: 'OK' });
    assert.ok(world.steps.includes('PLANNER_BUILD OK') && world.steps.includes('PRIVATE_EXPORT OK'));
    assert.deepEqual(world.allUndone, []);
  });

  it('replays for every order in which its records and those of the private dataset complete', async () => {
    for (const slow of ['requestPlannerBuild', 'planPrivateExport', 'startStep'] as const) {
      const world = plannedWorld();
      world.slowOn(slow, 150);
      const started = await workers.start(world);
      assert.deepEqual(await started.result, { state: 'OK' });
      const { code } = await useWorkflowBundle();
      const options = { workflowBundle: { code }, dataConverter: createDataConverter(PAYLOAD_KEYS) };
      const { handle } = started;
      await Worker.runReplayHistory(options, await handle.fetchHistory(), handle.workflowId);
    }
  });

  it('exists for a stop register, too', async () => {
    const world = plannedWorld();
    world.classified = { ...world.classified, kind: 'stop-register' } as typeof world.classified;
    assert.deepEqual(await workers.run(world), { state: 'OK' });
    assert.ok(world.steps.includes('PLANNER_BUILD OK'));
  });

  it('checks again as soon as a build has ended', async () => {
    const world = plannedWorld();
    world.plannerLooks = [{ state: 'WAITING' }, { state: 'BUILT', build: 7, snapshotId: 's7' }];
    const started = await workers.start(world);
    await until(() => world.callsOf('checkPlannerBuild') === 1);
    const began = performance.now();
    await started.handle.signal(plannerBuiltSignal);
    assert.deepEqual(await started.result, { state: 'OK' });
    assert.ok(performance.now() - began < 4_000, 'it slept on');
    assert.ok(world.steps.includes('PLANNER_BUILD OK'));
  });

  it('reports a failed build, while the import is OK', async () => {
    const world = plannedWorld();
    world.plannerLooks = [{ state: 'FAILED', build: 3 }];
    assert.deepEqual(await workers.run(world), { state: 'OK' });
    assert.deepEqual(
      world.allUndone.map(({ action, state, errorCode }) => [action, state, errorCode]),
      [['PLANNER_BUILD', 'FAILED', 'PLANNER_BUILD_FAILED']],
    );
  });

  it('is left undone when the version is withdrawn while it waits', async () => {
    const world = plannedWorld();
    world.plannerLooks = [{ state: 'WITHDRAWN' }];
    await workers.run(world);
    assert.deepEqual(
      world.allUndone.map(({ action, errorCode }) => [action, errorCode]),
      [['PLANNER_BUILD', 'WITHDRAWN']],
    );
  });

  it('is left undone, like the private dataset, when an operator cancels', async () => {
    const world = plannedWorld();
    world.plannerLooks = [{ state: 'WAITING' }];
    world.pauseOn('exportPrivateDataset');
    const { handle, result } = await workers.start(world);
    await until(() => world.callsOf('exportPrivateDataset') > 0 && world.callsOf('checkPlannerBuild') > 0);
    await handle.cancel();
    assert.deepEqual(await result, { state: 'OK' });
    world.resume();
    assert.deepEqual(
      world.allUndone.map(({ action, errorCode }) => [action, errorCode]),
      [
        ['PRIVATE_EXPORT', 'CANCELLED'],
        ['PLANNER_BUILD', 'CANCELLED'],
      ],
    );
  });

  for (const name of ['requestPlannerBuild', 'checkPlannerBuild'] as const) {
    for (const when of ['before', 'after'] as const) {
      it(`survives a failure ${when} the effect of ${name}`, async () => {
        const world = plannedWorld();
        world.breakOn(name, when, new Error('the database is away'));
        assert.deepEqual(await workers.run(world), { state: 'OK' });
        assert.deepEqual([world.allUndone.length, world.steps.includes('PLANNER_BUILD OK')], [0, true]);
      });
    }
  }

  it('completes while the private dataset is still retried', async () => {
    const world = plannedWorld();
    world.breakOn(
      'exportPrivateDataset',
      'before',
      ApplicationFailure.create({ type: GAVE_UP, message: 'x', nonRetryable: true }),
    );
    const { handle, result } = await workers.start(world);
    const ended = assert.rejects(result);
    await until(() => world.steps.includes('PLANNER_BUILD OK') && world.notes.length > 0);
    assert.equal(world.state, 'IN_PROGRESS');
    await handle.terminate();
    await ended;
  });
});

describe('the step PLANNER_BUILD, when no builder runs', () => {
  it('gives up after an hour, and reports it', async () => {
    const workers = await SkippingWorkers.open();
    try {
      const world = plannedWorld();
      world.plannerLooks = [{ state: 'WAITING' }];
      const input = { codespace: 'rut', correlationId: 'c1' };
      assert.deepEqual(await workers.run(world.activities(), 'datasetImport', input), { state: 'OK' });
      assert.deepEqual(
        world.allUndone.map(({ action, state, errorCode }) => [action, state, errorCode]),
        [['PLANNER_BUILD', 'FAILED', 'PLANNER_BUILD_LATE']],
      );
      assert.ok(world.callsOf('checkPlannerBuild') < 60);
    } finally {
      await workers.close();
    }
  });
});
