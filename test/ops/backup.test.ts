/** Tests `npm run backup` and `npm run restore` on real servers, with data of every kind that is hard to copy. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import mongoose from 'mongoose';
import { AUDIT_ENTRIES } from '../../activities/audit/audit-query.ts';
import { ringOf } from '../../activities/auth/signing-key-sealing.ts';
import { SigningKeyStore } from '../../activities/auth/signing-key-store.ts';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { checkBackup } from '../../ops/backup/back-up.ts';
import { BackupFolder } from '../../ops/backup/backup-folder.ts';
import { namedBackupKeys } from '../../ops/backup/backup-keys.ts';
import { findNamedPlaces } from '../../ops/backup/places.ts';
import { restore } from '../../ops/backup/restore.ts';
import { UserError } from '../../ops/backup/user-error.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { ObjectStore } from '../../platform/object-store/object-store.ts';
import { newAuditKeysText } from '../support/audit-keys.ts';
import { newBackupKeysText } from '../support/backup-keys.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { holdDatabase } from '../support/held-database.ts';
import { programEnvironment } from '../support/run.ts';
import { type TestObjectStore, useMongo, useObjectStore } from '../support/stack.ts';

const { Binary, Decimal128, Double, Int32, Long, ObjectId } = mongoose.mongo;
const BACKUP_KEYS = newBackupKeysText();
const AUDIT_KEYS = newAuditKeysText();
const BIG = randomBytes(6 * 1024 * 1024);
const NO_OPTIONS = { replace: false, eraseKeyless: false };
const silent = () => undefined;

interface Installation {
  readonly connection: Connection;
  readonly keys: Connection;
  readonly objects: ObjectStore;
  readonly env: Readonly<Record<string, string>>;
}

describe('npm run backup, npm run restore', function () {
  this.timeout(240_000);
  const open: Installation[] = [];
  let source: Installation;
  /** A back-up of `source` with which tests begin. */
  let whole: string;

  async function install(): Promise<Installation> {
    const mongo = await useMongo();
    const name = `backup-${randomUUID().slice(0, 8)}`;
    const store: TestObjectStore = await useObjectStore();
    const uris = { MONGODB_URI: mongo.uri(name), CUSTOMER_KEYS_MONGODB_URI: mongo.uri(`${name}-keys`) };
    const made = {
      connection: await connectMongo(uris.MONGODB_URI),
      keys: await connectMongo(uris.CUSTOMER_KEYS_MONGODB_URI),
      objects: ObjectStore.connect(store),
      env: { ...programEnvironment(), ...uris, ...store, BACKUP_KEYS, AUDIT_KEYS },
    };
    open.push(made);
    return made;
  }

  function start({ env }: Installation, command: 'backup' | 'restore', args: readonly string[]): ChildProcess {
    const words = [join(projectRoot, `ops/${command}.ts`), ...args];
    return spawn(process.execPath, words, { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  async function run(on: Installation, command: 'backup' | 'restore', ...args: string[]) {
    const child = start(on, command, args);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    const [code] = (await once(child, 'close')) as [number];
    return { code, output };
  }

  /** Kills the command just before it reads or writes the collection `many`; the collection before that is complete. */
  async function killAt(access: 'find' | 'insert', on: Installation, command: 'backup' | 'restore', ...args: string[]) {
    const { uri: MONGODB_URI, ...database } = await holdDatabase(on.env.MONGODB_URI ?? '', access, 'many');
    const child = start({ ...on, env: { ...on.env, MONGODB_URI } }, command, args);
    const closed = once(child, 'close');
    await Promise.race([database.held, closed]);
    child.kill('SIGKILL');
    await closed;
    database.close();
  }

  async function backUp(on: Installation, ...args: string[]): Promise<string> {
    const folder = join(temporaryDirectory('backup'), 'made');
    const { code, output } = await run(on, 'backup', ...args, '--to', folder);
    assert.equal(code, 0, output);
    return folder;
  }

  async function copyOf(folder: string): Promise<string> {
    const copy = join(temporaryDirectory('backup'), 'copy');
    await cp(folder, copy, { recursive: true });
    return copy;
  }

  /** The work of `backup --check` and `restore`, without their processes. */
  const check = ({ env }: Installation, folder: string) =>
    checkBackup(new BackupFolder(folder, namedBackupKeys(env)), silent);
  const restoreTo = async ({ env }: Installation, folder: string) => {
    const places = findNamedPlaces(env) ?? assert.fail('no places');
    await restore(places, 'data', new BackupFolder(folder, namedBackupKeys(env)), NO_OPTIONS, silent);
  };

  async function assertRefused(action: Promise<unknown>, words: RegExp): Promise<void> {
    await assert.rejects(action, (error) => error instanceof UserError && words.test(error.message));
  }

  const contentOf = async ({ connection, objects }: Installation) => {
    const names = (await connection.db?.listCollections({}, { nameOnly: true }).toArray())?.map(({ name }) => name);
    const documents: Record<string, unknown> = {};
    for (const name of (names ?? []).sort()) {
      // It also tells of the restore: restored-audit-log.test.ts.
      if (name === AUDIT_ENTRIES.collection) continue;
      const raw = await connection.collection(name).find({}, { raw: true }).sort({ _id: 1 }).toArray();
      const bytes = Buffer.concat(raw as unknown as Buffer[]).toString('base64');
      documents[name] = { bytes, indexes: (await connection.collection(name).indexes()).sort(byName) };
    }
    const stored: Record<string, unknown> = {};
    for await (const { key } of objects.list('')) {
      const parts = (await (await objects.get(key)).toArray()) as Buffer[];
      stored[key] = [(await objects.head(key))?.contentType, Buffer.concat(parts).toString('base64')];
    }
    return { documents, stored };
  };
  const byName = (a: { name?: string }, b: { name?: string }) => String(a.name).localeCompare(String(b.name));

  before(async () => {
    source = await install();
    const { connection, objects } = source;
    await connection.collection<{ _id: unknown }>('kinds').insertMany([
      { _id: 'numbers', int: new Int32(1), double: new Double(1), long: Long.fromString('9007199254740993') },
      { _id: 7, money: Decimal128.fromString('12.50'), at: new Date(0), nothing: null, pattern: /a+/i },
      {
        _id: new ObjectId(),
        sealed: new Binary(randomBytes(20)),
        old: new Binary(randomBytes(16), 4),
        order: { b: 1, a: 2 },
      },
    ] as never[]);
    const many = Array.from({ length: 3_500 }, (_, at) => ({ _id: `n${at}`, text: 'x'.repeat(1_000) }));
    await connection.collection<{ _id: string }>('many').insertMany(many);
    await connection.collection('many').createIndexes([
      { name: 'unique_text', key: { number: 1 }, unique: true, partialFilterExpression: { number: { $gt: 0 } } },
      { name: 'expiry', key: { at: 1 }, expireAfterSeconds: 60 },
    ]);
    await connection.createCollection('empty');
    await objects.put('uploads/dem/a.zip', Buffer.from('archive'), 'application/zip');
    await objects.put('odd/æ ø/..%2F..%2F/"name"', Buffer.alloc(0), 'text/plain');
    await objects.put('big', BIG, 'application/octet-stream');
    whole = await backUp(source);
  });
  after(async () => {
    for (const { connection, keys, objects } of open) {
      for (const each of [connection, keys]) {
        await each.dropDatabase();
        await each.close();
      }
      objects.close();
    }
  });

  it('restores every byte, index and content type, into an empty installation', async () => {
    const target = await install();
    const { code, output } = await run(target, 'restore', '--from', whole);
    assert.equal(code, 0, output);
    assert.deepEqual(await contentOf(target), await contentOf(source));
  });

  it('restores no signing key: one that was withdrawn since would sign and be believed again', async () => {
    const from = await install();
    const encryptionKeys = ringOf(randomBytes(32));
    const keysOf = ({ connection }: Installation) => new SigningKeyStore({ connection, encryptionKeys });
    await keysOf(from).ensureIndexes();
    const earlier = await keysOf(from).getSigningKey();
    const folder = await backUp(from);
    const target = await install();
    const { code, output } = await run(target, 'restore', '--from', folder);
    assert.equal(code, 0, output);
    assert.match(output, /signing keys withdrawn: 1/);
    assert.deepEqual(await keysOf(target).listPublicKeys(), []);
    const { kid } = await keysOf(target).getSigningKey();
    assert.notEqual(kid, earlier.kid);
    assert.deepEqual(
      (await keysOf(target).listPublicKeys()).map((key) => key.kid),
      [kid],
    );
  });

  it('replaces existing data only with the option', async () => {
    const target = await install();
    await target.connection.collection('later').insertOne({ kept: true });
    await target.objects.put('later', Buffer.from('x'), 'text/plain');
    const refused = await run(target, 'restore', '--from', whole);
    assert.equal(refused.code, 2);
    assert.match(refused.output, /Nothing was changed: the database .* is not empty \(later\)/);
    assert.deepEqual(Object.keys((await contentOf(target)).stored), ['later']);

    assert.equal((await run(target, 'restore', '--from', whole, '--replace')).code, 0);
    assert.deepEqual(await contentOf(target), await contentOf(source));
  });

  it('refuses a damaged or unfinished back-up before it changes anything', async () => {
    const [inObjects, inDocuments, cut, unfinished] = [
      await copyOf(whole),
      await copyOf(whole),
      await copyOf(whole),
      await copyOf(whole),
    ] as const;
    const file = (await listFiles(inObjects)).find((name) => name.endsWith('.object')) ?? '';
    await appendFile(file, 'x');
    await writeFile(join(inDocuments, 'documents/many.bson.gz'), randomBytes(1_000));
    const many = await readFile(join(cut, 'documents/many.bson.gz'));
    await writeFile(join(cut, 'documents/many.bson.gz'), many.subarray(0, many.length - 20));
    await rm(join(unfinished, 'manifest.json'));
    const target = await install();
    assert.equal((await run(target, 'backup', '--check', inObjects)).code, 2);
    assert.equal((await run(target, 'restore', '--from', inObjects)).code, 2);
    for (const folder of [inObjects, inDocuments, cut, unfinished]) {
      await assertRefused(check(target, folder), /is damaged|no back-up that was finished/);
      await assertRefused(restoreTo(target, folder), /is damaged|no back-up that was finished/);
    }
    assert.deepEqual(await contentOf(target), { documents: {}, stored: {} });
  });

  it('refuses files of other places and back-ups, and what is of another installation', async () => {
    const other = await backUp(source);
    const [swapped, foreign, earlier] = [await copyOf(whole), await copyOf(whole), await copyOf(whole)] as const;
    const [one, two] = ['kinds', 'empty'].map((name) => join(swapped, `documents/${name}.bson.gz`)) as [string, string];
    const bytes = [await readFile(one), await readFile(two)] as const;
    await Promise.all([writeFile(one, bytes[1]), writeFile(two, bytes[0])]);
    await writeFile(join(foreign, 'documents/kinds.bson.gz'), await readFile(join(other, 'documents/kinds.bson.gz')));
    const manifest = JSON.parse(await readFile(join(earlier, 'manifest.json'), 'utf8'));
    await writeFile(join(earlier, 'manifest.json'), JSON.stringify({ ...manifest, kind: 'customer-keys' }));
    const target = await install();
    for (const folder of [swapped, foreign, earlier]) await assertRefused(check(target, folder), /is damaged/);
    const keys = newBackupKeysText('other');
    for (const BACKUP_KEYS of [keys, keys.replace('other', 'test')]) {
      const theirs = { ...target, env: { ...target.env, BACKUP_KEYS } };
      const words = /is of another installation|of another release or installation/;
      await assertRefused(restoreTo(theirs, other), words);
    }
    const replaced = { ...target, env: { ...target.env, BACKUP_KEYS: `${keys},${BACKUP_KEYS}` } };
    assert.equal((await run(replaced, 'backup', '--check', other)).code, 0);
    assert.deepEqual(await contentOf(target), { documents: {}, stored: {} });
  });

  it('can be read by nobody without the keys', async () => {
    for (const file of await listFiles(whole)) {
      const bytes = await readFile(file);
      for (const word of ['xxxxxxxx', 'archive', 'uploads/dem', 'unique_text']) {
        assert.ok(!bytes.includes(word), `${file}: ${word}`);
      }
      assert.notDeepEqual([...bytes.subarray(0, 2)], [0x1f, 0x8b], `${file} is a gzip file`);
    }
  });

  it('continues after a killed back-up, without objects deleted since', async () => {
    const folder = join(temporaryDirectory('backup'), 'killed');
    const gone = 'gone/meanwhile';
    await source.objects.put(gone, Buffer.from('x'), 'text/plain');
    await killAt('find', source, 'backup', '--to', folder);
    assert.ok(existsSync(join(folder, 'documents', 'kinds.bson.gz')));
    assert.ok(!existsSync(join(folder, 'manifest.json')));
    await source.objects.delete(gone);
    const { code, output } = await run(source, 'backup', '--to', folder);
    assert.equal(code, 0, output);
    assert.match(output, /objects: 0 copied/);
    const target = await install();
    assert.equal((await run(target, 'restore', '--from', folder)).code, 0);
    assert.deepEqual(await contentOf(target), await contentOf(source));
    assert.match((await run(source, 'backup', '--to', folder)).output, /holds a back-up: name another folder/);
  });

  it('continues after a killed restore, without an option', async () => {
    const target = await install();
    await killAt('insert', target, 'restore', '--from', whole);
    assert.equal(await target.connection.collection('kinds').countDocuments(), 3);
    assert.equal(await target.connection.collection('many').countDocuments(), 0);
    const { code, output } = await run(target, 'restore', '--from', whole);
    assert.equal(code, 0, output);
    assert.deepEqual(await contentOf(target), await contentOf(source));
  });

  it('copies one instant: simultaneous writes are restored together', async () => {
    const [a, b] = [source.connection.collection('pair_a'), source.connection.collection('pair_b')];
    const writing = new AbortController();
    const write = async () => {
      for (let value = 1; !writing.signal.aborted; value += 1) {
        await source.connection.transaction(async (session) => {
          for (const each of [a, b]) await each.updateOne({ pair: 1 }, { $set: { value } }, { upsert: true, session });
        });
      }
    };
    await a.insertOne({ pair: 1, value: 0 });
    await b.insertOne({ pair: 1, value: 0 });
    const written = write();
    const folder = await backUp(source);
    writing.abort();
    await written;
    const target = await install();
    assert.equal((await run(target, 'restore', '--from', folder)).code, 0);
    const read = async (name: string) => (await target.connection.collection(name).findOne({ pair: 1 }))?.value;
    assert.ok(Number(await read('pair_a')) > 0);
    assert.equal(await read('pair_a'), await read('pair_b'));
  });

  it('erases again the customers whose keys were destroyed since, and none when all keys are missing', async () => {
    const profile = (number: number, status = 'ACTIVE') => ({ _id: `${number}`, status, profileType: 'PERMANENT' });
    const made = await install();
    const profiles = made.connection.collection<ReturnType<typeof profile>>('customer_profiles');
    const key = (number: number) => ({ _id: `key-${number}`, subject: `customer/${number}` });
    const keys = made.keys.collection<ReturnType<typeof key>>('subject_keys');
    await profiles.insertMany([profile(1), profile(2), profile(3, 'ERASED')]);
    await keys.insertMany([key(1), key(2), key(3)]);
    const [data, oldKeys] = [await backUp(made), await backUp(made, '--customer-keys')];
    await keys.deleteMany({ _id: { $in: ['key-2', 'key-3'] } });

    assert.equal((await run(made, 'restore', '--from', data, '--replace')).code, 0);
    const statuses = async () => (await profiles.find().sort({ _id: 1 }).toArray()).map(({ status }) => status);
    assert.deepEqual(await statuses(), ['ACTIVE', 'ERASING', 'ERASED']);

    await keys.deleteMany({});
    const refused = await run(made, 'restore', '--from', data, '--replace');
    assert.equal(refused.code, 2);
    assert.match(refused.output, /Nothing was changed: 2 of 2 customers have no key/);
    assert.deepEqual(await statuses(), ['ACTIVE', 'ERASING', 'ERASED']);

    assert.equal((await run(made, 'restore', '--customer-keys', '--from', oldKeys)).code, 0);
    assert.deepEqual(
      (await keys.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id),
      ['key-1', 'key-2'],
    );
  });

  it('keeps keys and data apart', async () => {
    await source.keys.collection<{ _id: string }>('subject_keys').insertOne({ _id: 'k' });
    const [data, keys] = [await backUp(source), await backUp(source, '--customer-keys')];
    assert.ok(!(await listFiles(data)).some((file) => file.includes('subject_keys')));
    const target = await install();
    assert.match(
      (await run(target, 'restore', '--from', keys)).output,
      /holds a back-up of customer-keys, not of data/,
    );
    assert.equal((await run(target, 'restore', '--customer-keys', '--from', keys)).code, 0);
    assert.equal(await target.keys.collection('subject_keys').countDocuments(), 1);
    assert.equal(await target.connection.collection('subject_keys').countDocuments(), 0);

    const { CUSTOMER_KEYS_MONGODB_URI: MONGODB_URI = '' } = source.env;
    const mixed = { ...source, env: { ...source.env, MONGODB_URI } };
    const folder = join(temporaryDirectory('backup'), 'mixed');
    assert.match((await run(mixed, 'backup', '--to', folder)).output, /no back-up may hold both/);
  });
});

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
