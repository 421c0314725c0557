/**
 * Tests the making of a private dataset: repeated, at once, killed and cancelled; its validation, its publication, and
 * the sweep.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { MockActivityEnvironment } from '@temporalio/testing';
import { readManifest } from '../../../activities/timetable/dataset-manifest.ts';
import { removeUnshownExports, type SweepDependencies } from '../../../activities/timetable/import-sweep.ts';
import {
  privateDatasetKey,
  privateFactsKey,
  privatePrefix,
  reportKey,
  workPrefix,
} from '../../../activities/timetable/object-keys.ts';
import { createPrivateDatasetActivities } from '../../../activities/timetable/private-dataset-activities.ts';
import { serviceDayOf } from '../../../activities/timetable/service-day.ts';
import { bufferRangeReader, DEFAULT_ARCHIVE_LIMITS, openArchive } from '../../../netex/zip/index.ts';
import { createLog } from '../../../platform/log.ts';
import { readObject } from '../../../platform/object-store/read-object.ts';
import { GAVE_UP, type ManifestInput, type PrivateExport } from '../../../workflows/timetable/activities.ts';
import type { DatasetImportInput } from '../../../workflows/timetable/messages.ts';
import { useFewLines } from '../../support/few-lines.ts';
import { ImportFixture } from './import-fixture.ts';

const DAY_MS = 86_400_000;
/** The run id of the workflow in activities of these tests. */
const RUN = '00000000-0000-0000-0000-000000000001';
const OTHER_RUN = '00000000-0000-0000-0000-000000000002';
const TODAY = serviceDayOf(new Date(), 'Europe/Oslo');

