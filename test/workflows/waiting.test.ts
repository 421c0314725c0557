/** Attempts of the timetable workflows that are minutes and hours apart, on a time-skipping server. */
import '../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Codespace, CorrelationId } from '../../workflows/shared/ids.ts';
import type { DatasetRefreshInput, DatasetRefreshProgress } from '../../workflows/timetable/messages.ts';
import { pauseBeforeNextExport } from '../../workflows/timetable/rules/export-pause.ts';
import { ImportWorld, NO_FINDINGS } from './import-world.ts';
import { RefreshWorld, TODAY } from './refresh-world.ts';
import { SkippingWorkers } from './skipping-workers.ts';

const MINUTE_MS = 60_000;

describe('waiting timetable workflows', () => {
  let workers: SkippingWorkers;

  before(async () => {
    workers = await SkippingWorkers.open();
  });
  after(() => workers?.close());

  const refresh = (world: RefreshWorld, input: DatasetRefreshInput = {}) =>
    workers.run<DatasetRefreshProgress>(world.activities(), 'datasetRefresh', input);

  it('pause for a minute, then twice as long, up to an hour', () => {
    const minutes = [1, 2, 3, 4, 5, 6, 7, 8, 50].map((tries) => pauseBeforeNextExport(tries) / MINUTE_MS);
    assert.deepEqual(minutes, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('make the private dataset of an import again until it is valid, each time for the current day', async () => {
    const world = new ImportWorld();
    const wrong = { valid: false, findings: { ...NO_FINDINGS, ERROR: 1 }, brokenRules: ['LINE_2'] };
    world.privatelyValidated = [...Array.from({ length: 8 }, () => wrong), { valid: true, findings: NO_FINDINGS }];
    const input = { codespace: 'rut' as Codespace, correlationId: randomUUID() as CorrelationId };
    assert.deepEqual(await workers.run(world.activities(), 'datasetImport', input), { state: 'OK' });
    assert.equal(world.exports.length, 9);
    assert.deepEqual(world.discarded, world.exports.slice(0, 8));
    assert.equal(world.shownExport, world.exports[8]);
    assert.deepEqual([world.state, world.undone, world.publications, world.failure], ['OK', undefined, 1, undefined]);
    const { events } = await workers.history();
    const timers = (events ?? []).flatMap(({ timerStartedEventAttributes: timer }) => timer ?? []);
    const minutes = timers.map(({ startToFireTimeout }) => Number(startToFireTimeout?.seconds) / 60);
    assert.deepEqual(minutes, [1, 2, 4, 8, 16, 32, 60, 60]);
  });

  describe('of a refresh', () => {
    const many = Array.from(
      { length: 25 },
      (_, at) => `c${String.fromCharCode(97 + Math.floor(at / 5), 97 + (at % 5))}`,
    );

    it('make every private dataset for the current day, a few at a time, page by page', async () => {
      const world = new RefreshWorld(many);
      world.empty.add('cab');
      const { day, refreshed, emptied, failed, round } = await refresh(world);
      assert.deepEqual(
        { day, refreshed, emptied, failed, round },
        { day: TODAY, refreshed: 25, emptied: 1, failed: 0, round: 1 },
      );
      assert.deepEqual(new Set(world.days.values()), new Set([TODAY]));
      assert.deepEqual(world.pages, [null, many[9], many[19]]);
      assert.ok(world.busiest > 1 && world.busiest <= 4, `${world.busiest} at once`);
      assert.deepEqual([...world.daysAsked], [TODAY]);
      assert.equal(world.instants.length, 1);
    });

    it('continue after a failed dataset, and retry it', async () => {
      const world = new RefreshWorld(['aaa', 'bbb', 'ccc']);
      world.wrong.set('bbb', 2);
      const progress = await refresh(world);
      assert.deepEqual([progress.refreshed, progress.failed, progress.round], [3, 0, 3]);
      assert.deepEqual(world.discarded, [`bbb-${TODAY}`, `bbb-${TODAY}`]);
      assert.deepEqual(new Set(world.days.values()), new Set([TODAY]));
    });

    it('end with the names of the datasets that stay broken, for the next night', async () => {
      const world = new RefreshWorld(['aaa', 'bbb']);
      world.wrong.set('bbb', 99);
      const progress = await refresh(world);
      assert.deepEqual([progress.refreshed, progress.failed, progress.failedCodespaces], [1, 1, ['bbb']]);
      assert.equal(progress.round, 5);
      assert.equal(world.days.get('bbb'), '2026-11-21');
    });

    it('do nothing for versions withdrawn in the meantime', async () => {
      const world = new RefreshWorld(['aaa', 'bbb']);
      const { exportPrivateDataset, ...rest } = world.activities();
      const withdrawing = async (input: Parameters<typeof exportPrivateDataset>[0]) => {
        world.withdrawn.add('aaa');
        return await exportPrivateDataset(input);
      };
      const progress = await workers.run<DatasetRefreshProgress>(
        { ...rest, exportPrivateDataset: withdrawing },
        'datasetRefresh',
        {},
      );
      assert.deepEqual([progress.refreshed, progress.left, progress.failed], [1, 1, 0]);
      assert.deepEqual(world.discarded, [`aaa-${TODAY}`]);
    });

    it('cover one codespace on request, and continue where an earlier run ended', async () => {
      const world = new RefreshWorld(many);
      assert.equal((await refresh(world, { codespaces: ['caa' as Codespace] })).refreshed, 1);
      const first = await refresh(new RefreshWorld([]));
      const progress = { ...first, after: 'cdd' as Codespace, refreshed: 7 };
      assert.equal((await refresh(world, { progress })).refreshed, 7 + many.filter((name) => name > 'cdd').length);
      assert.equal(world.instants.length, 1);
    });
  });
});
