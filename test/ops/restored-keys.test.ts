/**
 * Some keys of customers are lost: tests what a restore adds, what it never removes, and which processes wait until it
 * is complete.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import { backUp } from '../../ops/backup/back-up.ts';
import { BackupFolder } from '../../ops/backup/backup-folder.ts';
import type { BackupKind } from '../../ops/backup/manifest.ts';
import type { Places } from '../../ops/backup/place-types.ts';
import { restore } from '../../ops/backup/restore.ts';
import { createLog } from '../../platform/log.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { RESTORE_MARK } from '../../platform/mongo/restore-mark.ts';
import { connectPatiently } from '../../platform/process/connect.ts';
import { newAuditKeys } from '../support/audit-keys.ts';
import { newBackupKeys } from '../support/backup-keys.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { useMongo, useObjectStore } from '../support/stack.ts';

const UNFINISHED = /A restore into the database .* was not finished/;
const BACKUP_KEYS = newBackupKeys();
const silent = () => undefined;

interface Installation {
  readonly data: Connection;
  readonly keys: Connection;
  readonly places: Places;
  readonly uris: readonly [data: string, keys: string];
}

describe('Restored keys of customers', () => {
  const open: Installation[] = [];
  let made: Installation;
  let folder: BackupFolder;

  async function install(): Promise<Installation> {
    const mongo = await useMongo();
    const name = `restored-${randomUUID().slice(0, 8)}`;
    const uris = [mongo.uri(name), mongo.uri(`${name}-keys`)] as const;
    const objectStore = await useObjectStore();
    const places = { mongodbUri: uris[0], customerKeysUri: uris[1], objectStore, auditKeys: newAuditKeys() };
    const connections = { data: await connectMongo(uris[0]), keys: await connectMongo(uris[1]) };
    const installation = { ...connections, places, uris };
    open.push(installation);
    return installation;
  }

  const profiles = () => made.data.collection<{ _id: string; status: string; keyId: string }>('customer_profiles');
  const keys = () => made.keys.collection<{ _id: string; subject: string }>('subject_keys');
  const kept = async () => (await keys().find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
  const newFolder = () => new BackupFolder(join(temporaryDirectory('restored-keys'), 'made'), BACKUP_KEYS);
  const restoreFrom = (kind: BackupKind, from: BackupFolder, replace: boolean) =>
    restore(made.places, kind, from, { replace, eraseKeyless: false }, silent);
  const restoreKeys = ({ replace } = { replace: false }) => restoreFrom('customer-keys', folder, replace);
  const addCustomer = async (number: number) => {
    await profiles().insertOne({ _id: `${number}`, status: 'ACTIVE', keyId: `key-${number}` });
    await keys().insertOne({ _id: `key-${number}`, subject: `customer/${number}` });
  };

  beforeEach(async () => {
    made = await install();
    for (const number of [1, 2]) await addCustomer(number);
    await keys().createIndex({ subject: 1 }, { name: 'subject', unique: true });
    folder = newFolder();
    await backUp(made.places, 'customer-keys', folder, silent);
    await addCustomer(3);
  });
  after(async () => {
    for (const connection of open.flatMap((each) => [each.data, each.keys])) {
      await connection.dropDatabase();
      await connection.close();
    }
  });

  it('are added to keys that were made since', async () => {
    await keys().deleteOne({ _id: 'key-1' });
    await restoreKeys();
    assert.deepEqual(await kept(), ['key-1', 'key-2', 'key-3']);
    await restoreKeys();
    assert.deepEqual(await kept(), ['key-1', 'key-2', 'key-3']);
  });

  it('replace them only where no living customer loses a key', async () => {
    await assert.rejects(restoreKeys({ replace: true }), /Nothing was changed: 1 keys are not in this back-up/);
    assert.deepEqual(await kept(), ['key-1', 'key-2', 'key-3']);
    await profiles().updateOne({ _id: '3' }, { $set: { status: 'ERASED' } });
    await restoreKeys({ replace: true });
    assert.deepEqual(await kept(), ['key-1', 'key-2']);
  });

  it('never replace them when the data is empty', async () => {
    await profiles().deleteMany({});
    await assert.rejects(restoreKeys({ replace: true }), /Nothing was changed: 1 keys are not in this back-up/);
    assert.deepEqual(await kept(), ['key-1', 'key-2', 'key-3']);
  });

  it('are refused when they belong to another installation', async () => {
    await keys().deleteOne({ _id: 'key-1' });
    await keys().insertOne({ _id: 'other', subject: 'customer/1' });
    await assert.rejects(restoreKeys(), /Nothing was changed: 1 customers have another key/);
    assert.deepEqual(await kept(), ['key-2', 'key-3', 'other']);
  });

  it('must be complete before a process starts, data is backed up or data is restored', async () => {
    const dataFolder = newFolder();
    await backUp(made.places, 'data', dataFolder, silent);
    for (const connection of [made.data, made.keys]) {
      await connection.collection<{ _id: string }>(RESTORE_MARK).insertOne({ _id: 'current' });
    }
    const log = createLog({ level: 'silent', name: 'test' });
    for (const uri of made.uris) {
      const connecting = connectPatiently('mongodb', log, () => connectMongo(uri));
      await assert.rejects(connecting, UNFINISHED);
    }
    for (const kind of ['data', 'customer-keys'] as const) {
      await assert.rejects(backUp(made.places, kind, newFolder(), silent), UNFINISHED);
    }
    await assert.rejects(restoreFrom('data', dataFolder, true), UNFINISHED);
    assert.equal(await profiles().countDocuments(), 3);

    await restoreKeys();
    await restoreFrom('data', dataFolder, true);
    for (const uri of made.uris) await (await connectMongo(uri)).close();
    assert.deepEqual(await kept(), ['key-1', 'key-2', 'key-3']);
  });
});
