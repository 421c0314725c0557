import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cleanUpImports } from '../../../activities/timetable/import-clean-up.ts';
import {
  differencesKey,
  privateDatasetKey,
  reportKey,
  uploadKey,
  workPrefix,
} from '../../../activities/timetable/object-keys.ts';
import { RECEIPT_LEASE_MS } from '../../../activities/timetable/receipt-store.ts';
import { ObjectStore } from '../../../platform/object-store/object-store.ts';
import type { CorrelationId } from '../../../workflows/shared/ids.ts';
import { useObjectStore } from '../../support/stack.ts';
import { DAY_MS, DEM, OWNER, openStores, rawImport, type Stores } from './support.ts';

describe('clean-up of imports', () => {
  let stores: Stores;
  let objects: ObjectStore;
  beforeEach(async () => {
    [stores, objects] = await Promise.all([openStores(), useObjectStore().then((config) => ObjectStore.open(config))]);
  });
  afterEach(async () => {
    objects.close();
    await stores.connection.dropDatabase();
    await stores.connection.close();
  });

  const cleanUp = () => cleanUpImports({ ...stores, objects });
  const keys = async () => (await Array.fromAsync(objects.list(''))).map(({ key }) => key);

  it('removes object and receipt of an upload whose handler died, once', async () => {
    const correlationId = randomUUID() as CorrelationId;
    await stores.receipts.begin({ codespace: DEM, correlationId, organisationId: OWNER, clientId: 'test' });
    await objects.put(uploadKey(DEM, correlationId), Buffer.from('x'), 'application/zip');
    assert.equal((await cleanUp()).abandonedUploads, 0);
    stores.clock.advance(RECEIPT_LEASE_MS);
    const counts = await Promise.all([cleanUp(), cleanUp()]);
    assert.equal(counts[0].abandonedUploads + counts[1].abandonedUploads, 1);
    assert.deepEqual(await keys(), []);
    assert.equal(await rawImport(stores, correlationId), null);
  });

  it('leaves accepted imports of any age alone', async () => {
    const { correlationId } = await stores.receive('one');
    await objects.put(uploadKey(DEM, correlationId), Buffer.from('x'), 'application/zip');
    stores.clock.advance(365 * DAY_MS);
    await cleanUp();
    assert.deepEqual(await keys(), [uploadKey(DEM, correlationId)]);
  });

  it('removes objects of failed and withdrawn imports after their time, but keeps their records', async () => {
    const failed = await stores.receive('failed');
    await stores.imports.fail(DEM, failed.correlationId, { action: 'VALIDATION', errorCode: 'X' });
    stores.clock.advance(1);
    const withdrawn = await stores.publish('withdrawn');
    await stores.versions.withdraw(DEM, withdrawn.importKey);
    stores.clock.advance(1);
    const kept = await stores.publish('kept');
    for (const { correlationId } of [failed, withdrawn, kept]) {
      const filtered = privateDatasetKey(DEM, correlationId, 'x');
      const made = [reportKey, differencesKey].map((keyOf) => keyOf(DEM, correlationId));
      for (const key of [uploadKey(DEM, correlationId), ...made, filtered]) {
        await objects.put(key, Buffer.from('x'), 'application/zip');
      }
      await objects.put(`${workPrefix(DEM, correlationId)}a`, Buffer.from('x'), 'application/json');
    }
    stores.clock.advance(30 * DAY_MS - 3);
    assert.equal((await cleanUp()).purged, 0);
    stores.clock.advance(3);
    assert.equal((await cleanUp()).purged, 2);
    assert.equal((await cleanUp()).purged, 0);
    const { correlationId } = kept;
    assert.deepEqual(await keys(), [
      differencesKey(DEM, correlationId),
      privateDatasetKey(DEM, correlationId, 'x'),
      reportKey(DEM, correlationId),
      uploadKey(DEM, correlationId),
      `${workPrefix(DEM, correlationId)}a`,
    ]);
    assert.equal((await stores.imports.get(DEM, failed.correlationId)).state, 'FAILED');
  });

  it('finishes an interrupted withdrawal of a codespace', async () => {
    const { importKey } = await stores.publish('one');
    await stores.codespaces.withdraw(DEM);
    assert.equal((await cleanUp()).withdrawals, 1);
    assert.equal((await cleanUp()).withdrawals, 0);
    assert.equal(await stores.versions.findVersion(DEM, importKey), undefined);
  });
});
