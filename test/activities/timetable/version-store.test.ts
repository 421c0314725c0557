import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ImportKey } from '../../../workflows/shared/ids.ts';
import { DAY_MS, DEM, OTHER, openStores, type Stores } from './support.ts';

describe('versions of a dataset', () => {
  let stores: Stores;
  beforeEach(async () => {
    stores = await openStores();
  });
  afterEach(async () => {
    await stores.connection.dropDatabase();
    await stores.connection.close();
  });

  async function publish() {
    stores.clock.advance(1);
    return await stores.publish(randomUUID());
  }

  it('are absent at first', async () => {
    assert.equal(await stores.versions.findLatest(DEM), undefined);
    assert.deepEqual(await stores.versions.listVersions(DEM), []);
  });

  it('follow the newest receipt, also when an older import ends later', async () => {
    const slow = await stores.receive('slow');
    const fast = await publish();
    await stores.imports.recordAction(DEM, slow.correlationId, 'VALIDATION', { state: 'OK' });
    await stores.imports.publish(DEM, slow.correlationId);
    assert.equal((await stores.versions.findLatest(DEM))?.importKey, fast.importKey);
    const listed = (await stores.versions.listVersions(DEM)).map((version) => version.importKey);
    assert.deepEqual(listed, [fast.importKey, slow.importKey]);
  });

  it('follow the newest receipt, also while its private dataset is still being made', async () => {
    await publish();
    const newer = await stores.receive('newer');
    await stores.imports.recordAction(DEM, newer.correlationId, 'VALIDATION', { state: 'OK' });
    await stores.imports.publish(DEM, newer.correlationId);
    assert.equal((await stores.versions.findLatest(DEM))?.importKey, newer.importKey);
    assert.equal((await stores.receive('newer')).actions.FILE_TRANSFER?.state, 'DUPLICATE');
  });

  it('are listed up to ten; older ones are still found', async () => {
    const oldest = await publish();
    for (let n = 0; n < 10; n += 1) await publish();
    const listed = await stores.versions.listVersions(DEM);
    assert.equal(listed.length, 10);
    assert.ok(!listed.some((version) => version.importKey === oldest.importKey));
    assert.ok(await stores.versions.findVersion(DEM, oldest.importKey));
    assert.equal(await stores.versions.findVersion(OTHER, oldest.importKey), undefined);
  });

  it('are absent once withdrawn; the previous one is the latest, and the bytes remain 30 days', async () => {
    const first = await publish();
    const second = await publish();
    await Promise.all([
      stores.versions.withdraw(DEM, second.importKey),
      stores.versions.withdraw(DEM, second.importKey),
    ]);
    await stores.versions.withdraw(DEM, second.importKey);
    assert.equal((await stores.versions.findLatest(DEM))?.importKey, first.importKey);
    assert.equal(await stores.versions.findVersion(DEM, second.importKey), undefined);

    stores.clock.advance(30 * DAY_MS - 1);
    assert.deepEqual(await stores.versions.listPurges(10), []);
    stores.clock.advance(1);
    const due = { codespace: DEM, correlationId: second.correlationId };
    assert.deepEqual(await stores.versions.listPurges(10), [due]);
    await stores.versions.markPurged(due);
    await stores.versions.markPurged(due);
    assert.deepEqual(await stores.versions.listPurges(10), []);
  });

  it('cannot be withdrawn when they were never visible', async () => {
    const running = await stores.receive('one');
    const unknown = 'dem_2020-01-01T00_00_00.000' as ImportKey;
    for (const importKey of [running.importKey, unknown]) {
      await assert.rejects(stores.versions.withdraw(DEM, importKey), { code: 'NOT_FOUND' });
    }
    const published = await publish();
    await assert.rejects(stores.versions.withdraw(OTHER, published.importKey), { code: 'NOT_FOUND' });
  });

  it('are withdrawn with their codespace, running imports too, but not later receipts', async () => {
    await publish();
    stores.clock.advance(1);
    const running = await stores.receive('running');
    stores.clock.advance(1);
    const published = await stores.receive('published, its private dataset not yet made');
    await stores.imports.recordAction(DEM, published.correlationId, 'VALIDATION', { state: 'OK' });
    await stores.imports.publish(DEM, published.correlationId);
    const until = stores.clock.now();
    stores.clock.advance(1);
    const later = await publish();
    await stores.versions.withdrawAll(DEM, until);
    await stores.versions.withdrawAll(DEM, until);
    assert.deepEqual(
      (await stores.versions.listVersions(DEM)).map((version) => version.importKey),
      [later.importKey],
    );
    const cancelled = await stores.imports.get(DEM, running.correlationId);
    assert.equal(cancelled.state, 'FAILED');
    assert.equal(cancelled.actions.PUBLICATION?.state, 'CANCELLED');
    const gone = await stores.imports.get(DEM, published.correlationId);
    assert.deepEqual([gone.state, gone.actions.PUBLICATION?.state], ['IN_PROGRESS', 'OK']);
    assert.ok(gone.withdrawnAt);
  });

  it('are not published into a withdrawn codespace', async () => {
    const { correlationId, importKey } = await stores.receive('one');
    await stores.imports.recordAction(DEM, correlationId, 'VALIDATION', { state: 'OK' });
    await stores.codespaces.withdraw(DEM);
    await assert.rejects(stores.imports.publish(DEM, correlationId), { code: 'INVALID_STATE' });
    assert.equal(await stores.versions.findVersion(DEM, importKey), undefined);
  });
});
