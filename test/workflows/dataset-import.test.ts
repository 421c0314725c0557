/**
 * The import workflow against worlds in memory: its outcomes, and failures of every step before and after its effect.
 */
import '../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { ARCHIVE_REFUSED, GAVE_UP } from '../../workflows/timetable/activities.ts';
import { type DatasetImportResult, importProgressQuery } from '../../workflows/timetable/messages.ts';
import { until } from '../support/until.ts';
import { ImportWorkers } from './import-workers.ts';
import { type ActivityName, ImportWorld, NO_FINDINGS } from './import-world.ts';

const ALL_STEPS = [
  'FILE_CLASSIFICATION STARTED',
  'FILE_CLASSIFICATION OK',
  'VALIDATION STARTED',
  'VALIDATION OK',
  'PUBLICATION STARTED',
];
/** Steps of a timetable after its publication; the import of a stop register ends with the publication. */
const LATER_STEPS = ['PRIVATE_EXPORT STARTED', 'PRIVATE_EXPORT OK'];

const EVERY_ACTIVITY: readonly ActivityName[] = [
  'startStep',
  'finishStep',
  'classifyDataset',
  'indexCommonFiles',
  'validateFiles',
  'validateDataset',
  'indexStopRegister',
  'publishImport',
  'removeWorkFiles',
  'completeImport',
  'planPrivateExport',
];
/** Activities after the publication of a timetable. */
const EVERY_LATER_ACTIVITY: readonly ActivityName[] = [
  'planPrivateExport',
  'exportPrivateDataset',
  'classifyDataset',
  'validateFiles',
  'validateDataset',
  'showPrivateExport',
  'completeImport',
];

/** A dataset for which the workflow calls every activity. */
function registerWorld(): ImportWorld {
  const world = new ImportWorld();
  world.classified = { ...world.classified, kind: 'stop-register' } as typeof world.classified;
  return world;
}

