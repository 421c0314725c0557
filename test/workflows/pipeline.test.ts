/** The whole pipeline with its real parts: worker processes, database, object store, Temporal, schemas. */
import '../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { StoredDifferences } from '../../activities/timetable/dataset-differences.ts';
import {
  differencesKey,
  privateDatasetKey,
  privatePrefix,
  reportKey,
  stopRegisterKey,
  workPrefix,
} from '../../activities/timetable/object-keys.ts';
import { REFRESH_SCHEDULE_ID } from '../../activities/timetable/refresh-schedule.ts';
import { generateDemo } from '../../dev/demo/generate.ts';
import type { Report } from '../../netex/report/report-types.ts';
import { readObject } from '../../platform/object-store/read-object.ts';
import type { Codespace } from '../../workflows/shared/ids.ts';
import { type DatasetImportInput, importProgressQuery } from '../../workflows/timetable/messages.ts';
import { DEMO_DATE, temporaryFolder } from '../support/demo-dataset.ts';
import { useFewLines } from '../support/few-lines.ts';
import { LINE_FILE } from '../support/netex-samples.ts';
import { Pipeline, type StartedWorker } from '../support/pipeline.ts';
import { until } from '../support/until.ts';
import { writeZip } from '../support/zip-writer.ts';

const MAX_PAYLOAD_BYTES = 4_096;
/** A batch takes some seconds, and many on a busy machine. */
const STOP_WITHIN_MS = 60_000;
/** The town and regional buses: enough for two batches, so that a worker can be stopped between results. */
const MANY_LINES = Array.from({ length: 12 }, (_, index) => [1 + index, 100 + index]).flat();

