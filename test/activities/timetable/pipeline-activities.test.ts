/** Runs each activity of the pipeline twice, at once, and after a crash, on a real database and object store. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import { createDatasetActivities } from '../../../activities/timetable/dataset-activities.ts';
import { readManifest } from '../../../activities/timetable/dataset-manifest.ts';
import { openResults, ResultWriter } from '../../../activities/timetable/file-results.ts';
import { reportKey, stopRegisterKey, uploadKey, workPrefix } from '../../../activities/timetable/object-keys.ts';
import { compareWithPrevious } from '../../../activities/timetable/previous-report.ts';
import { MAX_DEATHS } from '../../../activities/timetable/step-deaths.ts';
import { resultGroupKey, stepMarksPrefix } from '../../../activities/timetable/work-keys.ts';
import { IdIndex } from '../../../netex/dataset/id-index.ts';
import type { FileResult } from '../../../netex/file-result.ts';
import { TimetableFacts } from '../../../netex/model/facts.ts';
import { StopRegister } from '../../../netex/stop-register/stop-register.ts';
import { ValidationThreadError } from '../../../netex/thread/index.ts';
import { DEFAULT_ARCHIVE_LIMITS } from '../../../netex/zip/index.ts';
import { readObject } from '../../../platform/object-store/read-object.ts';
import type { Codespace } from '../../../workflows/shared/ids.ts';
import {
  ARCHIVE_REFUSED,
  type BatchInput,
  type ClassifiedDataset,
  GAVE_UP,
} from '../../../workflows/timetable/activities.ts';
import { LINE_FILE, STOPS_FILE } from '../../support/netex-samples.ts';
import { ImportFixture } from './import-fixture.ts';

const FILES = { '_common.xml': LINE_FILE, 'a.xml': LINE_FILE, 'b.xml': LINE_FILE, 'c.xml': LINE_FILE };

describe('Activities of the import pipeline', () => {
  let world: ImportFixture;

  before(async () => {
    world = await ImportFixture.open();
  });

  /** The stored result of a file, by its index in the batch. */
  async function resultOf(input: BatchInput, place: number): Promise<FileResult> {
    const manifest = await readManifest(world.objects, input);
    const results = await openResults(world.objects, input, manifest);
    return await results.read(manifest.files[place]?.name ?? '');
  }
  after(() => world?.close());
  beforeEach(() => {
    world.validator.names.length = 0;
    world.validator.contexts.clear();
    world.validator.onValidate = () => {};
  });

  describe('classifyDataset', () => {
    it('returns the same manifest when it runs twice and twice at once', async () => {
      const input = await world.receive(FILES);
      const once = () => world.run(() => world.dataset().classifyDataset(input));
      const [first, ...others] = [await once(), ...(await Promise.all([once(), once()]))] as ClassifiedDataset[];
      for (const other of others) assert.deepEqual(other, first);
      assert.deepEqual([first?.kind, first?.filesTotal, first?.batchesTotal], ['timetable', 4, 1]);
      const manifest = await readManifest(world.objects, { ...input, manifestId: first?.manifestId ?? '' });
      assert.deepEqual(
        manifest.files.map(({ name, kind }) => `${kind} ${name}`),
        ['common _common.xml', 'line a.xml', 'line b.xml', 'line c.xml'],
      );
      assert.equal(manifest.stopRegister, null);
    });

    it('refuses other files than archives with a code and a text', async () => {
      const input = await world.receiveBytes(Buffer.from('no zip'));
      const refused = await world.run(() => world.dataset().classifyDataset(input));
      assert.deepEqual(
        [refused.outcome, 'errorCode' in refused && refused.errorCode],
        ['refused', 'ERROR_FILE_NOT_A_ZIP_FILE'],
      );
    });

    it('refuses an archive without the file name of a zip', async () => {
      for (const [name, code] of [
        ['a.rar', 'ERROR_FILE_UNKNOWN_FILE_EXTENSION'],
        ['a.ZIP', 'ERROR_FILE_NOT_A_ZIP_FILE'],
      ] as const) {
        const input = await world.receiveBytes(Buffer.from('no zip'), 'tst', name);
        const refused = await world.run(() => world.dataset().classifyDataset(input));
        assert.equal('errorCode' in refused && refused.errorCode, code, name);
      }
    });

    it('compares the report with that of the previous import', async () => {
      await world.putCodespace('cmp');
      const { codespace } = await world.receive(FILES, 'cmp');
      const before = await world.receive(FILES, 'cmp');
      const classified = async () => {
        const input = await world.receive(FILES, 'cmp');
        const found = await world.run(() => world.dataset().classifyDataset(input));
        const manifestId = 'manifestId' in found ? found.manifestId : '';
        return (await readManifest(world.objects, { ...input, manifestId })).previousReport;
      };
      assert.equal(await classified(), null, 'nothing has been validated');
      for (const state of ['STARTED', 'OK'] as const) {
        await world.imports.recordAction(codespace, before.correlationId, 'VALIDATION', { state });
      }
      assert.equal(await classified(), null, 'validated, but no report was written');
      await world.objects.put(reportKey(codespace, before.correlationId), Buffer.from('x'), 'application/json');
      assert.equal((await classified())?.correlationId, before.correlationId);
    });

    it('compares with nothing when the manifest of an older build names no import', async () => {
      const current = { findingsPerRule: {}, identities: undefined };
      for (const previous of [null, undefined]) {
        assert.equal(await compareWithPrevious(world.objects, 'cmp' as Codespace, previous, current), undefined);
      }
    });

    it('refuses an import whose codespace has been withdrawn', async () => {
      await world.putCodespace('wdr');
      const input = await world.receive(FILES, 'wdr');
      await world.codespaces.withdraw(input.codespace);
      const refused = await world.run(() => world.dataset().classifyDataset(input));
      assert.ok(refused.outcome === 'refused' && refused.errorCode === 'CODESPACE_WITHDRAWN');
    });

    it('accepts SiteFrames alone as stop register only under its codespace', async () => {
      for (const [codespace, kind] of [
        ['nsr', 'stop-register'],
        ['tst', 'timetable'],
      ] as const) {
        const input = await world.receive({ '_stops.xml': STOPS_FILE }, codespace);
        const found = await world.run(() => world.dataset().classifyDataset(input));
        assert.ok(found.outcome === 'accepted' && found.kind === kind, codespace);
      }
    });

    it('names a bounded number of the files that it leaves out', async () => {
      const extra = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`notes-${index + 10}.txt`, 'words']));
      const input = await world.receive({ ...FILES, ...extra });
      const found = await world.run(() => world.dataset().classifyDataset(input));
      assert.ok(found.outcome === 'accepted');
      assert.equal(found.ignored?.ignoredFiles, 30);
      assert.deepEqual(found.ignored.ignoredNames.slice(0, 2), ['notes-10.txt', 'notes-11.txt']);
      assert.equal(found.ignored.ignoredNames.length, 20);
      const plain = await world.run(async () => world.dataset().classifyDataset(await world.receive(FILES)));
      assert.ok(!('ignored' in plain));
    });

    it('gives up when the archive is missing', async () => {
      const input = await world.receive(FILES);
      await world.objects.delete(uploadKey(input.codespace, input.correlationId));
      await assert.rejects(
        world.run(() => world.dataset().classifyDataset(input)),
        (error) => error instanceof ApplicationFailure && error.type === GAVE_UP,
      );
    });

    it('retries an error of unknown origin for half an hour, then treats it as a defect', async () => {
      const input = { ...(await world.classified(FILES)), batch: 0 };
      world.validator.onValidate = () => {
        throw new Error('no word on why');
      };
      await world.run(() => world.validation().indexCommonFiles(input));
      const attempt = (number: number) => world.run(() => world.validation().validateFiles(input), number);
      await assert.rejects(attempt(20), (error) => !(error instanceof ApplicationFailure));
      await assert.rejects(attempt(35), (error) => error instanceof ApplicationFailure && error.type === GAVE_UP);
    });

    it('does not give up at a temporary fault, also after many failed attempts', async () => {
      const input = await world.receive(FILES);
      const key = uploadKey(input.codespace, input.correlationId);
      const archive = await readObject(world.objects, key);
      await world.objects.delete(key);
      const classifying = world.run(() => world.dataset().classifyDataset(input), 30);
      await delay(200);
      await world.objects.put(key, archive, 'application/zip');
      assert.equal((await classifying).outcome, 'accepted');
    });
  });

  describe('validateFiles', () => {
    it('stores one and the same result for each file when it runs repeatedly and at once', async () => {
      const input = { ...(await world.classified(FILES)), batch: 0 };
      const once = () => world.run(() => world.validation().validateFiles(input));
      await world.run(() => world.validation().indexCommonFiles(input));
      assert.deepEqual(await once(), { files: 4 });
      const all = async () => Promise.all([0, 1, 2, 3].map((place) => resultOf(input, place)));
      const results = await all();
      assert.deepEqual(
        results.map(({ name }) => name),
        ['_common.xml', 'a.xml', 'b.xml', 'c.xml'],
      );
      await Promise.all([once(), once()]);
      assert.deepEqual(await all(), results);
    });

    it('stores small results in one object; attempts with other groups agree', async () => {
      const input = { ...(await world.classified(FILES)), batch: 0 };
      await world.run(() => world.validation().indexCommonFiles(input));
      await world.run(() => world.validation().validateFiles(input));
      const keys = async () => {
        const contents = await world.contents(workPrefix(input.codespace, input.correlationId));
        return [...contents.keys()].flatMap((key) => /\d+-\d+$/.exec(key) ?? []);
      };
      assert.deepEqual(await keys(), ['000000-000003']);
      const result = await resultOf(input, 2);
      const alone = new ResultWriter(world.objects, input, { grouped: false });
      for (const place of [1, 2]) await alone.add(place, await resultOf(input, place));
      assert.deepEqual(await keys(), ['000000-000003', '000001-000001', '000002-000002']);
      assert.deepEqual(await resultOf(input, 2), result);
    });

    it('uses one context for all files of an import, so that its ids are transferred once', async () => {
      const input = { ...(await world.classified(FILES)), batch: 0 };
      const activities = world.validation();
      await world.run(() => activities.indexCommonFiles(input));
      await world.run(() => activities.validateFiles(input));
      await world.run(() => activities.validateFiles(input));
      const [context, ...others] = world.validator.contexts;
      assert.equal(others.length, 0);
      assert.ok(IdIndex.open(context?.commonIds ?? new Uint8Array()).has('TST:Line:1'));
      assert.ok(TimetableFacts.open(context?.commonFacts ?? new Uint8Array()));
      assert.equal(context?.datasetStops, undefined);
      assert.deepEqual([context?.xmlns, context?.allowedXmlns, context?.profile], ['TST', ['NSR'], 'timetable']);
    });

    it('uses the severities that were configured when the dataset was classified', async () => {
      const { objects, imports, codespaces, versions } = world;
      const classifying = createDatasetActivities({
        objects,
        imports,
        codespaces,
        versions,
        archiveLimits: DEFAULT_ARCHIVE_LIMITS,
        severities: { profiles: {}, codespaces: { tst: { LINE_2: 'INFO' } } },
        stopRegisterCodespace: 'nsr' as Codespace,
      });
      const upload = await world.receive(FILES);
      const found = (await world.run(() => classifying.classifyDataset(upload))) as ClassifiedDataset;
      const input = { ...upload, manifestId: found.manifestId, batch: 0 };
      await world.run(() => world.validation().indexCommonFiles(input));
      await world.run(() => world.validation().validateFiles(input));
      assert.deepEqual(
        [...world.validator.contexts].map((context) => context.severities),
        [{ LINE_2: 'INFO' }],
      );
    });

    it('continues after the files that a dead worker has finished', async () => {
      const input = { ...(await world.classified(FILES)), batch: 0 };
      await world.run(() => world.validation().indexCommonFiles(input));
      world.validator.onValidate = ({ name }) => {
        if (name === 'b.xml') throw new Error('the process dies here');
      };
      await assert.rejects(world.run(() => world.validation().validateFiles(input)));
      world.validator.onValidate = () => {};
      world.validator.names.length = 0;
      assert.deepEqual(await world.run(() => world.validation().validateFiles(input), 2), { files: 4 });
      assert.ok(!world.validator.names.includes('_common.xml'), String(world.validator.names));
      assert.deepEqual(world.validator.names.slice(-2), ['b.xml', 'c.xml']);
    });

    it('gives up only on a file that ends its process repeatedly', async () => {
      const input = { ...(await world.classified(FILES)), batch: 0 };
      await world.run(() => world.validation().indexCommonFiles(input));
      const finished = resultGroupKey(input, { first: 0, last: 0 });
      await world.objects.put(finished, new Uint8Array(), 'application/octet-stream');
      for (let death = 1; death <= MAX_DEATHS; death++) {
        await world.objects.put(`${stepMarksPrefix(input, 'file-1')}${death}`, new Uint8Array(), 'text/plain');
      }
      await world.run(() => world.validation().validateFiles(input), MAX_DEATHS + 2);
      assert.deepEqual(world.validator.names, ['b.xml', 'c.xml']);
      const result = await resultOf(input, 1);
      assert.deepEqual(result.counts, { SYSTEM_ERROR: 1 });
      assert.match(result.findings[0]?.message ?? '', /a\.xml could not be validated.*ended the process/);
      const first = new ResultWriter(world.objects, input, { grouped: false });
      await first.add(0, { ...result, findings: [], counts: {} });
      const verdict = await world.run(() => world.validation().validateDataset(input));
      // The file has SYSTEM_ERROR, and the dataset ERROR_VALIDATION_INCOMPLETE.
      assert.deepEqual([verdict.valid, verdict.findings.ERROR], [false, 2]);
    });

    it('counts no process end that the servers caused', async () => {
      const input = { ...(await world.classified(FILES)), batch: 0 };
      await world.run(() => world.validation().indexCommonFiles(input));
      world.validator.onValidate = () => {
        throw new Error('the object store is away');
      };
      for (let attempt = 1; attempt <= MAX_DEATHS + 3; attempt++) {
        await assert.rejects(
          world.run(() => world.validation().validateFiles(input), attempt),
          /away/,
        );
      }
      world.validator.onValidate = () => {};
      await world.run(() => world.validation().validateFiles(input), MAX_DEATHS + 4);
      const result = await resultOf(input, 0);
      assert.deepEqual(result.counts, {});
    });

    it('reports a rule that throws at a file, and validates the others', async () => {
      const input = { ...(await world.classified(FILES)), batch: 0 };
      await world.run(() => world.validation().indexCommonFiles(input));
      world.validator.onValidate = ({ name }) => {
        if (name === 'b.xml') throw new ValidationThreadError('TypeError: x is undefined', { atFile: true });
      };
      await world.run(() => world.validation().validateFiles(input));
      const counts = [];
      for (const file of [1, 2, 3]) {
        counts.push((await resultOf(input, file)).counts);
      }
      assert.deepEqual(counts, [{}, { SYSTEM_ERROR: 1 }, {}]);
    });

    it('ends the import when the archive is damaged', async () => {
      const input = { ...(await world.classified(FILES)), batch: 0 };
      await world.run(() => world.validation().indexCommonFiles(input));
      const key = uploadKey(input.codespace, input.correlationId);
      const archive = Buffer.from(await readObject(world.objects, key));
      const at = archive.indexOf('a.xml') + 20;
      archive.fill(0xff, at, at + 30);
      await world.objects.put(key, archive, 'application/zip');
      await assert.rejects(
        world.run(() => world.validation().validateFiles(input)),
        (error) => error instanceof ApplicationFailure && error.type === ARCHIVE_REFUSED && error.nonRetryable === true,
      );
    });
  });

  describe('validateDataset', () => {
    it('writes the same report when it runs twice and twice at once', async () => {
      const input = { ...(await world.classified(FILES)), batch: 0 };
      await world.run(() => world.validation().indexCommonFiles(input));
      await world.run(() => world.validation().validateFiles(input));
      const once = () => world.run(() => world.validation().validateDataset(input));
      const verdict = await once();
      assert.deepEqual(verdict, { valid: true, findings: { CRITICAL: 0, ERROR: 0, WARNING: 0, INFO: 0 } });
      const key = reportKey(input.codespace, input.correlationId);
      const report = await world.contents(key);
      assert.deepEqual(await Promise.all([once(), once()]), [verdict, verdict]);
      assert.deepEqual(await world.contents(key), report);
    });

    it('ends the import when it has ended its process repeatedly', async () => {
      const input = await world.classified(FILES);
      for (let death = 1; death <= MAX_DEATHS; death++) {
        await world.objects.put(
          `${stepMarksPrefix(input, 'validate-dataset')}${death}`,
          new Uint8Array(),
          'text/plain',
        );
      }
      await assert.rejects(
        world.run(() => world.validation().validateDataset(input), MAX_DEATHS + 2),
        (error) => error instanceof ApplicationFailure && error.type === GAVE_UP,
      );
    });
  });

  describe('the stop register', () => {
    it('serves imports that start after its publication, not running ones', async () => {
      const running = await world.classified(FILES);
      const register = await world.classified({ '_stops.xml': STOPS_FILE }, 'nsr');
      const twice = [1, 2].map(() => world.run(() => world.validation().indexStopRegister(register)));
      await Promise.all(twice);
      const { startStep, finishStep, publishImport } = world.records();
      const details = { kind: 'stop-register' };
      await world.run(() => startStep(register, 'FILE_CLASSIFICATION'));
      await world.run(() => finishStep(register, 'FILE_CLASSIFICATION', { details }));
      await world.run(() => finishStep(register, 'VALIDATION', { details: {} }));
      await world.run(() => publishImport(register));

      const later = await world.classified(FILES);
      assert.equal((await readManifest(world.objects, running)).stopRegister, null);
      assert.equal((await readManifest(world.objects, later)).stopRegister?.correlationId, register.correlationId);
      await world.run(() => world.validation().indexCommonFiles(later));
      await world.run(() => world.validation().validateFiles({ ...later, batch: 0 }));
      const [context] = world.validator.contexts;
      assert.equal(
        StopRegister.open(context?.stopRegister ?? new Uint8Array()).findLabel('NSR:StopPlace:1'),
        'StopPlace',
      );
      assert.ok(await world.objects.head(stopRegisterKey(register.correlationId)));
    });
  });

  describe('records of the import', () => {
    it('are written once despite repeats', async () => {
      const input = await world.receive(FILES);
      const { startStep, finishStep, publishImport, noteStep, completeImport } = world.records();
      const twice = async <T>(activity: () => Promise<T>) => {
        const answers = [await world.run(activity), ...(await Promise.all([world.run(activity), world.run(activity)]))];
        const stored = await world.imports.get(input.codespace, input.correlationId);
        await world.run(activity);
        assert.deepEqual(await world.imports.get(input.codespace, input.correlationId), stored);
        return answers;
      };
      assert.deepEqual(await twice(() => startStep(input, 'FILE_CLASSIFICATION')), ['STARTED', 'STARTED', 'STARTED']);
      await twice(() => finishStep(input, 'FILE_CLASSIFICATION', { details: { files: 4 } }));
      await twice(() => startStep(input, 'VALIDATION'));
      await twice(() =>
        finishStep(input, 'VALIDATION', { details: {}, findings: { CRITICAL: 0, ERROR: 0, WARNING: 2, INFO: 0 } }),
      );
      await twice(() => publishImport(input));
      const record = await world.imports.get(input.codespace, input.correlationId);
      assert.deepEqual([record.state, record.findings.WARNING], ['IN_PROGRESS', 2]);
      assert.equal(await world.run(() => startStep(input, 'FILE_CLASSIFICATION')), 'PUBLISHED');
      await twice(() => startStep(input, 'PRIVATE_EXPORT'));
      await twice(() => noteStep(input, 'PRIVATE_EXPORT', { details: { tries: 1 } }));
      const undone = { action: 'PRIVATE_EXPORT', errorCode: 'CANCELLED', message: 'By hand.' } as const;
      await twice(() => completeImport(input, undone));
      const { state, actions } = await world.imports.get(input.codespace, input.correlationId);
      assert.deepEqual([state, actions.PRIVATE_EXPORT?.errorCode], ['OK', 'CANCELLED']);
      assert.equal(await world.run(() => startStep(input, 'PRIVATE_EXPORT')), 'ALREADY_ENDED');
    });

    it('keep the first failure, and a publication against any failure', async () => {
      const { failImport } = world.records();
      const failed = await world.receive(FILES);
      const failure = { action: 'VALIDATION', errorCode: 'DATASET_INVALID', message: 'It breaks rules.' } as const;
      assert.equal(await world.run(() => failImport(failed, failure)), 'FAILED');
      assert.equal(await world.run(() => failImport(failed, { ...failure, errorCode: 'OTHER' })), 'FAILED');
      const { actions } = await world.imports.get(failed.codespace, failed.correlationId);
      assert.deepEqual(
        [actions.VALIDATION?.errorCode, actions.VALIDATION?.details?.message],
        ['DATASET_INVALID', 'It breaks rules.'],
      );

      const published = await world.receive(FILES);
      await world.run(() => world.records().finishStep(published, 'VALIDATION', { details: {} }));
      await world.run(() => world.records().publishImport(published));
      assert.equal(await world.run(() => failImport(published, failure)), 'OK');
      assert.equal((await world.imports.get(published.codespace, published.correlationId)).state, 'OK');
    });

    it('report an unknown import as ended', async () => {
      const input = { ...(await world.receive(FILES)), codespace: 'nsr' as never };
      assert.equal(await world.run(() => world.records().startStep(input, 'VALIDATION')), 'ALREADY_ENDED');
    });
  });

  it('removeWorkFiles removes the working files of its import only, also repeatedly', async () => {
    const [input, other] = [await world.classified(FILES), await world.classified(FILES)];
    const remove = () => world.run(() => world.dataset().removeWorkFiles(input));
    await Promise.all([remove(), remove()]);
    await remove();
    assert.equal((await world.contents(workPrefix(input.codespace, input.correlationId))).size, 0);
    assert.equal((await world.contents(workPrefix(other.codespace, other.correlationId))).size, 1);
    assert.ok(await world.objects.head(uploadKey(input.codespace, input.correlationId)));
  });
});
