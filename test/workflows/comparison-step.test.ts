/** The comparison of a published version with the one before, against worlds in memory. */
import '../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { GAVE_UP } from '../../workflows/timetable/activities.ts';
import { until } from '../support/until.ts';
import { ImportWorkers } from './import-workers.ts';
import { comparedWorld } from './import-world.ts';

describe('the comparison with the version before', () => {
  let workers: ImportWorkers;

  before(async () => {
    workers = await ImportWorkers.open();
  });
  after(() => workers?.close());

  it('begins after the publication', async () => {
    const world = comparedWorld();
    assert.deepEqual(await workers.run(world), { state: 'OK' });
    assert.deepEqual(world.comparedWith, ['c0']);
    const names = world.calls.map(([name]) => name);
    assert.ok(names.indexOf('planComparison') > names.indexOf('publishImport'));
  });

  it('is left out without a version before', async () => {
    const world = comparedWorld();
    world.comparisonPlan = 'NOTHING';
    assert.deepEqual(await workers.run(world), { state: 'OK' });
    assert.equal(world.callsOf('compareVersions'), 0);
  });

  it('is tried again after a worker was killed, twice', async () => {
    const world = comparedWorld();
    world.hangOnce('compareVersions');
    world.breakOn('compareVersions', 'after', new Error('lost'));
    assert.deepEqual(await workers.run(world), { state: 'OK' });
    assert.equal(world.callsOf('compareVersions'), 3);
    assert.deepEqual(world.comparedWith, ['c0']);
  });

  it('does not hold up the import when it gives up', async () => {
    const world = comparedWorld();
    const gaveUp = { type: GAVE_UP, message: 'it ended its process again and again', nonRetryable: true };
    world.breakOn('compareVersions', 'before', ApplicationFailure.create(gaveUp));
    assert.deepEqual(await workers.run(world), { state: 'OK' });
    assert.deepEqual([world.comparedWith, world.undone, world.shownExport], [[], undefined, '2026-11-21_1']);
  });

  it('ends with the import that an operator cancels', async () => {
    const world = comparedWorld();
    world.pauseOn('compareVersions');
    const { handle, result } = await workers.start(world);
    await until(() => world.callsOf('compareVersions') > 0 && world.shownExport !== undefined);
    await handle.cancel();
    assert.deepEqual(await result, { state: 'OK' });
    world.resume();
    assert.equal(world.publications, 1);
  });

  it('is retried for an hour, behind uploads and private datasets', async () => {
    const { handle, result } = await workers.start(comparedWorld());
    await result;
    const { events } = await handle.fetchHistory();
    const scheduled = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: found }) => found ?? []);
    const comparison = scheduled.find(({ activityType }) => activityType?.name === 'compareVersions');
    assert.deepEqual(
      [Number(comparison?.scheduleToCloseTimeout?.seconds), comparison?.retryPolicy?.maximumAttempts ?? 0],
      [3600, 0],
    );
    assert.equal(comparison?.priority?.priorityKey, 5);
  });
});
