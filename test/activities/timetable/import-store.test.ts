import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { SearchRequest } from '../../../platform/mongo/search-filter.ts';
import type { CorrelationId } from '../../../workflows/shared/ids.ts';
import { DEM, OTHER, openStores, rawImport, type Stores } from './support.ts';

describe('the record of an import', () => {
  let stores: Stores;
  before(async () => {
    stores = await openStores();
  });
  after(async () => {
    await stores.connection.dropDatabase();
    await stores.connection.close();
  });

  const receive = () => {
    stores.clock.advance(1);
    return stores.receive(randomUUID());
  };

  it('records steps once: repeats, also at once, keep the first times', async () => {
    const { correlationId } = await receive();
    const classified = (state: 'STARTED' | 'OK') =>
      stores.imports.recordAction(DEM, correlationId, 'FILE_CLASSIFICATION', { state, details: { files: 3 } });
    const began = stores.clock.now();
    await Promise.all([classified('STARTED'), classified('STARTED')]);
    stores.clock.advance(250);
    await classified('STARTED');
    assert.deepEqual(await Promise.all([classified('OK'), classified('OK')]), ['IN_PROGRESS', 'IN_PROGRESS']);
    const ended = stores.clock.now();
    stores.clock.advance(250);
    await classified('OK');
    await classified('STARTED');
    const { actions } = await stores.imports.get(DEM, correlationId);
    assert.deepEqual(actions.FILE_CLASSIFICATION, {
      state: 'OK',
      startedAt: began,
      endedAt: ended,
      details: { files: 3 },
    });
  });

  it('shows a step that ended without a recorded start as one instant', async () => {
    const { correlationId } = await receive();
    await stores.imports.recordAction(DEM, correlationId, 'VALIDATION', { state: 'OK' });
    const { actions } = await stores.imports.get(DEM, correlationId);
    assert.deepEqual(actions.VALIDATION?.startedAt, actions.VALIDATION?.endedAt);
  });

  it('keeps details unchanged, with any text', async () => {
    const { correlationId } = await receive();
    const details = { file: '$sha256', nested: { $cond: 1 } };
    await stores.imports.recordAction(DEM, correlationId, 'VALIDATION', { state: 'STARTED', details });
    assert.deepEqual((await stores.imports.get(DEM, correlationId)).actions.VALIDATION?.details, details);
  });

  it('fails once, and then does not change', async () => {
    const { correlationId } = await receive();
    const findings = { CRITICAL: 1, ERROR: 2, WARNING: 3, INFO: 4 };
    const failure = { action: 'VALIDATION', errorCode: 'INVALID_DATASET', findings } as const;
    const answers = await Promise.all([
      stores.imports.fail(DEM, correlationId, failure),
      stores.imports.fail(DEM, correlationId, failure),
    ]);
    assert.deepEqual(answers, ['FAILED', 'FAILED']);
    const failed = await stores.imports.get(DEM, correlationId);
    assert.equal(failed.state, 'FAILED');
    assert.deepEqual(failed.findings, findings);
    assert.equal(failed.actions.VALIDATION?.errorCode, 'INVALID_DATASET');

    stores.clock.advance(1);
    assert.equal(await stores.imports.fail(DEM, correlationId, { ...failure, errorCode: 'OTHER' }), 'FAILED');
    const step = await stores.imports.recordAction(DEM, correlationId, 'PUBLICATION', { state: 'STARTED' });
    assert.equal(step, 'FAILED');
    await assert.rejects(stores.imports.publish(DEM, correlationId), { code: 'INVALID_STATE' });
    assert.deepEqual(await stores.imports.get(DEM, correlationId), failed);
  });

  it('publishes exactly once with one event, also when repeated and at once', async () => {
    const record = await receive();
    const { correlationId, importKey, sha256 } = record;
    await stores.imports.recordAction(DEM, correlationId, 'VALIDATION', { state: 'OK' });
    const at = stores.clock.now();
    await Promise.all(Array.from({ length: 5 }, () => stores.imports.publish(DEM, correlationId)));
    stores.clock.advance(1);
    await stores.imports.publish(DEM, correlationId);
    const stored = await rawImport(stores, correlationId);
    assert.deepEqual([stored?.state, stored?.visible], ['IN_PROGRESS', true]);
    assert.deepEqual(stored?.publishedAt, at);
    assert.deepEqual(stored?.outbox, [
      {
        id: `dataset/${importKey}/1`,
        sequence: 1,
        topic: 'timetable-dataset-events-dev',
        key: 'dem',
        subject: 'dem',
        source: '/timetable/datasets',
        type: 'service.timetable.DatasetPublished.v1',
        time: at,
        data: {
          codespace: 'dem',
          importKey,
          correlationId,
          sha256,
          meta: { codespace: 'dem', organisationId: 1, correlationId, occurredAt: at },
        },
      },
    ]);
    assert.equal((await stores.versions.findLatest(DEM))?.importKey, importKey);
  });

  it('is never FAILED once published, and OK when its last step is done', async () => {
    const { correlationId } = await receive();
    const failure = { action: 'PRIVATE_EXPORT', errorCode: 'X' } as const;
    await stores.imports.complete(DEM, correlationId);
    assert.equal((await stores.imports.get(DEM, correlationId)).state, 'IN_PROGRESS');
    await stores.imports.recordAction(DEM, correlationId, 'VALIDATION', { state: 'OK' });
    await stores.imports.publish(DEM, correlationId);
    assert.equal(await stores.imports.fail(DEM, correlationId, failure), 'IN_PROGRESS');
    await Promise.all([1, 2].map(() => stores.imports.complete(DEM, correlationId)));
    assert.equal(await stores.imports.fail(DEM, correlationId, failure), 'OK');
    const { state, actions } = await stores.imports.get(DEM, correlationId);
    assert.deepEqual([state, actions.PRIVATE_EXPORT], ['OK', undefined]);
  });

  it('marks later steps as cancelled, but never a finished one', async () => {
    const undone = { action: 'PRIVATE_EXPORT', errorCode: 'CANCELLED', details: { message: 'by hand' } } as const;
    for (const done of [false, true]) {
      const { correlationId } = await receive();
      await stores.imports.recordAction(DEM, correlationId, 'VALIDATION', { state: 'OK' });
      await stores.imports.publish(DEM, correlationId);
      await stores.imports.recordAction(DEM, correlationId, 'PRIVATE_EXPORT', { state: 'STARTED' });
      await stores.imports.noteDetails(DEM, correlationId, 'PRIVATE_EXPORT', { tries: 1 });
      const { actions: noted } = await stores.imports.get(DEM, correlationId);
      assert.deepEqual([noted.PRIVATE_EXPORT?.state, noted.PRIVATE_EXPORT?.details], ['STARTED', { tries: 1 }]);
      if (done) await stores.imports.recordAction(DEM, correlationId, 'PRIVATE_EXPORT', { state: 'OK', details: {} });
      await stores.imports.complete(DEM, correlationId, undone);
      const { PRIVATE_EXPORT } = (await stores.imports.get(DEM, correlationId)).actions;
      assert.deepEqual(
        [PRIVATE_EXPORT?.state, PRIVATE_EXPORT?.errorCode],
        done ? ['OK', undefined] : ['CANCELLED', 'CANCELLED'],
      );
    }
  });

  it('is not published before its validation has ended well', async () => {
    const { correlationId, importKey } = await receive();
    await stores.imports.recordAction(DEM, correlationId, 'VALIDATION', { state: 'STARTED' });
    await assert.rejects(stores.imports.publish(DEM, correlationId), { code: 'INVALID_STATE' });
    assert.equal(await stores.versions.findVersion(DEM, importKey), undefined);
  });

  it('either fails or is published', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { correlationId, importKey } = await receive();
      await stores.imports.recordAction(DEM, correlationId, 'VALIDATION', { state: 'OK' });
      await Promise.allSettled([
        stores.imports.publish(DEM, correlationId),
        stores.imports.fail(DEM, correlationId, { action: 'PUBLICATION', errorCode: 'X' }),
      ]);
      const { state } = await stores.imports.get(DEM, correlationId);
      const visible = (await stores.versions.findVersion(DEM, importKey)) !== undefined;
      // A published import stays in progress until its later steps are done.
      assert.equal(state, visible ? 'IN_PROGRESS' : 'FAILED');
    }
  });

  it('is unknown under another codespace', async () => {
    const { correlationId } = await receive();
    assert.equal(await stores.imports.find(OTHER, correlationId), undefined);
    const foreign = [
      () => stores.imports.recordAction(OTHER, correlationId, 'VALIDATION', { state: 'OK' }),
      () => stores.imports.fail(OTHER, correlationId, { action: 'VALIDATION', errorCode: 'X' }),
      () => stores.imports.publish(OTHER, correlationId),
      () => stores.imports.get(DEM, randomUUID() as CorrelationId),
    ];
    for (const call of foreign) await assert.rejects(call, { code: 'NOT_FOUND' });
  });

  it('loses no step that is written during the publication', async () => {
    for (let count = 0; count < 10; count += 1) {
      const { correlationId } = await receive();
      await stores.imports.recordAction(DEM, correlationId, 'VALIDATION', { state: 'OK' });
      const makeExport = async () => {
        await stores.imports.recordAction(DEM, correlationId, 'PRIVATE_EXPORT', { state: 'STARTED' });
        for (let note = 1; note <= 5; note += 1) {
          await stores.imports.noteDetails(DEM, correlationId, 'PRIVATE_EXPORT', { note, text: '$sha256', $cond: 1 });
        }
      };
      await Promise.all([
        makeExport(),
        stores.imports.publish(DEM, correlationId),
        stores.imports.publish(DEM, correlationId),
      ]);
      const { actions } = await stores.imports.get(DEM, correlationId);
      assert.deepEqual(actions.PRIVATE_EXPORT?.details, { note: 5, text: '$sha256', $cond: 1 });
      const stored = await rawImport(stores, correlationId);
      assert.deepEqual([stored?.outbox.length, stored?.sequence], [1, 1]);
      // The writes are: begin, store, accept, validate, start the export, five steps, publish. The guard is set
      // already.
      assert.equal(stored?.revision, 11);
    }
  });

  it('is pending until its workflow is known to run', async () => {
    const { correlationId, receivedAt } = await receive();
    const isPending = async (before: Date) =>
      (await stores.imports.listPendingStarts(before, 100)).some((item) => item.correlationId === correlationId);
    assert.equal(await isPending(receivedAt), false);
    stores.clock.advance(1);
    assert.equal(await isPending(stores.clock.now()), true);
    await stores.imports.clearPendingStart(DEM, correlationId);
    await stores.imports.clearPendingStart(DEM, correlationId);
    assert.equal(await isPending(stores.clock.now()), false);
  });

  it('is found by search, in pages, newest first', async () => {
    const own = await openStores();
    try {
      for (let n = 1; n <= 5; n += 1) {
        await own.receive(`${n}`, { fileName: `${n}.zip` });
        own.clock.advance(1_000);
      }
      await own.receive('foreign', { codespace: OTHER });
      const search = async (changes: Partial<SearchRequest>) => {
        const request = { terms: [], page: 1, perPage: 10, orderBy: undefined, sortBy: 'desc' as const, ...changes };
        const { items, totalItems, totalPages } = await own.imports.search(DEM, request);
        return [items.map((item) => item.fileName).join(' '), totalItems, totalPages];
      };
      assert.deepEqual(await search({}), ['5.zip 4.zip 3.zip 2.zip 1.zip', 5, 1]);
      assert.deepEqual(await search({ page: 2, perPage: 2 }), ['3.zip 2.zip', 5, 3]);
      assert.deepEqual(await search({ page: 9, perPage: 2 }), ['', 5, 3]);
      assert.deepEqual(await search({ sortBy: 'asc', perPage: 2 }), ['1.zip 2.zip', 5, 3]);
      const third = { field: 'date', operator: 'gte', values: ['2026-01-02T04:04:07.678+01:00'] } as const;
      assert.deepEqual(await search({ terms: [third] }), ['5.zip 4.zip 3.zip', 3, 1]);
      const names = { field: 'fileName', operator: 'in', values: ['1.zip', '4.zip'] } as const;
      assert.deepEqual(await search({ terms: [third, names] }), ['4.zip', 1, 1]);
    } finally {
      await own.connection.dropDatabase();
      await own.connection.close();
    }
  });
});
