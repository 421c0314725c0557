/**
 * A restore adds to the audit log and never cuts it: what happened since the back-up stays known, and the restore
 * itself is recorded.
 */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import { AUDIT_ANCHORS, AuditAnchors } from '../../activities/audit/audit-anchors.ts';
import { type AuditEntry, headOf } from '../../activities/audit/audit-entry.ts';
import { AuditLog } from '../../activities/audit/audit-log.ts';
import { AUDIT_ENTRIES } from '../../activities/audit/audit-query.ts';
import { verifyChain } from '../../activities/audit/verify-chain.ts';
import { backUp } from '../../ops/backup/back-up.ts';
import { BackupFolder } from '../../ops/backup/backup-folder.ts';
import type { Places } from '../../ops/backup/place-types.ts';
import { recordBackup } from '../../ops/backup/record-backup.ts';
import { restore } from '../../ops/backup/restore.ts';
import { UserError } from '../../ops/backup/user-error.ts';
import { parseKeyRing } from '../../platform/keys/key-ring.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { ObjectStore } from '../../platform/object-store/object-store.ts';
import { silentLog } from '../api/support/parcels.ts';
import { newBackupKeys } from '../support/backup-keys.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { useMongo, useObjectStore } from '../support/stack.ts';

describe('the audit log and a restore', () => {
  const auditKeys = parseKeyRing(`a:${randomBytes(32).toString('base64')}`, 'AUDIT_KEYS');
  let connection: Connection;
  let auditLog: AuditLog;
  let places: Places;
  let folder: BackupFolder;
  let second: BackupFolder;
  let objects: ObjectStore;
  let anchors: AuditAnchors;
  let lines: string[];

  beforeEach(async () => {
    const mongodbUri = (await useMongo()).uri(`audit-${randomUUID().slice(0, 8)}`);
    places = { mongodbUri, customerKeysUri: undefined, objectStore: await useObjectStore(), auditKeys };
    connection = await connectMongo(mongodbUri);
    auditLog = new AuditLog({ connection, keys: auditKeys, log: silentLog });
    folder = new BackupFolder(join(temporaryDirectory('audit'), 'made'), newBackupKeys());
    second = new BackupFolder(join(temporaryDirectory('audit'), 'made'), newBackupKeys());
    objects = ObjectStore.connect(places.objectStore);
    anchors = new AuditAnchors(objects, auditKeys);
    lines = [];
    await disable('before');
    await recordBackup(places, 'create', 'data', report, () => backUp(places, 'data', folder, report));
  });
  afterEach(async () => {
    objects.close();
    await connection.dropDatabase();
    await connection.close();
  });

  const report = (line: string) => void lines.push(line);
  const head = async () => headOf((await Array.fromAsync(auditLog.read())).at(-1) as AuditEntry);
  const restoreIt = async (from = folder) =>
    await restore(places, 'data', from, { replace: true, eraseKeyless: false }, report);
  async function disable(id: string): Promise<void> {
    const actor = { kind: 'COMMAND', id: 'client' } as const;
    await auditLog.record({ action: 'client.disable', actor, resource: { type: 'client', id } }, async () => undefined);
  }
  const listDone = async () => {
    const done = await AUDIT_ENTRIES.open(connection).find({ outcome: 'DONE' }).sort({ _id: 1 }).toArray();
    return done.map(({ action, resource }) => `${action} ${resource.id}`);
  };
  const faultOf = async () => (await verifyChain(auditLog.read(), auditKeys)).faults[0];

  it('keeps the entries since the back-up, and records the restore', async () => {
    await disable('since');
    await restoreIt();
    assert.deepEqual(await listDone(), [
      'client.disable before',
      'backup.create data',
      'client.disable since',
      'backup.restore data',
    ]);
    assert.equal(await faultOf(), undefined);
  });

  it('brings the entries back into an empty installation', async () => {
    await connection.dropDatabase();
    await restoreIt();
    // The back-up was copied while its own entry had no outcome yet.
    assert.deepEqual(await listDone(), ['client.disable before', 'backup.restore data']);
    assert.equal(await faultOf(), undefined);
  });

  it('leaves the log of another installation as it is', async () => {
    await connection.dropDatabase();
    await disable('another');
    await restoreIt();
    assert.deepEqual(await listDone(), ['client.disable another', 'backup.restore data']);
    assert.ok(lines.some((line) => line.includes('stays as it is')));
    assert.equal(await faultOf(), undefined);
  });

  it('is compared after the restore with the anchors since the back-up, which stay', async () => {
    await anchors.keep(await head());
    await disable('since');
    await anchors.keep(await head());
    const kept = await anchors.list();
    await connection.dropDatabase();
    await restoreIt();
    assert.deepEqual(await anchors.list(), kept);
    const { faults } = await verifyChain(auditLog.read(), auditKeys, kept.heads);
    assert.match(String(faults), /is another than the one that was anchored/);
  });

  it('gets the anchors that are missing, and no existing one is written again', async () => {
    await anchors.keep(await head());
    await recordBackup(places, 'create', 'data', report, () => backUp(places, 'data', second, report));
    const { heads } = await anchors.list();
    const [{ key = '', lastModified = undefined } = {}] = await Array.fromAsync(objects.list(AUDIT_ANCHORS));
    await restoreIt(second);
    const [{ lastModified: after = undefined } = {}] = await Array.fromAsync(objects.list(AUDIT_ANCHORS));
    assert.deepEqual([heads.length, after], [1, lastModified]);
    await objects.delete(key);
    await restoreIt(second);
    assert.deepEqual((await anchors.list()).heads, heads);
  });

  it('of another installation gets none of the back-up’s anchors', async () => {
    await anchors.keep(await head());
    await recordBackup(places, 'create', 'data', report, () => backUp(places, 'data', second, report));
    await objects.deletePrefix(AUDIT_ANCHORS);
    await connection.dropDatabase();
    await disable('another');
    await restoreIt(second);
    assert.deepEqual(await anchors.list(), { heads: [], faults: [] });
  });

  it('comes back also beside entries that no process wrote', async () => {
    await connection.dropDatabase();
    const odd = ['90000000000', 2 ** 53, 0].map((_id) => ({ _id: _id as never, hash: 'x' }));
    await connection.collection('audit_entries').insertMany(odd);
    await restoreIt();
    assert.deepEqual(await listDone(), ['client.disable before', 'backup.restore data']);
  });

  it('does not keep an empty installation from being restored by its anchors', async () => {
    await anchors.keep(await head());
    await connection.dropDatabase();
    await restore(places, 'data', folder, { replace: false, eraseKeyless: false }, report);
    assert.deepEqual(await listDone(), ['client.disable before', 'backup.restore data']);
  });

  it('is written by each back-up of the data and each restore: without its keys nothing is done', async () => {
    const without = { ...places, auditKeys: undefined };
    const fail = () => assert.fail('It is not done');
    await assert.rejects(recordBackup(without, 'create', 'data', report, fail), /Nothing was done: set AUDIT_KEYS/);
    await connection.collection('later').insertOne({ kept: true });
    for (const kind of ['data', 'customer-keys'] as const) {
      const restoring = restore(without, kind, folder, { replace: true, eraseKeyless: false }, report);
      await assert.rejects(restoring, (error) => error instanceof UserError && /set AUDIT_KEYS/.test(error.message));
    }
    assert.equal(await connection.collection('later').countDocuments(), 1);
    assert.equal(await connection.collection('restore_in_progress').countDocuments(), 0);
  });

  it('does not know a back-up of the keys alone that is made without its keys, and the command says so', async () => {
    const without = { ...places, auditKeys: undefined };
    await recordBackup(without, 'create', 'customer-keys', report, async () => undefined);
    assert.ok(lines.some((line) => line.includes('AUDIT_KEYS is not set')));
    assert.equal((await listDone()).length, 2);
  });
});
