import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { RECEIPT_LEASE_MS } from '../../../activities/timetable/receipt-store.ts';
import type { CorrelationId } from '../../../workflows/shared/ids.ts';
import { DEM, OTHER, OWNER, openStores, rawImport, type Stores } from './support.ts';

describe('receipts of uploads', () => {
  let stores: Stores;
  beforeEach(async () => {
    stores = await openStores();
  });
  afterEach(async () => {
    await stores.connection.dropDatabase();
    await stores.connection.close();
  });

  const file = { fileName: 'a.zip', sizeBytes: 10, sha256: 'aa' };
  async function begin(): Promise<CorrelationId> {
    const correlationId = randomUUID() as CorrelationId;
    await stores.receipts.begin({ codespace: DEM, correlationId, organisationId: OWNER, clientId: 'test' });
    return correlationId;
  }

  it('are invisible before they are accepted', async () => {
    const correlationId = await begin();
    await stores.receipts.markStored(DEM, correlationId, file);
    assert.equal(await stores.imports.find(DEM, correlationId), undefined);
    const everything = { terms: [], page: 1, perPage: 10, orderBy: undefined, sortBy: 'desc' } as const;
    assert.equal((await stores.imports.search(DEM, everything)).totalItems, 0);
    assert.deepEqual(await stores.imports.listPendingStarts(new Date('2100-01-01'), 10), []);
  });

  it('are named by codespace and UTC instant, and wait for their workflow', async () => {
    const received = await stores.receive('aa');
    assert.equal(received.importKey, 'dem_2026-01-02T03_04_05.678');
    assert.equal(received.receivedAt.toISOString(), '2026-01-02T03:04:05.678Z');
    assert.equal(received.state, 'IN_PROGRESS');
    assert.equal(received.actions.FILE_TRANSFER?.state, 'OK');
    assert.equal(received.actions.FILE_CLASSIFICATION?.state, 'PENDING');
    const pending = await stores.imports.listPendingStarts(new Date('2100-01-01'), 10);
    assert.deepEqual(
      pending.map((item) => item.correlationId),
      [received.correlationId],
    );
  });

  it('return the same when accepted again, also at once', async () => {
    const correlationId = await begin();
    await stores.receipts.markStored(DEM, correlationId, file);
    const accepted = await Promise.all([1, 2, 3].map(() => stores.receipts.accept(DEM, correlationId)));
    stores.clock.advance(1_000);
    accepted.push(await stores.receipts.accept(DEM, correlationId));
    for (const record of accepted) assert.deepEqual(record, accepted[0]);
  });

  it('of one millisecond get different keys', async () => {
    const received = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((sha256) => stores.receive(sha256)));
    assert.deepEqual(received.map((record) => record.importKey).sort(), [
      'dem_2026-01-02T03_04_05.678',
      'dem_2026-01-02T03_04_05.679',
      'dem_2026-01-02T03_04_05.680',
      'dem_2026-01-02T03_04_05.681',
      'dem_2026-01-02T03_04_05.682',
    ]);
  });

  it('cannot be accepted before the archive is stored', async () => {
    const correlationId = await begin();
    await assert.rejects(stores.receipts.accept(DEM, correlationId), { code: 'UNAVAILABLE' });
  });

  it('belong to one codespace', async () => {
    const correlationId = await begin();
    await assert.rejects(stores.receipts.markStored(OTHER, correlationId, file), { code: 'UNAVAILABLE' });
    await assert.rejects(stores.receipts.accept(OTHER, correlationId), { code: 'UNAVAILABLE' });
  });

  describe('of the same bytes', () => {
    it('are duplicates while the first is in progress: one of ten at once is accepted', async () => {
      const received = await Promise.all(Array.from({ length: 10 }, () => stores.receive('same')));
      const counting = received.filter((record) => record.state === 'IN_PROGRESS');
      assert.equal(counting.length, 1);
      for (const record of received.filter((other) => other !== counting[0])) {
        assert.equal(record.state, 'FAILED');
        assert.equal(record.actions.FILE_TRANSFER?.state, 'DUPLICATE');
        assert.equal(record.actions.FILE_TRANSFER?.errorCode, 'DUPLICATE');
        assert.equal(record.actions.FILE_TRANSFER?.details?.correlationId, counting[0]?.correlationId);
      }
      assert.equal((await stores.imports.listPendingStarts(new Date('2100-01-01'), 10)).length, 1);
    });

    it('are duplicates of the latest version, in its own codespace only', async () => {
      await stores.publish('one');
      assert.equal((await stores.receive('one')).state, 'FAILED');
      assert.equal((await stores.receive('one', { codespace: OTHER })).state, 'IN_PROGRESS');
    });

    it('may be sent again after the first has failed', async () => {
      const first = await stores.receive('one');
      await stores.imports.fail(DEM, first.correlationId, { action: 'VALIDATION', errorCode: 'INVALID' });
      assert.equal((await stores.receive('one')).state, 'IN_PROGRESS');
    });

    it('may be sent again once a newer version is the latest', async () => {
      await stores.publish('one');
      stores.clock.advance(1);
      await stores.publish('two');
      assert.equal((await stores.receive('one')).state, 'IN_PROGRESS');
    });

    it('are duplicates of the version that a withdrawal has made the latest again', async () => {
      await stores.publish('one');
      stores.clock.advance(1);
      const second = await stores.publish('two');
      await stores.versions.withdraw(DEM, second.importKey);
      assert.equal((await stores.receive('one')).state, 'FAILED');
      assert.equal((await stores.receive('two')).state, 'IN_PROGRESS');
    });

    it('are not duplicates of a version whose mark a crash left behind', async () => {
      const first = await stores.publish('one');
      stores.clock.advance(1);
      await stores.publish('two');
      await stores.connection
        .collection<{ _id: string }>('timetable_imports')
        .updateOne({ _id: first.correlationId }, { $set: { guardSha256: 'one' } });
      assert.equal((await stores.receive('one')).state, 'IN_PROGRESS');
    });
  });

  describe('that are abandoned', () => {
    it('can no longer be stored, accepted or begun', async () => {
      const correlationId = await begin();
      await stores.receipts.markStored(DEM, correlationId, file);
      assert.equal(await stores.receipts.abandon(DEM, correlationId), true);
      assert.equal(await stores.receipts.abandon(DEM, correlationId), true);
      await assert.rejects(stores.receipts.renewLease(DEM, correlationId), { code: 'UNAVAILABLE' });
      await assert.rejects(stores.receipts.markStored(DEM, correlationId, file), { code: 'UNAVAILABLE' });
      await assert.rejects(stores.receipts.accept(DEM, correlationId), { code: 'UNAVAILABLE' });
      const again = stores.receipts.begin({ codespace: DEM, correlationId, organisationId: OWNER, clientId: 'test' });
      await assert.rejects(again, { code: 'UNAVAILABLE' });
      await stores.receipts.forget(DEM, correlationId);
      assert.equal(await rawImport(stores, correlationId), null);
    });

    it('never include an accepted one, in either order', async () => {
      for (let round = 0; round < 10; round += 1) {
        const correlationId = await begin();
        await stores.receipts.markStored(DEM, correlationId, { ...file, sha256: `round ${round}` });
        const [accepted, abandoned] = await Promise.all([
          stores.receipts.accept(DEM, correlationId).then(
            () => true,
            () => false,
          ),
          stores.receipts.abandon(DEM, correlationId),
        ]);
        assert.notEqual(accepted, abandoned);
      }
    });

    it('are found when their lease has expired, each by one sweep', async () => {
      const dead = await begin();
      stores.clock.advance(RECEIPT_LEASE_MS / 2);
      const alive = await begin();
      assert.deepEqual(await stores.receipts.abandonStale(10), []);
      stores.clock.advance(RECEIPT_LEASE_MS / 2);
      const found = await Promise.all([stores.receipts.abandonStale(10), stores.receipts.abandonStale(10)]);
      assert.deepEqual(found.flat(), [{ codespace: DEM, correlationId: dead }]);
      await stores.receipts.renewLease(DEM, alive);
    });

    it('are found again when the sweep has died too', async () => {
      const correlationId = await begin();
      stores.clock.advance(RECEIPT_LEASE_MS);
      assert.equal((await stores.receipts.abandonStale(10)).length, 1);
      assert.equal((await stores.receipts.abandonStale(10)).length, 0);
      stores.clock.advance(RECEIPT_LEASE_MS);
      assert.deepEqual(await stores.receipts.abandonStale(10), [{ codespace: DEM, correlationId }]);
    });
  });

  it('restarted under the same id have no earlier content', async () => {
    const correlationId = await begin();
    await stores.receipts.markStored(DEM, correlationId, file);
    assert.equal(await stores.receipts.isStored(DEM, correlationId), true);
    await stores.receipts.begin({ codespace: DEM, correlationId, organisationId: OWNER, clientId: 'test' });
    assert.equal(await stores.receipts.isStored(DEM, correlationId), false);
  });
});
