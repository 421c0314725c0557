/**
 * Back-ups of the data hold no search key, so that nobody can test guessed values against a stolen one. A restore computes them
 * again, and customers are found as before.
 */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import mongoose, { type Connection } from 'mongoose';
import { type CustomerSecrets, customerStoreOptions } from '../../activities/customers/customer-config.ts';
import { LoginFailureStore } from '../../activities/customers/login-failures.ts';
import { ProfileItemStore } from '../../activities/customers/profile-item-store.ts';
import { ProfileStore } from '../../activities/customers/profile-store.ts';
import { backUp } from '../../ops/backup/back-up.ts';
import { BackupFolder } from '../../ops/backup/backup-folder.ts';
import { readBsonFile } from '../../ops/backup/bson-file.ts';
import type { Places } from '../../ops/backup/place-types.ts';
import { restore } from '../../ops/backup/restore.ts';
import { parseKeyRing } from '../../platform/keys/key-ring.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { SubjectKeys } from '../../platform/personal/subject-keys.ts';
import { anna, guest, HOME, OURS, outcomeOf, request } from '../activities/customers/customer-fixture.ts';
import { newAuditKeys } from '../support/audit-keys.ts';
import { newBackupKeys } from '../support/backup-keys.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { useMongo, useObjectStore } from '../support/stack.ts';

const ALL = { page: 1, perPage: 25, maxResultSet: 50 };
const CARD = { mediaSerialNumber: '4711', issuerCode: '123456' };
const BACKUP_KEYS = newBackupKeys();
const silent = () => undefined;
const newKey = () => randomBytes(32).toString('base64');
const SECRETS: CustomerSecrets = {
  CUSTOMER_MASTER_KEYS: parseKeyRing(`m:${newKey()}`, 'CUSTOMER_MASTER_KEYS'),
  CUSTOMER_SEARCH_KEY: randomBytes(32),
};

describe('search keys of customers', () => {
  let [connection, keysConnection]: Connection[] = [];
  let places: Places;

  const options = (secrets = SECRETS) => {
    assert.ok(connection && keysConnection);
    const keys = new SubjectKeys({ connection: keysConnection, masterKeys: secrets.CUSTOMER_MASTER_KEYS });
    return customerStoreOptions(secrets, { connection, keys, environment: 'dev' });
  };
  const profiles = (secrets?: CustomerSecrets) => new ProfileStore(options(secrets));
  const stored = async () => await connection?.collection('customer_profiles').find().sort({ _id: 1 }).toArray();
  const newFolder = () => new BackupFolder(join(temporaryDirectory('search-keys'), 'made'), BACKUP_KEYS);
  const restoreFrom = (folder: BackupFolder, more: Partial<Places> = {}) =>
    restore({ ...places, ...more }, 'data', folder, { replace: true, eraseKeyless: false }, silent);

  beforeEach(async () => {
    const mongo = await useMongo();
    const name = `search-keys-${randomUUID().slice(0, 8)}`;
    const uris = [mongo.uri(name), mongo.uri(`${name}-keys`)] as const;
    places = {
      mongodbUri: uris[0],
      customerKeysUri: uris[1],
      objectStore: await useObjectStore(),
      customerSecrets: SECRETS,
      auditKeys: newAuditKeys(),
    };
    [connection, keysConnection] = [await connectMongo(uris[0]), await connectMongo(uris[1])];
    await profiles().ensureIndexes();
    const { customerNumber } = await profiles().create(anna({ customerRef: 'A-1' }), request());
    await new ProfileItemStore('postalAddresses', options()).add(OURS, customerNumber, HOME, request());
    await new ProfileItemStore('eCards', options()).add(OURS, customerNumber, CARD, request());
    await profiles().create(guest(new Date(Date.now() + 3_600_000)), request());
    const failures = new LoginFailureStore({ connection });
    await (await failures.begin([{ subject: 'a hash', most: 3, atOnce: 1 }])).fail();
  });
  afterEach(async () => {
    for (const each of [connection, keysConnection]) {
      await each?.dropDatabase();
      await each?.close();
    }
  });

  async function findEverywhere(secrets?: CustomerSecrets): Promise<readonly unknown[]> {
    const store = profiles(secrets);
    const searches = [
      { postCode: '0155' },
      { email: 'Anna@example.no' },
      { surname: 'ødegård' },
      { customerRef: 'a-1' },
    ];
    return [
      (await store.find(OURS, { customerRef: 'A-1', organisationId: OURS }))?.email,
      (await store.findLogin(OURS, 'anna@EXAMPLE.no'))?.customerNumber !== undefined,
      ...(await Promise.all(
        searches.map(async (each) => (await store.search(OURS, { ...each, includeTemporary: false }, ALL)).totalItems),
      )),
      await outcomeOf(store.create(anna(), request())),
      await outcomeOf(store.create(anna({ email: 'b@example.no', customerRef: 'A-1' }), request())),
    ];
  }
  const FOUND = ['anna@example.no', true, 1, 1, 1, 1, 'DUPLICATE_EMAIL', 'DUPLICATE_CUSTOMER_REF'];

  it('are in no back-up, and are the same after its restore', async () => {
    const before = (await stored()) ?? [];
    const hashes = JSON.stringify(before).match(/"(searchKeys|emailKey|customerRefKey|serialKey|postCodeTerm)"/g);
    assert.equal(new Set(hashes).size, 5);
    const folder = newFolder();
    const { collections } = await backUp(places, 'data', folder, silent);
    assert.ok(!collections.some(({ name }) => name === 'customer_login_failures'));
    for await (const bytes of readBsonFile(folder.collectionFile('customer_profiles'))) {
      const document = JSON.stringify(mongoose.mongo.BSON.deserialize(bytes));
      assert.doesNotMatch(document, /searchKeys|emailKey|customerRefKey|serialKey|postCodeTerm/);
    }
    await restoreFrom(folder);
    const byName = (documents: readonly object[] = []) =>
      documents.map((each) => Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))));
    assert.deepEqual(byName(await stored()), byName(before));
    assert.deepEqual(await findEverywhere(), FOUND);
  });

  it('follow from another key when it has changed', async () => {
    const folder = newFolder();
    await backUp(places, 'data', folder, silent);
    const customerSecrets = { ...SECRETS, CUSTOMER_SEARCH_KEY: randomBytes(32) };
    await restoreFrom(folder, { customerSecrets });
    assert.deepEqual(await findEverywhere(customerSecrets), FOUND);
  });

  it('cannot be computed without the secrets: the restore is refused', async () => {
    const folder = newFolder();
    await backUp(places, 'data', folder, silent);
    const refused = restoreFrom(folder, { customerSecrets: undefined });
    await assert.rejects(refused, /Nothing was changed: set CUSTOMER_MASTER_KEYS and CUSTOMER_SEARCH_KEY/);
    assert.deepEqual(await findEverywhere(), FOUND);
  });
});