describe('The making of a private dataset', () => {
  let world: ImportFixture;
  let timetable: Uint8Array;

  before(async () => {
    world = await ImportFixture.open();
    await world.putCodespace('dem');
    timetable = await readFile((await useFewLines()).timetable);
  });
  after(() => world?.close());
  beforeEach(() => {
    world.validator.onValidate = () => {};
  });

  /** Publishes a version whose later steps are still open. */
  async function publish(): Promise<DatasetImportInput> {
    const input = await world.receiveBytes(timetable, 'dem');
    const { startStep, finishStep, publishImport } = world.records();
    await world.run(() => finishStep(input, 'FILE_CLASSIFICATION', { details: { kind: 'timetable' } }));
    await world.run(() => finishStep(input, 'VALIDATION', { details: {} }));
    await world.run(() => publishImport(input));
    await world.run(() => startStep(input, 'PRIVATE_EXPORT'));
    return input;
  }

  async function make(
    input: DatasetImportInput,
    day = TODAY,
    attempt = 1,
  ): Promise<PrivateExport & { empty: boolean }> {
    const target = { ...input, day };
    return { ...target, ...(await world.run(() => world.validation().exportPrivateDataset(target), attempt)) };
  }

  const keyOf = ({ codespace, correlationId, exportId }: PrivateExport) =>
    privateDatasetKey(codespace, correlationId, exportId);

  /** Classifies the version in the workflow of that run. */
  async function classified(input: DatasetImportInput, day: string, runId = RUN): Promise<ManifestInput> {
    const workflowExecution = { workflowId: 'test', runId };
    const run = <T>(activity: () => Promise<T>): Promise<T> =>
      new MockActivityEnvironment({ workflowExecution }).run<[], T, () => Promise<T>>(activity);
    const { exportId } = await run(() => world.validation().exportPrivateDataset({ ...input, day }));
    const found = await run(() => world.dataset().classifyDataset({ ...input, privateExport: { exportId, day } }));
    return { ...input, manifestId: 'manifestId' in found ? found.manifestId : '' };
  }

  const sweep = (laterMs: number) =>
    removeUnshownExports({
      ...({ objects: world.objects, privateDatasets: world.privateDatasets } as unknown as SweepDependencies),
      log: createLog({ level: 'silent', name: 'test' }),
      now: () => new Date(Date.now() + laterMs),
    });

  it('gives the same bytes when repeated and at once, each under a separate key', async () => {
    const input = await publish();
    const made = await Promise.all([1, 2, 3].map((attempt) => make(input, TODAY, attempt)));
    assert.equal(new Set(made.map(({ exportId }) => exportId)).size, 3);
    const last = made[2] as PrivateExport;
    const again = await make(input, TODAY, 4);
    const [first, second] = await Promise.all(
      [last, again].map((one) => readObject(world.objects, keyOf(one)).catch(() => undefined)),
    );
    // The fourth attempt has removed the files of the third, which must have ended.
    assert.equal(first, undefined);
    const archive = await openArchive(bufferRangeReader(second ?? new Uint8Array()), DEFAULT_ARCHIVE_LIMITS);
    assert.ok(archive.entries.some(({ name }) => name === '_DEM_shared_data.xml'));
    const other = await publish();
    assert.deepEqual(await readObject(world.objects, keyOf(await make(other))), second);
  });

  it('leaves nothing readable when it is cancelled', async () => {
    const input = await publish();
    const environment = new MockActivityEnvironment();
    const making = environment.run(() => world.validation().exportPrivateDataset({ ...input, day: TODAY }));
    environment.cancel('WORKER_SHUTDOWN');
    await assert.rejects(making);
    assert.deepEqual([...(await world.contents(privatePrefix(input.codespace, input.correlationId)))], []);
  });

  it('is classified and validated as an upload is, with its own manifest and day', async () => {
    const input = await publish();
    const { exportId, day } = await make(input);
    const found = await world.run(() =>
      world.dataset().classifyDataset({ ...input, privateExport: { exportId, day } }),
    );
    assert.ok(found.outcome === 'accepted' && found.kind === 'timetable');
    const manifestInput = { ...input, manifestId: found.manifestId };
    const manifest = await readManifest(world.objects, manifestInput);
    assert.deepEqual([manifest.privateExport, manifest.receipt.receivedAt.slice(0, 10)], [{ exportId, day }, day]);
    world.validator.names.length = 0;
    const activities = world.validation();
    await world.run(() => activities.indexCommonFiles(manifestInput));
    for (let batch = 0; batch < found.batchesTotal; batch++) {
      await world.run(() => activities.validateFiles({ ...manifestInput, batch }));
    }
    assert.ok(world.validator.names.includes('_DEM_shared_data.xml'));
    assert.equal(world.validator.names.length, manifest.files.length);
    const verdict = await world.run(() => activities.validateDataset(manifestInput));
    assert.deepEqual([verdict.valid, verdict.brokenRules], [true, undefined]);
    assert.equal(await world.objects.head(reportKey(input.codespace, input.correlationId)), undefined);
  });

  it('is validated completely while another run for the same version removes its files', async () => {
    const input = await publish();
    const one = await classified(input, '2026-11-20');
    const other = await classified(input, '2026-11-21', OTHER_RUN);
    assert.notEqual(one.manifestId, other.manifestId);
    await world.run(() => world.dataset().removeWorkFiles({ ...input, runId: OTHER_RUN }));
    await world.run(() => world.validation().indexCommonFiles(one));
    const left = [...(await world.contents(workPrefix(input.codespace, input.correlationId))).keys()];
    assert.deepEqual(
      [left.some((key) => key.includes(one.manifestId)), left.some((key) => key.includes(OTHER_RUN))],
      [true, false],
    );
    await world.run(() => world.dataset().removeWorkFiles({ ...input, runId: RUN }));
    assert.deepEqual([...(await world.contents(workPrefix(input.codespace, input.correlationId)))], []);
  });

  it('names the rules that it breaks', async () => {
    const input = await publish();
    const { exportId, day } = await make(input);
    const found = await world.run(() =>
      world.dataset().classifyDataset({ ...input, privateExport: { exportId, day } }),
    );
    assert.ok(found.outcome === 'accepted');
    const manifestInput = { ...input, manifestId: found.manifestId };
    const activities = world.validation();
    await world.run(() => activities.indexCommonFiles(manifestInput));
    const finding = { name: 'x', message: 'm', objectId: null, fileName: 'f', lineNumber: 1, columnNumber: 1 };
    world.validator.answer = (result) => ({
      ...result,
      findings: [
        { ...finding, code: 'LINE_2', severity: 'ERROR' },
        { ...finding, code: 'LINE_3', severity: 'WARNING' },
      ],
      counts: { LINE_2: 1 },
    });
    for (let batch = 0; batch < found.batchesTotal; batch++) {
      await world.run(() => activities.validateFiles({ ...manifestInput, batch }));
    }
    world.validator.answer = (result) => result;
    const verdict = await world.run(() => activities.validateDataset(manifestInput));
    assert.deepEqual([verdict.valid, verdict.brokenRules], [false, ['LINE_2']]);
  });

  it('is shown with size, digest and numbers of the filter, once despite repeats', async () => {
    const input = await publish();
    const made = await make(input);
    const activities = world.privateActivities();
    const show = () => world.run(() => activities.showPrivateExport(made));
    assert.deepEqual([await show(), ...(await Promise.all([show(), show()]))], ['SHOWN', 'SHOWN', 'SHOWN']);
    const found = await world.privateDatasets.find(input.codespace);
    const bytes = await readObject(world.objects, keyOf(made));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    assert.deepEqual([found?.exportId, found?.sizeBytes, found?.sha256], [made.exportId, bytes.length, sha256]);
    const { details } = (await world.imports.get(input.codespace, input.correlationId)).actions.PRIVATE_EXPORT ?? {};
    assert.deepEqual([details?.day, details?.bytes], [TODAY, bytes.length]);
    assert.ok(details?.kept && details.dropped);
    await world.run(() => activities.discardPrivateExport(made));
    assert.ok(await world.objects.head(keyOf(made)), 'what is shown is not discarded');
  });

  it('is empty and unreadable when no journey is left', async () => {
    const input = await publish();
    const made = await make(input, '2099-01-01');
    assert.equal(made.empty, true);
    assert.equal(await world.objects.head(keyOf(made)), undefined);
    assert.equal(await world.run(() => world.privateActivities().showPrivateExport(made)), 'SHOWN');
    assert.equal(await world.privateDatasets.find(input.codespace), undefined);
    const { state, details } =
      (await world.imports.get(input.codespace, input.correlationId)).actions.PRIVATE_EXPORT ?? {};
    assert.deepEqual([state, details?.empty], ['OK', true]);
  });

  it('leaves nothing when it is not shown; the sweep removes remains of a crash after a day', async () => {
    const input = await publish();
    const [shown, crashed] = [await make(input), await make(input, '2026-01-01')];
    const discarded = await make(input, '2026-01-02');
    await world.run(() => world.privateActivities().showPrivateExport(shown));
    await world.run(() => world.privateActivities().discardPrivateExport(discarded));
    const prefix = privatePrefix(input.codespace, input.correlationId);
    const keys = async () => [...(await world.contents(prefix)).keys()];
    const both = ({ exportId }: PrivateExport) => [
      privateFactsKey(input.codespace, input.correlationId, exportId),
      privateDatasetKey(input.codespace, input.correlationId, exportId),
    ];
    assert.deepEqual(await keys(), [...both(crashed), ...both(shown)].toSorted());
    await sweep(0);
    assert.equal((await keys()).length, 4);
    await Promise.all([sweep(1.1 * DAY_MS), sweep(1.1 * DAY_MS)]);
    assert.deepEqual(await keys(), both(shown).toSorted());
  });

  it('is never shown after it was discarded or swept', async () => {
    const [input, other] = [await publish(), await publish()];
    const activities = world.privateActivities();
    const show = (made: PrivateExport, { objects } = world) => {
      const slow = createPrivateDatasetActivities({ objects, privateDatasets: world.privateDatasets });
      return world.run(() => slow.showPrivateExport(made));
    };
    /** Simulates a process that pauses between reading the facts and its write. */
    const oneLate = (event: () => Promise<unknown>): ImportFixture =>
      Object.create(world, {
        objects: {
          value: Object.create(world.objects, {
            get: {
              value: async (key: string) => {
                const facts = await readObject(world.objects, key);
                await event();
                return Readable.from([facts]);
              },
            },
          }),
        },
      });
    const discarded = await make(input);
    const discard = () => world.run(() => activities.discardPrivateExport(discarded));
    await assert.rejects(show(discarded, oneLate(discard)), { type: GAVE_UP });
    await discard();
    // In these tests all runs have one id, and so have the published exports of other versions.
    const swept = await make(other);
    const sweepAll = () => sweep(1.1 * DAY_MS);
    await assert.rejects(show(swept, oneLate(sweepAll)), { type: GAVE_UP });
    const readable = await world.privateDatasets.listReadable([input.correlationId, other.correlationId]);
    assert.deepEqual([...readable], []);
    const next = await make(other, TODAY, 2);
    assert.equal(await show(next), 'SHOWN');
    await Promise.all([sweepAll(), sweepAll()]);
    assert.ok(await world.objects.head(keyOf(next)));
  });

  it('is planned for the present day in Norway, unless it is done or the version withdrawn', async () => {
    assert.equal(serviceDayOf(new Date('2026-01-01T22:59:59Z'), 'Europe/Oslo'), '2026-01-01');
    assert.equal(serviceDayOf(new Date('2026-01-01T23:00:00Z'), 'Europe/Oslo'), '2026-01-02');
    assert.equal(serviceDayOf(new Date('2026-07-01T22:00:00Z'), 'Europe/Oslo'), '2026-07-02');
    const plan = async (input: DatasetImportInput) => world.run(() => world.records().planPrivateExport(input));
    const input = await publish();
    assert.deepEqual(await plan(input), { day: TODAY });
    const made = await make(input);
    await world.run(() => world.privateActivities().showPrivateExport(made));
    assert.equal(await plan(input), 'DONE');
    const gone = await publish();
    await world.versions.withdraw(
      gone.codespace,
      (await world.imports.get(gone.codespace, gone.correlationId)).importKey,
    );
    assert.equal(await plan(gone), 'WITHDRAWN');
  });
});
