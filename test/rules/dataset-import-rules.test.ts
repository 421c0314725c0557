import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Codespace, CorrelationId } from '../../workflows/shared/ids.ts';
import { runBounded } from '../../workflows/shared/run-bounded.ts';
import { datasetImportWorkflowId, parseDatasetImportWorkflowId } from '../../workflows/timetable/messages.ts';
import { planBatches } from '../../workflows/timetable/rules/batches.ts';
import {
  atStep,
  describeProgress,
  NOTHING_DONE,
  withFilesFound,
  withFilesValidated,
} from '../../workflows/timetable/rules/import-progress.ts';

const limits = { bytes: 100, files: 3 };

describe('batches of files', () => {
  it('fills each batch up to its bytes and its number of files', () => {
    assert.deepEqual(planBatches([60, 40, 1, 1, 1, 1], limits), [
      { firstFile: 0, files: 2, bytes: 100 },
      { firstFile: 2, files: 3, bytes: 3 },
      { firstFile: 5, files: 1, bytes: 1 },
    ]);
  });

  it('gives a file over the limit a batch of its own', () => {
    assert.deepEqual(
      planBatches([1, 500, 1], limits).map(({ files }) => files),
      [1, 1, 1],
    );
  });

  it('makes no batch of no files', () => assert.deepEqual(planBatches([], limits), []));

  it('puts every file into exactly one batch, in order, for all sizes', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(150)), (sizes) => {
        const batches = planBatches(sizes, limits);
        const files = batches.flatMap(({ firstFile, files }) => Array.from({ length: files }, (_, i) => firstFile + i));
        assert.deepEqual(files, [...sizes.keys()]);
        for (const { files, bytes } of batches)
          assert.ok(files <= limits.files && (bytes <= limits.bytes || files === 1));
      }),
    );
  });

  it('keeps the largest dataset of 10,000 files within the history that Temporal accepts', () => {
    const batches = planBatches(Array.from({ length: 10_000 }, () => 400 * 1024));
    // A batch adds three events, besides those of the workflow's own tasks; Temporal accepts 51,200 events at most.
    assert.ok(batches.length < 300, `${batches.length} batches`);
  });
});

describe('bounded parallel runs', () => {
  it('runs everything, never more at once than allowed', async () => {
    let [running, most] = [0, 0];
    const done: number[] = [];
    await runBounded(20, 4, async (index) => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      done.push(index);
    });
    assert.equal(most, 4);
    assert.deepEqual(
      done.toSorted((a, b) => a - b),
      [...Array(20).keys()],
    );
  });

  it('starts no further work after a failure', async () => {
    const begun: number[] = [];
    const failing = runBounded(20, 2, async (index) => {
      begun.push(index);
      await Promise.resolve();
      if (index === 3) throw new Error('no');
    });
    await assert.rejects(failing, /no/);
    assert.ok(begun.length <= 6, String(begun));
  });
});

describe('progress of an import', () => {
  it('is shown as one line', () => {
    const found = withFilesFound(atStep(NOTHING_DONE, 'VALIDATION'), 8);
    assert.equal(describeProgress(NOTHING_DONE), '**FILE_CLASSIFICATION**');
    assert.equal(describeProgress(withFilesValidated(found, 3)), '**VALIDATION**: 3 of 8 files validated (37 %)');
  });

  it('never passes the total', () => {
    const found = withFilesFound(NOTHING_DONE, 8);
    assert.equal(withFilesValidated(withFilesValidated(found, 6), 6).filesValidated, 8);
  });
});

describe('workflow ids of imports', () => {
  it('can be read back', () => {
    const [codespace, correlationId] = ['rut' as Codespace, 'c1' as CorrelationId];
    const id = datasetImportWorkflowId(codespace, correlationId);
    assert.equal(id, 'dataset-import/rut/c1');
    assert.deepEqual(parseDatasetImportWorkflowId(id), { codespace, correlationId });
  });

  it('differ from the ids of other workflows', () => {
    for (const id of ['', 'order/1', 'dataset-import/', 'dataset-import/rut', 'dataset-import/rut/c1/x']) {
      assert.equal(parseDatasetImportWorkflowId(id), undefined);
    }
  });
});
