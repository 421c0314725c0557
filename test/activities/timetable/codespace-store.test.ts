import assert from 'node:assert/strict';
import { finishWithdrawal } from '../../../activities/timetable/import-clean-up.ts';
import type { Codespace } from '../../../workflows/shared/ids.ts';
import { DEM, OWNER, openStores, type Stores } from './support.ts';

describe('codespaces', () => {
  let stores: Stores;
  before(async () => {
    stores = await openStores();
  });
  after(async () => {
    await stores.connection.dropDatabase();
    await stores.connection.close();
  });

  const fields = (xmlns: string) => ({
    name: 'A region',
    xmlns,
    allowedXmlns: ['NSR', 'PEN'],
    profile: 'timetable' as const,
    ownerOrganisationId: OWNER,
  });

  it('are created once under simultaneous requests, and then replaced', async () => {
    const abc = 'abc' as Codespace;
    const put = await Promise.all(Array.from({ length: 5 }, () => stores.codespaces.put(abc, fields('ABC'))));
    assert.equal(put.filter(({ created }) => created).length, 1);
    const changed = await stores.codespaces.put(abc, { ...fields('ABC'), profile: 'flex' });
    assert.equal(changed.created, false);
    assert.deepEqual(await stores.codespaces.get(abc), { codespace: 'abc', ...fields('ABC'), profile: 'flex' });
  });

  it('have separate prefixes', async () => {
    await stores.codespaces.put('one' as Codespace, fields('ONE'));
    await assert.rejects(stores.codespaces.put('two' as Codespace, fields('ONE')), { code: 'DUPLICATE_CODESPACE' });
  });

  it('are not found when never created', async () => {
    assert.equal(await stores.codespaces.find('zzz' as Codespace), undefined);
    await assert.rejects(stores.codespaces.get('zzz' as Codespace), { code: 'NOT_FOUND' });
    assert.equal(await stores.codespaces.withdraw('zzz' as Codespace), undefined);
  });

  it('are absent once withdrawn, and can be created again without old versions', async () => {
    const { importKey } = await stores.publish('one');
    const withdrawals = await Promise.all([stores.codespaces.withdraw(DEM), stores.codespaces.withdraw(DEM)]);
    assert.equal(withdrawals.filter((withdrawal) => withdrawal).length, 1);
    assert.equal(await stores.codespaces.find(DEM), undefined);
    await assert.rejects(stores.codespaces.put(DEM, fields('DEM')), { code: 'UNAVAILABLE' });

    for (const withdrawal of await stores.codespaces.listWithdrawals()) {
      await finishWithdrawal(stores, withdrawal);
      await finishWithdrawal(stores, withdrawal);
    }
    assert.deepEqual(await stores.codespaces.listWithdrawals(), []);
    assert.equal((await stores.codespaces.put(DEM, fields('DEM'))).created, true);
    assert.equal(await stores.versions.findVersion(DEM, importKey), undefined);
    assert.equal(await stores.versions.findLatest(DEM), undefined);
  });
});