describe('datasetImport', () => {
  let workers: ImportWorkers;

  before(async () => {
    workers = await ImportWorkers.open();
  });
  after(() => workers?.close());

  it('takes a good dataset through all steps and publishes it once', async () => {
    const world = new ImportWorld();
    assert.deepEqual(await workers.run(world), { state: 'OK' });
    assert.deepEqual(world.steps, [...ALL_STEPS, ...LATER_STEPS]);
    assert.equal(world.publications, 1);
    assert.deepEqual([...world.validatedBatches].toSorted(), [0, 1, 2]);
    assert.equal(world.callsOf('indexStopRegister'), 0);
    assert.deepEqual([world.state, world.undone, world.workRemoved], ['OK', undefined, 1]);
  });

  it('writes the index of a stop register before it is published', async () => {
    const world = registerWorld();
    await workers.run(world);
    const names = world.calls.map(([name]) => name);
    assert.ok(names.includes('indexStopRegister'));
    assert.ok(names.indexOf('indexStopRegister') < names.indexOf('publishImport'));
  });

  it('shows the private dataset only after the validation that an upload gets', async () => {
    const world = new ImportWorld();
    await workers.run(world);
    const names = world.calls.map(([name]) => name);
    const later = names
      .slice(names.indexOf('publishImport') + 1)
      .filter((name) => !/Step|[pP]lan|complete|remove/.test(name));
    assert.deepEqual(later, [
      'exportPrivateDataset',
      'classifyDataset',
      'indexCommonFiles',
      'validateFiles',
      'validateFiles',
      'validateFiles',
      'validateDataset',
      'showPrivateExport',
    ]);
    assert.deepEqual([world.shownExport, world.discarded], ['2026-11-21_1', []]);
  });

  it('succeeds when no journey is left, without an archive to validate', async () => {
    const world = new ImportWorld();
    world.emptyExport = true;
    assert.deepEqual(await workers.run(world), { state: 'OK' });
    assert.equal(world.callsOf('classifyDataset'), 1);
    assert.equal(world.shownExport, '2026-11-21_1');
  });

  it('stays published and in progress while its private dataset is invalid, and names the rules', async () => {
    const world = new ImportWorld();
    const wrong = { valid: false, findings: { ...NO_FINDINGS, ERROR: 2 }, brokenRules: ['NETEX_ID_5', 'LINE_2'] };
    world.privatelyValidated = [wrong];
    const { handle, result } = await workers.start(world);
    await until(() => world.workRemoved > 0);
    assert.deepEqual(world.notes, [{ errorCode: 'DATASET_INVALID', rules: ['NETEX_ID_5', 'LINE_2'], tries: 1 }]);
    assert.deepEqual([world.state, world.publications, world.shownExport], ['IN_PROGRESS', 1, undefined]);
    assert.deepEqual(world.discarded, world.exports);
    await handle.cancel();
    assert.deepEqual(await result, { state: 'OK' });
    assert.deepEqual([world.undone?.action, world.undone?.errorCode], ['PRIVATE_EXPORT', 'CANCELLED']);
    assert.equal(world.failure, undefined);
  });

  it('succeeds although an activity gives up after the publication', async () => {
    const world = new ImportWorld();
    const gaveUp = { type: GAVE_UP, message: 'it ended its process again and again', nonRetryable: true };
    world.breakOn('exportPrivateDataset', 'before', ApplicationFailure.create(gaveUp));
    const { handle, result } = await workers.start(world);
    await until(() => world.workRemoved > 0);
    assert.deepEqual(world.notes, [{ errorCode: 'SYSTEM_ERROR', rules: [], tries: 1 }]);
    await handle.cancel();
    assert.deepEqual(await result, { state: 'OK' });
  });

  it('ends without an error when the version is withdrawn while its private dataset is made', async () => {
    const world = new ImportWorld();
    world.pauseOn('exportPrivateDataset');
    const { result } = await workers.start(world);
    await until(() => world.callsOf('exportPrivateDataset') > 0);
    world.withdrawn = true;
    world.resume();
    assert.deepEqual(await result, { state: 'OK' });
    assert.equal(world.undone?.errorCode, 'WITHDRAWN');
    assert.deepEqual(world.discarded, world.exports);
  });

  it('continues after the publication when an earlier run has published', async () => {
    const world = new ImportWorld();
    world.publications = 1;
    assert.deepEqual(await workers.run(world), { state: 'OK' });
    assert.deepEqual(world.steps, LATER_STEPS);
    assert.deepEqual([world.callsOf('classifyDataset'), world.callsOf('publishImport')], [1, 0]);
  });

  it('fails an archive that the classification refuses, with its code and text', async () => {
    const world = new ImportWorld();
    world.classified = { outcome: 'refused', errorCode: 'ARCHIVE_ENCRYPTED', message: '"a.xml" is encrypted.' };
    assert.deepEqual(await workers.run(world), { state: 'FAILED', errorCode: 'ARCHIVE_ENCRYPTED' });
    assert.deepEqual([world.failure?.action, world.failure?.message], ['FILE_CLASSIFICATION', '"a.xml" is encrypted.']);
    assert.equal(world.callsOf('validateFiles') + world.publications, 0);
    assert.equal(world.workRemoved, 1);
  });

  it('fails a dataset with findings of severity ERROR, with their counts', async () => {
    const world = new ImportWorld();
    const findings = { ...NO_FINDINGS, ERROR: 3 };
    world.validated = { valid: false, findings };
    assert.deepEqual(await workers.run(world), { state: 'FAILED', errorCode: 'DATASET_INVALID' });
    assert.deepEqual([world.failure?.action, world.failure?.findings], ['VALIDATION', findings]);
    assert.equal(world.publications, 0);
  });

  it('fails an archive found damaged while its files are read', async () => {
    const world = new ImportWorld();
    const damaged = { type: ARCHIVE_REFUSED, message: 'The checksum is wrong.', nonRetryable: true };
    world.breakOn('validateFiles', 'before', ApplicationFailure.create({ ...damaged, details: ['ARCHIVE_DAMAGED'] }));
    assert.deepEqual(await workers.run(world), { state: 'FAILED', errorCode: 'ARCHIVE_DAMAGED' });
    assert.deepEqual([world.failure?.action, world.failure?.message], ['VALIDATION', 'The checksum is wrong.']);
  });

  it('fails with SYSTEM_ERROR when an activity gives up', async () => {
    const world = new ImportWorld();
    const gaveUp = { type: GAVE_UP, message: 'it ended its process again and again', nonRetryable: true };
    world.breakOn('validateDataset', 'before', ApplicationFailure.create(gaveUp));
    assert.deepEqual(await workers.run(world), { state: 'FAILED', errorCode: 'SYSTEM_ERROR' });
    assert.match(world.failure?.message ?? '', /internal failure/);
    assert.doesNotMatch(world.failure?.message ?? '', /process/);
  });

  it('retries every activity without end, with at most a minute between attempts', async () => {
    const started = await workers.start(registerWorld());
    await started.result;
    const { events } = await started.handle.fetchHistory();
    const scheduled = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: found }) => found ?? []);
    assert.ok(scheduled.length >= 7);
    for (const { retryPolicy, heartbeatTimeout, scheduleToCloseTimeout } of scheduled) {
      assert.deepEqual([retryPolicy?.maximumAttempts ?? 0, Number(retryPolicy?.maximumInterval?.seconds)], [0, 60]);
      assert.equal(Number(heartbeatTimeout?.seconds), 5);
      assert.equal(Number(scheduleToCloseTimeout?.seconds ?? 0), 0);
    }
  });

  describe('when a step fails', () => {
    const running = new Map<string, Promise<{ world: ImportWorld; result: Promise<DatasetImportResult> }>>();

    // Started together, since each waits for its retries.
    before(() => {
      for (const name of EVERY_ACTIVITY) {
        for (const when of ['before', 'after'] as const) {
          const world = registerWorld();
          world.breakOn(name, when, new Error('lost 1'), new Error('lost 2'));
          running.set(`${name} ${when}`, workers.start(world));
        }
      }
      for (const name of EVERY_LATER_ACTIVITY) {
        for (const when of ['before', 'after'] as const) {
          const world = new ImportWorld();
          world.publications = 1;
          world.breakOn(name, when, new Error('lost 1'), new Error('lost 2'));
          running.set(`later ${name} ${when}`, workers.start(world));
        }
      }
    });

    for (const name of EVERY_ACTIVITY) {
      for (const when of ['before', 'after'] as const) {
        it(`has the same outcome after ${name} failed twice ${when} its effect`, async () => {
          const started = await running.get(`${name} ${when}`);
          assert.deepEqual(await started?.result, { state: 'OK' });
          assert.deepEqual(started?.world.steps, ALL_STEPS);
          assert.equal(started?.world.publications, 1);
          assert.equal(started?.world.validatedBatches.size, 3);
        });
      }
    }

    for (const name of EVERY_LATER_ACTIVITY) {
      for (const when of ['before', 'after'] as const) {
        it(`shows one private dataset although ${name} failed twice ${when} its effect`, async () => {
          const started = await running.get(`later ${name} ${when}`);
          assert.deepEqual(await started?.result, { state: 'OK' });
          const { world } = started ?? {};
          assert.deepEqual([world?.state, world?.undone, world?.publications], ['OK', undefined, 1]);
          assert.equal(world?.shownExport, world?.exports.at(-1));
          assert.deepEqual(world?.discarded, []);
        });
      }
    }
  });

  it('records a failure even when the database is away at first', async () => {
    const world = new ImportWorld();
    world.validated = { valid: false, findings: { ...NO_FINDINGS, ERROR: 1 } };
    world.breakOn('failImport', 'before', new Error('away'));
    world.breakOn('failImport', 'after', new Error('lost'));
    assert.equal((await workers.run(world)).state, 'FAILED');
    assert.equal(world.failure?.errorCode, 'DATASET_INVALID');
  });

  it('does nothing when the import has ended before', async () => {
    const world = new ImportWorld();
    world.state = 'OK';
    assert.deepEqual(await workers.run(world), { state: 'ALREADY_ENDED' });
    assert.equal(world.callsOf('classifyDataset') + world.publications, 0);
  });

  it('ends FAILED, as CANCELLED, when an operator cancels it', async () => {
    const world = new ImportWorld();
    world.pauseOn('validateDataset');
    const { handle, result } = await workers.start(world);
    await until(() => world.callsOf('validateDataset') > 0);
    await handle.cancel();
    assert.deepEqual(await result, { state: 'FAILED', errorCode: 'CANCELLED' });
    world.resume();
    assert.equal(world.failure?.action, 'VALIDATION');
    assert.equal(world.publications, 0);
    assert.equal(world.workRemoved, 1);
  });

  it('stays published when it is cancelled after the publication', async () => {
    const world = new ImportWorld();
    world.pauseOn('publishImport');
    const { handle, result } = await workers.start(world);
    await until(() => world.callsOf('publishImport') > 0);
    world.publications = 1;
    await handle.cancel();
    world.resume();
    assert.deepEqual(await result, { state: 'OK' });
    assert.equal(world.failure, undefined);
  });

  it('reports its progress while batches run', async () => {
    const world = new ImportWorld();
    world.pauseOn('validateDataset');
    const { handle, result } = await workers.start(world);
    await until(() => world.callsOf('validateDataset') > 0);
    const progress = await handle.query(importProgressQuery);
    assert.deepEqual(progress, { action: 'VALIDATION', filesTotal: 6, filesValidated: 6 });
    // The Temporal UI shows this at the top of the workflow's page.
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    assert.equal(currentDetails, '**VALIDATION**: 6 of 6 files validated (100 %)');
    world.resume();
    await result;
    assert.equal((await handle.query(importProgressQuery)).action, 'DONE');
  });

  it('starts once for repeated requests, and does nothing for a request after its end', async () => {
    const { startDatasetImport } = await import('../../activities/timetable/dataset-import-start.ts');
    const world = new ImportWorld();
    const { input, result, handle } = await workers.start(world);
    await Promise.all(Array.from({ length: 5 }, () => startDatasetImport(workers.temporal, input)));
    await result;
    await startDatasetImport(workers.temporal, input);
    assert.deepEqual(await workers.temporal.client.workflow.result(handle.workflowId), { state: 'ALREADY_ENDED' });
    assert.deepEqual([world.callsOf('publishImport'), world.callsOf('exportPrivateDataset')], [1, 1]);
    assert.equal(world.publications, 1);
  });
});
