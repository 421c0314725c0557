/** Backs up and restores with the logins that the composition gives these commands, on a database server with logins. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import mongoose, { type mongo } from 'mongoose';
import { Children } from '../../dev/stack/children.ts';
import { freePort } from '../../dev/stack/ports.ts';
import * as servers from '../../dev/stack/servers.ts';
import { waitUntilReady } from '../../dev/stack/wait.ts';
import { backUp } from '../../ops/backup/back-up.ts';
import { BackupFolder } from '../../ops/backup/backup-folder.ts';
import type { Places } from '../../ops/backup/place-types.ts';
import { restore } from '../../ops/backup/restore.ts';
import { accountOf } from '../../ops/privileges/accounts.ts';
import { prepareBucket } from '../../ops/privileges/prepare-bucket.ts';
import { makeIndexes, putUsers } from '../../ops/privileges/prepare-database.ts';
import { ObjectStore } from '../../platform/object-store/object-store.ts';
import { newAuditKeys } from '../support/audit-keys.ts';
import { newBackupKeys } from '../support/backup-keys.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { type TestObjectStore, useObjectStore } from '../support/stack.ts';

const START_TIMEOUT_MS = 60_000;
const NAMES = ['backup', 'backup-keys', 'restore'] as const;
const DATA = 'samferd';
const KEYS = 'samferd_customer_keys';
const PASSWORD = 'password-of-a-command';
const REPLACING = { replace: true, eraseKeyless: false };
const silent = (): void => undefined;

describe('the commands with logins of their own', () => {
  const children = new Children();
  const key = randomBytes(32).toString('base64');
  const backupKeys = newBackupKeys();
  const auditKeys = newAuditKeys();
  const folders = { data: newFolder('data'), keys: newFolder('keys') };
  let port = 0;
  let admin: mongo.MongoClient;
  let store: TestObjectStore;
  let objects: ObjectStore;

  function newFolder(name: string): BackupFolder {
    return new BackupFolder(join(temporaryDirectory('command-logins'), name), backupKeys);
  }

  function placesOf(name: (typeof NAMES)[number]): Places {
    const uri = (database: string) => servers.mongoUri(port, database, { user: name, password: PASSWORD, database });
    const objectStore = { ...store, S3_ACCESS_KEY_ID: name, S3_SECRET_ACCESS_KEY: PASSWORD };
    return { mongodbUri: uri(DATA), customerKeysUri: uri(KEYS), objectStore, auditKeys };
  }

  before(async () => {
    port = await freePort();
    store = await useObjectStore();
    objects = ObjectStore.connect(store);
    const keyFile = join(temporaryDirectory('command-logins-key'), 'mongodb.key');
    writeFileSync(keyFile, key, { mode: 0o400 });
    const directory = temporaryDirectory('command-logins-data');
    const child = children.start({
      ...servers.mongodOptions({ port, directory, cacheSizeGb: 0.25, keyFile }),
      logFile: join(temporaryDirectory('command-logins-log'), 'mongod.log'),
    });
    await waitUntilReady(child, () => servers.initiateReplicaSet(port, key), START_TIMEOUT_MS);
    admin = await mongoose.mongo.MongoClient.connect(servers.mongoUri(port, DATA, servers.systemLogin(key)));
    await prepare();
    await admin.db(DATA).collection('clients').insertOne({ name: 'kept' });
    // Of an area that this release does not know.
    await admin.db(DATA).collection('parcels').insertOne({ label: 'kept' });
    await admin
      .db(KEYS)
      .collection<{ _id: string; subject: string }>('subject_keys')
      .insertOne({ _id: 'key-1', subject: 'customer/1' });
    await objects.put('uploads/a', new TextEncoder().encode('archive'), 'application/zip');
  });
  after(async () => {
    objects?.close();
    await admin?.close();
    await children.stopAll(0);
  });

  async function prepare(): Promise<void> {
    const places = { data: DATA, customerKeys: KEYS, bucket: store.S3_BUCKET };
    const accounts = NAMES.map((name) => accountOf(name, places));
    for (const [database, kind] of [[DATA, 'data'] as const, [KEYS, 'customerKeys'] as const]) {
      const reaching = accounts.filter((account) => account[kind].length > 0);
      const users = reaching.map((account) => ({
        name: account.name,
        password: PASSWORD,
        privileges: account[kind],
      }));
      await makeIndexes(admin.db(database), kind);
      await putUsers(admin.db(database), users);
    }
    const users = accounts.flatMap(({ name, policy }) => (policy ? [{ name, secret: PASSWORD, policy }] : []));
    await prepareBucket(store, users);
  }

  it('back up the data, of unknown areas too', async () => {
    const made = await backUp(placesOf('backup'), 'data', folders.data, silent);
    assert.ok(made.collections.some(({ name, documents }) => name === 'parcels' && documents === 1));
    assert.equal(made.objects?.count, 1);
  });

  it('back up the customers’ keys by another login, and neither reads the data of the other', async () => {
    const made = await backUp(placesOf('backup-keys'), 'customer-keys', folders.keys, silent);
    assert.deepEqual(
      made.collections.map(({ name, documents }) => [name, documents]),
      [['subject_keys', 1]],
    );
    for (const [name, kind] of [['backup', 'customer-keys'] as const, ['backup-keys', 'data'] as const]) {
      await assert.rejects(backUp(placesOf(name), kind, newFolder(name), silent), /Authentication failed/);
    }
  });

  it('lose no anchor of the audit log to the login of the restore', async () => {
    await objects.put('audit-anchors/kept', new TextEncoder().encode('anchor'), 'application/json');
    const restoring = ObjectStore.connect(placesOf('restore').objectStore);
    try {
      await assert.rejects(restoring.delete('audit-anchors/kept'), /Access ?Denied/);
      await restoring.put('other/made', new TextEncoder().encode('other'), 'text/plain');
      await restoring.delete('other/made');
    } finally {
      restoring.close();
    }
    assert.ok(await objects.head('audit-anchors/kept'));
    await objects.delete('audit-anchors/kept');
  });

  it('restore both by a third login, which the first two cannot', async () => {
    await admin.db(DATA).collection('parcels').insertOne({ label: 'newer' });
    await objects.put('uploads/b', new TextEncoder().encode('newer'), 'application/zip');
    await objects.put('audit-anchors/newer', new TextEncoder().encode('anchor'), 'application/json');
    const without = { ...placesOf('backup'), customerKeysUri: placesOf('restore').customerKeysUri };
    await assert.rejects(restore(without, 'data', folders.data, REPLACING, silent), /not authorized|UnknownError/);
    await restore(placesOf('restore'), 'customer-keys', folders.keys, { ...REPLACING, replace: false }, silent);
    await restore(placesOf('restore'), 'data', folders.data, REPLACING, silent);
    assert.equal(await admin.db(DATA).collection('parcels').countDocuments(), 1);
    assert.equal(await objects.head('uploads/b'), undefined);
    assert.ok(await objects.head('audit-anchors/newer'));
    assert.deepEqual(await objects.getRange('uploads/a', 0, 7), new TextEncoder().encode('archive'));
  });
});
