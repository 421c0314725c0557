/** The planner build against worlds in memory, on a time-skipping server. */
import '../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { GAVE_UP } from '../../workflows/timetable/activities.ts';
import { PLANNER_BUILD_WORKFLOW_ID } from '../../workflows/timetable/messages.ts';
import { LONGEST_MS, type PlannerActivityName, PlannerWorkers, PlannerWorld, QUIET_MS } from './planner-world.ts';

const EVERY_ACTIVITY: readonly PlannerActivityName[] = [
  ...(['plannerSettings', 'planPlannerBuild', 'buildSnapshot', 'storeJourneys', 'publishSnapshot'] as const),
  ...(['wakeImports', 'removeOldSnapshots'] as const),
];

function gaveUp(): ApplicationFailure {
  return ApplicationFailure.create({ type: GAVE_UP, message: 'ArchiveError: cut', nonRetryable: true });
}

describe('plannerBuild', () => {
  let workers: PlannerWorkers;
  let world: PlannerWorld;

  before(async () => {
    workers = await PlannerWorkers.open();
  });
  after(() => workers?.close());
  beforeEach(() => {
    world = new PlannerWorld();
    workers.use(world);
  });

  const now = () => workers.environment.currentTimeMs();

  it('builds, stores the journeys, then moves the pointer, and signals the imports', async () => {
    await workers.signal();
    assert.deepEqual(await workers.result(), { step: 'PUBLISHED', build: 1 });
    assert.deepEqual(world.calls, EVERY_ACTIVITY);
    assert.equal(world.inUse, 1);
  });

  it('builds once for changes close together, after a quiet period', async () => {
    await workers.signal();
    let last = 0;
    for (let at = 0; at < 3; at++) {
      await workers.environment.sleep(4_000);
      await workers.signal();
      last = await now();
    }
    assert.equal((await workers.result()).step, 'PUBLISHED');
    assert.equal(world.planned.length, 1);
    const waited = (world.planned[0]?.at ?? 0) - last;
    assert.ok(waited >= QUIET_MS - 1_000, `it waited ${waited} ms after the last change`);
  });

  it('builds in spite of a steady stream of changes', async () => {
    const begunAt = await now();
    const handle = await workers.signal();
    for (let at = 0; at < 20 && world.planned.length === 0; at++) {
      await workers.environment.sleep(5_000);
      await workers.signal();
    }
    await handle.result();
    const waited = (world.planned[0]?.at ?? Number.POSITIVE_INFINITY) - begunAt;
    assert.ok(waited >= LONGEST_MS - 6_000 && waited <= LONGEST_MS + 6_000, `${waited} ms`);
  });

  it('builds again after a change during a build, and otherwise ends', async () => {
    world.onBuild = async () => {
      if (world.builds > 1) return;
      world.published = 2;
      await workers.signal();
    };
    await workers.signal();
    assert.deepEqual(await workers.result(), { step: 'PUBLISHED', build: 2 });
    assert.deepEqual(
      world.planned.map(({ input }) => input),
      [1, 2],
    );
    assert.equal(world.inUse, 2);
  });

  it('builds nothing when the snapshot in use has the published data', async () => {
    world.inUse = world.published;
    await workers.signal();
    assert.deepEqual(await workers.result(), { step: 'UNCHANGED', build: null });
    assert.deepEqual([world.callsOf('buildSnapshot'), world.callsOf('wakeImports')], [0, 1]);
  });

  for (const name of ['buildSnapshot', 'storeJourneys'] as const) {
    it(`notes a build whose ${name} gave up, and builds at the next change`, async () => {
      world.breakOn(name, 'before', gaveUp());
      await workers.signal();
      assert.deepEqual(await workers.result(), { step: 'FAILED', build: 1 });
      assert.deepEqual(world.failures, [{ errorCode: 'SYSTEM_ERROR', reason: 'ArchiveError: cut' }]);
      assert.deepEqual([world.inUse, world.callsOf('wakeImports')], [0, 1]);
      world.published = 2;
      await workers.signal();
      assert.deepEqual(await workers.result(), { step: 'PUBLISHED', build: 2 });
    });
  }

  it('notes a build that an operator cancels', async () => {
    const handle = workers.environment.client.workflow.getHandle(PLANNER_BUILD_WORKFLOW_ID);
    world.onBuild = async () => {
      if (world.builds === 1) await handle.cancel();
    };
    world.breakOn('storeJourneys', 'before', ...Array.from({ length: 20 }, () => new Error('away')));
    await workers.signal();
    await assert.rejects(workers.result());
    assert.deepEqual([...new Set(world.failures.map(({ errorCode }) => errorCode))], ['CANCELLED']);
    assert.equal(world.inUse, 0);
  });

  for (const name of EVERY_ACTIVITY) {
    for (const when of ['before', 'after'] as const) {
      it(`has the same outcome when ${name} failed ${when} its effect`, async () => {
        world.breakOn(name, when, new Error('the server is away'));
        await workers.signal();
        assert.equal((await workers.result()).step, 'PUBLISHED');
        assert.deepEqual([world.inUse, world.failures], [1, []]);
      });
    }
  }

  it('stays published when an activity after the build gives up', async () => {
    world.breakOn('wakeImports', 'before', gaveUp());
    world.breakOn('removeOldSnapshots', 'before', gaveUp());
    await workers.signal();
    assert.deepEqual(await workers.result(), { step: 'PUBLISHED', build: 1 });
  });
});