describe('the import pipeline', () => {
  let pipeline: Pipeline;
  let validation: StartedWorker;
  let manyLines: Uint8Array;
  let published: DatasetImportInput;

  before(async () => {
    pipeline = await Pipeline.open();
    await pipeline.startWorker('timetableWorker');
    validation = await pipeline.startWorker('timetableValidationWorker');
    await pipeline.putCodespace('nsr');
    await pipeline.putCodespace('dem');
    const options = { date: DEMO_DATE, directory: temporaryFolder(), lines: MANY_LINES };
    manyLines = await readFile((await generateDemo(options)).timetable);
  });
  after(() => pipeline?.close());

  /** The report without the members that differ between two imports of one archive. */
  async function readReport(input: DatasetImportInput): Promise<Partial<Report>> {
    const packed = await readObject(pipeline.objects, reportKey(input.codespace, input.correlationId));
    const {
      correlationId: _,
      importKey: _key,
      createdAt: _at,
      comparison: _with,
      ...rest
    } = JSON.parse(gunzipSync(packed).toString());
    return rest;
  }

  async function keysUnder(prefix: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of pipeline.objects.list(prefix)) keys.push(key);
    return keys;
  }

  it('publishes a stop register, with the index that other datasets refer to', async () => {
    const archive = await readFile((await useFewLines()).stopRegister);
    const register = await pipeline.import('nsr', archive);
    assert.deepEqual([register.state, register.findings.ERROR], ['OK', 0]);
    assert.equal(register.actions.FILE_CLASSIFICATION?.details?.kind, 'stop-register');
    assert.ok(await pipeline.objects.head(stopRegisterKey(register.correlationId)));
  });

  it('publishes a timetable whose references resolve in that register, once, and removes its working files', async () => {
    published = await pipeline.receive('dem', await readFile((await useFewLines()).timetable));
    await pipeline.start(published);
    const record = await pipeline.ended(published);
    assert.equal(record.state, 'OK', JSON.stringify(record.actions));
    assert.deepEqual(record.findings, { CRITICAL: 0, ERROR: 0, WARNING: 0, INFO: 0 });
    assert.equal((await pipeline.versions.findLatest(record.codespace))?.correlationId, record.correlationId);
    assert.equal((await readReport(published)).files?.length, record.actions.VALIDATION?.details?.files);
    assert.deepEqual(await pipeline.workflow(published).result(), { state: 'OK' });
    assert.deepEqual(await keysUnder(workPrefix(record.codespace, record.correlationId)), []);
  });

  it('shows its private dataset after validation, with the counts of kept and dropped elements', async () => {
    const { actions } = await pipeline.imports.get(published.codespace, published.correlationId);
    const { state, details } = actions.PRIVATE_EXPORT ?? {};
    const found = await pipeline.privateDatasets.find(published.codespace);
    assert.deepEqual([state, details?.day, details?.bytes], ['OK', found?.day, found?.sizeBytes]);
    assert.ok(Number((details?.kept as Record<string, number> | undefined)?.ServiceJourney) > 0);
    const key = privateDatasetKey(published.codespace, published.correlationId, found?.exportId ?? '');
    const bytes = await readObject(pipeline.objects, key);
    assert.equal(createHash('sha256').update(bytes).digest('hex'), found?.sha256);
    assert.equal(await pipeline.privateDatasets.find('nsr' as Codespace), undefined);
  });

  it('makes the private dataset again by its nightly schedule, in the time zone of the timetables', async () => {
    const { codespace, correlationId } = published;
    const schedule = pipeline.temporal.client.schedule.getHandle(REFRESH_SCHEDULE_ID);
    const { spec, policies } = await schedule.describe();
    const [night] = spec.calendars ?? [];
    assert.deepEqual(
      [night?.hour?.[0]?.start, night?.minute?.[0]?.start, spec.timezone, policies.overlap],
      [3, 30, 'Europe/Oslo', 'SKIP'],
    );
    const today = await pipeline.privateDatasets.find(codespace);
    await pipeline.movePrivateDatasetTo(published, '2020-01-01');
    await schedule.trigger();
    await until(async () => (await pipeline.privateDatasets.find(codespace))?.day === today?.day, {
      timeoutMs: 60_000,
      what: 'the refreshed private dataset',
    });
    const anew = await pipeline.privateDatasets.find(codespace);
    assert.deepEqual([anew?.sha256, anew?.exportId === today?.exportId], [today?.sha256, false]);
    const zips = (await keysUnder(privatePrefix(codespace, correlationId))).filter((key) => key.endsWith('.zip'));
    assert.equal(zips.length, 2, 'the one before is kept for those that are reading it');
    const isClean = async () => (await keysUnder(workPrefix(codespace, correlationId))).length === 0;
    await until(isClean, { timeoutMs: 10_000, what: 'the removal of the working files' });
  });

  it('keeps every payload small and encrypted', async () => {
    const { events } = await pipeline.workflow(published).fetchHistory();
    const history = JSON.stringify(events, (_, value) => (value?.type === 'Buffer' ? '' : value));
    assert.ok((events ?? []).length > 20);
    const payloads = payloadsIn(events);
    assert.ok(payloads.length > 10);
    for (const { data, metadata } of payloads) {
      assert.ok(data.length < MAX_PAYLOAD_BYTES, `${data.length} bytes`);
      assert.equal(Buffer.from(metadata?.encoding ?? []).toString(), 'binary/sealed');
    }
    assert.doesNotMatch(history, /manifestId|unpackedBytes/);
  });

  it('is found by its search attributes', async () => {
    const query = `Codespace = 'dem' AND ImportState = 'OK'`;
    const ids: string[] = [];
    await until(async () => {
      ids.length = 0;
      for await (const { workflowId } of pipeline.temporal.client.workflow.list({ query })) ids.push(workflowId);
      return ids.length > 0;
    });
    assert.deepEqual(ids, [pipeline.workflow(published).workflowId]);
  });

  it('tells what a version changes against the one before, as the data says it', async () => {
    const fewer = generateDemo({ date: DEMO_DATE, directory: temporaryFolder(), lines: [41, 42, 180, 302, 401, 402] });
    const record = await pipeline.import('dem', await readFile((await fewer).timetable));
    assert.equal(record.state, 'OK', JSON.stringify(record.actions));
    const packed = await readObject(pipeline.objects, differencesKey(record.codespace, record.correlationId));
    const found: StoredDifferences = JSON.parse(gunzipSync(packed).toString());
    assert.equal(found.with.correlationId, published.correlationId);
    const { lines, stops, journeys } = found;
    assert.deepEqual([lines.removed, lines.added, lines.changed], [1, 0, 0]);
    assert.deepEqual([lines.items[0]?.change, lines.items[0]?.publicCode], ['removed', 'H3']);
    assert.ok(stops.before > 0 && stops.added === 0 && stops.items.every(({ name }) => name !== null));
    assert.deepEqual([journeys.matchedBy, journeys.added, journeys.retimed], ['ids', 0, 0]);
    assert.ok(journeys.removed > 0);
    assert.equal(journeys.removed, journeys.before - journeys.after);
    assert.equal(await pipeline.objects.head(differencesKey(record.codespace, published.correlationId)), undefined);
  });

  it('refuses a file that is no archive, with an actionable reason', async () => {
    const record = await pipeline.import('dem', Buffer.from('Not a zip at all, however it is named.'));
    const { state, errorCode, details } = record.actions.FILE_CLASSIFICATION ?? {};
    assert.deepEqual([record.state, state, errorCode], ['FAILED', 'FAILED', 'ERROR_FILE_NOT_A_ZIP_FILE']);
    assert.match(String(details?.message), /zip/);
  });

  it('refuses an archive that proves damaged only when its files are read to the end', async () => {
    const data = LINE_FILE.replace('</dataObjects>', `</dataObjects><!-- ${'long '.repeat(600_000)} -->`);
    const wrong = { crc32: 1 };
    const archive = writeZip([{ name: 'line.xml', data, method: 0, local: wrong, directory: wrong }]);
    const record = await pipeline.import('dem', archive);
    const { state, errorCode, details } = record.actions.VALIDATION ?? {};
    assert.deepEqual([record.state, state, errorCode], ['FAILED', 'FAILED', 'ARCHIVE_DAMAGED']);
    assert.match(String(details?.message), /line\.xml/);
  });

  it('fails a dataset with errors, and reports their places', async () => {
    const record = await pipeline.import(
      'dem',
      writeZip([{ name: 'line.xml', data: LINE_FILE.replaceAll('TST', 'XXX').replace('1.13:', '1.15:') }]),
    );
    assert.deepEqual([record.state, record.actions.VALIDATION?.errorCode], ['FAILED', 'DATASET_INVALID']);
    assert.ok(record.findings.ERROR + record.findings.CRITICAL > 0);
    const { valid, findings } = await readReport(record);
    assert.ok(valid === false && findings?.some(({ fileName }) => fileName === 'line.xml'));
  });

  it('has the same outcome when the validation worker is killed in the middle of a batch', async () => {
    const undisturbed = await pipeline.import('dem', manyLines);
    const input = await pipeline.receive('dem', withComment(manyLines, 'killed'));
    await pipeline.start(input);
    const work = workPrefix(input.codespace, input.correlationId);
    await until(async () => (await keysUnder(work)).some((key) => key.includes('/results/')));
    await validation.kill();
    const killedAt = performance.now();
    const progress = await pipeline.workflow(input).query(importProgressQuery);
    assert.equal(progress.action, 'VALIDATION');
    validation = await pipeline.startWorker('timetableValidationWorker');
    const record = await pipeline.ended(input);
    assert.equal(record.state, 'OK', JSON.stringify(record.actions));
    assert.deepEqual(await readReport(input), await readReport(undisturbed));
    console.log(`        went on and ended ${Math.round(performance.now() - killedAt)} ms after the kill`);
  });

  it('serves health and metrics while it works', async () => {
    const ready = await (await fetch(`${validation.url}/health/ready`)).json();
    assert.deepEqual(ready, { status: 'up', dependencies: { mongodb: 'up', objectStore: 'up', temporal: 'up' } });
    const metrics = await (await fetch(`${validation.url}/metrics`)).text();
    assert.match(metrics, /timetable_files_validated_total [1-9]/);
    assert.match(metrics, /worker_activity_duration_seconds_count\{activity="validateFiles",outcome="ok"\} [1-9]/);
    assert.equal((await fetch(`${validation.url}/nothing`)).status, 404);
  });

  it('completes the running batch on SIGTERM', async () => {
    await validation.child.stop(STOP_WITHIN_MS);
    const patient = { WORKER_GRACE_MS: '45000', WORKER_FORCE_MS: '50000' };
    validation = await pipeline.startWorker('timetableValidationWorker', patient);
    const input = await pipeline.receive('dem', withComment(manyLines, 'drained'));
    await pipeline.start(input);
    const work = workPrefix(input.codespace, input.correlationId);
    await until(async () => (await keysUnder(work)).some((key) => key.includes('/results/')));
    const { code } = await validation.child.stop(STOP_WITHIN_MS);
    assert.equal(code, 0);
    const { raw } = await pipeline.workflow(input).describe();
    assert.deepEqual(
      (raw.pendingActivities ?? []).filter(({ lastFailure }) => lastFailure),
      [],
    );
    // The workflow receives the result a moment after the worker has sent it.
    const isCounted = async () => (await pipeline.workflow(input).query(importProgressQuery)).filesValidated > 0;
    await until(isCounted, { what: 'the count of the files validated' });
    await pipeline.workflow(input).terminate('the test ends here');
  });
});

/** Gives an archive without a comment other bytes with the same content, so that it is no duplicate. */
function withComment(archive: Uint8Array, comment: string): Uint8Array {
  const made = Buffer.concat([archive, Buffer.from(comment)]);
  made.writeUInt16LE(comment.length, archive.length - 2);
  return made;
}

interface FoundPayload {
  readonly data: Uint8Array;
  readonly metadata?: Readonly<Record<string, Uint8Array>>;
}

/** Collects every payload in a history, except search attributes, which are never encrypted. */
function payloadsIn(value: unknown, found: FoundPayload[] = []): FoundPayload[] {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return found;
  // The SDK's marker of a patched code path: it holds only the name of the patch.
  if ('markerName' in value && value.markerName === 'core_patch') return found;
  const { data, metadata } = value as Partial<FoundPayload>;
  if (ArrayBuffer.isView(data)) found.push({ data, ...(metadata && { metadata }) });
  for (const [name, member] of Object.entries(value)) {
    // Markers of local activities carry records of the SDK in addition to the result.
    if (name !== 'searchAttributes' && name !== 'data' && name !== 'metadata') payloadsIn(member, found);
  }
  return found;
}
