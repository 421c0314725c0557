/** Tests which private dataset is served, in any order of endings, and which ones are due for a refresh. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ImportRecord } from '../../../activities/timetable/import-store.ts';
import type { MadeExport } from '../../../activities/timetable/private-dataset-store.ts';
import type { Codespace } from '../../../workflows/shared/ids.ts';
import { DEM, OTHER, openStores, rawImport, type Stores } from './support.ts';

const MONDAY = '2026-01-05';
const TUESDAY = '2026-01-06';
const WEDNESDAY = '2026-01-07';

describe('private datasets', () => {
  let stores: Stores;
  beforeEach(async () => {
    stores = await openStores();
  });
  afterEach(async () => {
    await stores.connection.dropDatabase();
    await stores.connection.close();
  });

  async function receive(): Promise<ImportRecord> {
    stores.clock.advance(1);
    return await stores.receive(randomUUID());
  }

  /** Publishes a version whose later steps are still open. */
  async function publish({ codespace, correlationId }: ImportRecord): Promise<void> {
    await stores.imports.recordAction(codespace, correlationId, 'FILE_CLASSIFICATION', {
      state: 'OK',
      details: { kind: 'timetable' },
    });
    await stores.imports.recordAction(codespace, correlationId, 'VALIDATION', { state: 'OK' });
    await stores.imports.publish(codespace, correlationId);
  }

  const made = (exportId: string, day = MONDAY, empty = false): MadeExport => ({
    exportId,
    day,
    empty,
    sizeBytes: 10,
    sha256: 'ab',
  });

  const show = async ({ codespace, correlationId }: ImportRecord, shown: MadeExport) =>
    await stores.privateDatasets.show(codespace, correlationId, shown, { day: shown.day });

  async function finish(record: ImportRecord, exportId: string, day = MONDAY): Promise<void> {
    await publish(record);
    await show(record, made(exportId, day));
    await stores.imports.complete(record.codespace, record.correlationId);
  }

  const served = async () => (await stores.privateDatasets.find(DEM))?.exportId;
  const stale = async (day: string, codespaces?: readonly Codespace[]) =>
    (await stores.privateDatasets.listStale({ day, after: null, limit: 10, ...(codespaces && { codespaces }) })).map(
      ({ correlationId }) => correlationId,
    );

  it('are absent before the version is published', async () => {
    assert.equal(await served(), undefined);
    assert.equal(await show(await receive(), made('early')), 'WITHDRAWN');
    assert.equal(await served(), undefined);
  });

  it('are shown once with the step that made them, also when repeated and at once', async () => {
    const record = await receive();
    await publish(record);
    await stores.imports.recordAction(DEM, record.correlationId, 'PRIVATE_EXPORT', { state: 'STARTED' });
    const answers = await Promise.all([1, 2, 3].map(() => show(record, made('a'))));
    assert.deepEqual(answers, ['SHOWN', 'SHOWN', 'SHOWN']);
    assert.equal(await served(), 'a');
    const { state, actions } = await stores.imports.get(DEM, record.correlationId);
    assert.deepEqual([state, actions.PRIVATE_EXPORT?.state], ['IN_PROGRESS', 'OK']);
    assert.deepEqual(actions.PRIVATE_EXPORT?.details, { day: MONDAY });
  });

  it('are shown once when two are made at once for one day; the other is discarded', async () => {
    const record = await receive();
    await publish(record);
    const answers = await Promise.all([show(record, made('a')), show(record, made('b'))]);
    assert.deepEqual(answers.toSorted(), ['NOT_NEWER', 'SHOWN']);
  });

  it('are replaced by those of a newer day only; the previous one is kept for its readers', async () => {
    const record = await receive();
    await finish(record, 'monday');
    assert.equal(await show(record, made('tuesday', TUESDAY)), 'SHOWN');
    assert.equal(await show(record, made('late', MONDAY)), 'NOT_NEWER');
    assert.equal(await served(), 'tuesday');
    const { correlationId } = record;
    const readable = await stores.privateDatasets.listReadable([correlationId]);
    assert.deepEqual([...readable], [[correlationId, ['tuesday', 'monday']]]);
    const { actions } = await stores.imports.get(DEM, record.correlationId);
    assert.deepEqual(actions.PRIVATE_EXPORT?.details, { day: MONDAY });
  });

  it('are absent while no journey is left, but checked each day, as future years come into view', async () => {
    const record = await receive();
    await finish(record, 'monday');
    assert.equal(await show(record, made('empty', TUESDAY, true)), 'SHOWN');
    assert.equal(await served(), undefined);
    assert.deepEqual([await stale(TUESDAY), await stale(WEDNESDAY)], [[], [record.correlationId]]);
  });

  it('belong to the newest receipt, also when the older import ends later', async () => {
    const slow = await receive();
    const fast = await receive();
    await finish(fast, 'fast');
    await publish(slow);
    assert.equal((await stores.versions.findLatest(DEM))?.correlationId, fast.correlationId);
    assert.equal(await served(), 'fast');
    assert.equal(await show(slow, made('slow', TUESDAY)), 'SHOWN');
    await stores.imports.complete(DEM, slow.correlationId);
    assert.equal((await stores.versions.findLatest(DEM))?.correlationId, fast.correlationId);
    assert.equal(await served(), 'fast');
    // Each version has one event. Its import key shows which version is the newest.
    const events = await Promise.all([slow, fast].map(({ correlationId }) => rawImport(stores, correlationId)));
    const keys = events.flatMap((stored) => (stored?.outbox ?? []).map(({ data }) => data.importKey));
    assert.deepEqual(keys, [slow.importKey, fast.importKey]);
    assert.ok(slow.importKey < fast.importKey);
  });

  it('of the previous version are served until that of the latest is made', async () => {
    const first = await receive();
    await finish(first, 'first');
    const second = await receive();
    await publish(second);
    assert.equal(await served(), 'first');
    await show(second, made('second', MONDAY));
    assert.equal(await served(), 'second');
  });

  it('of the previous version are served again after a withdrawal, and are due for a refresh', async () => {
    const first = await receive();
    await finish(first, 'first');
    const second = await receive();
    await finish(second, 'second', TUESDAY);
    await stores.versions.withdraw(DEM, second.importKey);
    assert.equal(await served(), 'first');
    const wanted = { codespace: DEM, correlationId: first.correlationId };
    assert.deepEqual(await stores.privateDatasets.listWanted(10), [wanted]);
    assert.deepEqual(await stale(TUESDAY, [DEM]), [first.correlationId]);
    await stores.privateDatasets.clearWanted(wanted);
    assert.deepEqual(await stores.privateDatasets.listWanted(10), []);
  });

  it('are not shown when their version was withdrawn meanwhile', async () => {
    const record = await receive();
    await publish(record);
    await stores.versions.withdraw(DEM, record.importKey);
    assert.equal(await show(record, made('a')), 'WITHDRAWN');
    assert.equal(await served(), undefined);
    await stores.imports.complete(DEM, record.correlationId);
    assert.equal((await stores.imports.get(DEM, record.correlationId)).state, 'OK');
  });

  it('are stale when missing or of an earlier day, only for the latest version with an ended import', async () => {
    const old = await receive();
    await finish(old, 'old');
    const latest = await receive();
    await finish(latest, 'latest');
    const other = await stores.publish(randomUUID(), OTHER);
    assert.deepEqual(await stale(MONDAY), [other.correlationId]);
    assert.deepEqual(await stale(TUESDAY), [latest.correlationId, other.correlationId]);
    assert.deepEqual(await stale(TUESDAY, [OTHER]), [other.correlationId]);
    const behind = await stores.privateDatasets.listStale({ day: TUESDAY, after: DEM, limit: 10 });
    assert.deepEqual(behind, [{ codespace: OTHER, correlationId: other.correlationId }]);
    const running = await receive();
    await publish(running);
    // The newest version gets its private dataset from its own import; until then callers get the one before.
    assert.deepEqual(await stale(TUESDAY), [latest.correlationId, other.correlationId]);
  });

  it('are never made from a stop register', async () => {
    const register = await stores.receive(randomUUID());
    const details = { kind: 'stop-register' };
    await stores.imports.recordAction(DEM, register.correlationId, 'FILE_CLASSIFICATION', { state: 'OK', details });
    await stores.imports.recordAction(DEM, register.correlationId, 'VALIDATION', { state: 'OK' });
    await stores.imports.publish(DEM, register.correlationId);
    await stores.imports.complete(DEM, register.correlationId);
    assert.deepEqual(await stale(WEDNESDAY), []);
  });
});
