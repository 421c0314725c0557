/**
 * Prepares a database server with logins and an object store for the accounts of an installation, again and again, and tries
 * these accounts.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import mongoose, { type mongo } from 'mongoose';
import { IMPORTS } from '../../activities/timetable/import-model.ts';
import { type Child, Children } from '../../dev/stack/children.ts';
import { freePort } from '../../dev/stack/ports.ts';
import * as servers from '../../dev/stack/servers.ts';
import { waitUntilReady } from '../../dev/stack/wait.ts';
import { accountPasswords, withPasswords } from '../../docker/jobs/accounts.ts';
import { sealForMinio } from '../../ops/privileges/minio-users.ts';
import { prepareBucket } from '../../ops/privileges/prepare-bucket.ts';
import { type DatabaseUser, makeIndexes, putUsers } from '../../ops/privileges/prepare-database.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { RESTORE_MARK } from '../../platform/mongo/restore-mark.ts';
import { ObjectMissingError, ObjectStore } from '../../platform/object-store/object-store.ts';
import { toBucketPolicy } from '../../platform/privileges/bucket-policy.ts';
import { toDatabasePrivileges } from '../../platform/privileges/database-privileges.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { useObjectStore } from '../support/stack.ts';

const START_TIMEOUT_MS = 60_000;
const DATABASE = 'samferd';
const text = (words: string): Uint8Array => new TextEncoder().encode(words);

describe('a database server with logins', () => {
  const children = new Children();
  const directory = temporaryDirectory('with-logins');
  const key = randomBytes(32).toString('base64');
  let port = 0;
  let child: Child;
  let admin: mongo.MongoClient;

  const start = (keyFile?: string): Child =>
    children.start({
      ...servers.mongodOptions({ port, directory, cacheSizeGb: 0.25, ...(keyFile && { keyFile }) }),
      logFile: join(temporaryDirectory('with-logins-log'), 'mongod.log'),
    });
  const connect = async (user: string, password: string): Promise<mongo.MongoClient> =>
    await mongoose.mongo.MongoClient.connect(servers.mongoUri(port, DATABASE, { user, password, database: DATABASE }));
  const userWith = (name: string, password: string): DatabaseUser => ({
    name,
    password,
    privileges: toDatabasePrivileges(DATABASE, new Map([['parcels', new Set(['find'] as const)]])),
  });

  before(async () => {
    port = await freePort();
    child = start();
    await waitUntilReady(child, () => servers.initiateReplicaSet(port), START_TIMEOUT_MS);
  });
  after(async () => {
    await admin?.close();
    await children.stopAll(0);
  });

  it('keeps the data of a server without logins', async () => {
    const open = await mongoose.mongo.MongoClient.connect(servers.mongoUri(port, DATABASE));
    await open.db().collection('parcels').insertOne({ label: 'kept' });
    await open.close();
    await child.stop(10_000);
    const keyFile = join(temporaryDirectory('key'), 'mongodb.key');
    writeFileSync(keyFile, key, { mode: 0o400 });
    child = start(keyFile);
    await waitUntilReady(child, () => servers.initiateReplicaSet(port, key), START_TIMEOUT_MS);
    admin = await mongoose.mongo.MongoClient.connect(servers.mongoUri(port, DATABASE, servers.systemLogin(key)));
    assert.equal(await admin.db().collection('parcels').countDocuments(), 1);
  });

  it('answers nobody without a login', async () => {
    const open = await mongoose.mongo.MongoClient.connect(servers.mongoUri(port, DATABASE));
    await assert.rejects(open.db().collection('parcels').findOne(), /requires authentication|not authorized/);
    await open.close();
  });

  it('gives users their rights and the newest password, and removes users of earlier releases', async () => {
    const db = admin.db(DATABASE);
    await db.command({ createUser: 'samferd', pwd: 'of-an-earlier-release', roles: ['readWrite'] });
    await putUsers(db, [userWith('reader', 'first')]);
    await putUsers(db, [userWith('reader', 'second')]);
    await assert.rejects(connect('reader', 'first'), /Authentication failed/);
    await assert.rejects(connect('samferd', 'of-an-earlier-release'), /Authentication failed/);
    const reader = await connect('reader', 'second');
    const parcels = reader.db().collection('parcels');
    assert.equal(await parcels.countDocuments(), 1);
    await assert.rejects(parcels.insertOne({ label: 'new' }), /not authorized/);
    await assert.rejects(reader.db().collection('others').findOne(), /not authorized/);
    await reader.close();
  });

  it('is used by a login that may not make indexes where all exist, and else says what to do', async () => {
    const reading = toDatabasePrivileges(
      DATABASE,
      new Map([IMPORTS.collection, RESTORE_MARK].map((name) => [name, new Set(['find'] as const)])),
    );
    await putUsers(admin.db(DATABASE), [{ name: 'starter', password: 'third', privileges: reading }]);
    const login = { user: 'starter', password: 'third', database: DATABASE };
    const connection = await connectMongo(servers.mongoUri(port, DATABASE, login));
    await assert.rejects(IMPORTS.ensureIndexes(connection), /lacks the indexes .*newest_first.* run the job/);
    await makeIndexes(admin.db(DATABASE), 'data');
    await IMPORTS.ensureIndexes(connection);
    await connection.close();
  });

  it('gets the indexes of all areas, also when they are made repeatedly', async () => {
    const db = admin.db(DATABASE);
    for (const _ of [1, 2]) await makeIndexes(db, 'data');
    const names = (await db.collection('timetable_imports').indexes()).map(({ name }) => name);
    for (const name of ['newest_first', 'outbox']) assert.ok(names.includes(name), name);
    assert.deepEqual(await db.listCollections({ name: 'subject_keys' }).toArray(), []);
  });
});

describe('an object store with users', () => {
  it('gives each its rights and its newest secret', async () => {
    const root = await useObjectStore();
    const policy = toBucketPolicy(root.S3_BUCKET, new Map([['planner/', new Set(['get'] as const)]]));
    const name = `reader-${randomBytes(4).toString('hex')}`;
    for (const secret of ['the-first-secret', 'the-second-secret'])
      await prepareBucket(root, [{ name, secret, policy }]);
    const [own, old] = ['the-second-secret', 'the-first-secret'].map((secret) =>
      ObjectStore.connect({ ...root, S3_ACCESS_KEY_ID: name, S3_SECRET_ACCESS_KEY: secret }),
    );
    const admin = ObjectStore.connect(root);
    await admin.put('planner/a', text('snapshot'), 'text/plain');
    await admin.put('uploads/a', text('archive'), 'text/plain');
    assert.deepEqual(await own?.getRange('planner/a', 0, 8), text('snapshot'));
    await own?.ping();
    await assert.rejects(async () => await own?.get('planner/none'), ObjectMissingError);
    const refused = { $metadata: { httpStatusCode: 403 } };
    const isRefused = (error: unknown) => (error as typeof refused).$metadata.httpStatusCode === 403;
    await assert.rejects(async () => await own?.get('uploads/a'), isRefused);
    await assert.rejects(async () => await own?.put('planner/a', text('other'), 'text/plain'), isRefused);
    await assert.rejects(async () => await own?.delete('planner/a'), isRefused);
    await assert.rejects(async () => await old?.get('planner/a'), isRefused);
    for (const each of [own, old, admin]) each?.close();
  });

  it('reports why it refuses a policy', async () => {
    const root = await useObjectStore();
    const policy = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: ['s3:Nothing'], Resource: ['x'] }] };
    await assert.rejects(
      prepareBucket(root, [{ name: 'reader', secret: 'a-long-secret', policy: policy as never }]),
      /The object store refused add-canned-policy with 400/,
    );
  });

  it('seals each secret differently, and none that is too long', () => {
    const sealed = [1, 2].map(() => sealForMinio('password', Buffer.from('secret')).toString('hex'));
    assert.notEqual(sealed[0], sealed[1]);
    assert.throws(() => sealForMinio('password', Buffer.alloc(20_000)), RangeError);
  });
});

describe('the passwords of accounts', () => {
  it('are read from one variable', () => {
    assert.deepEqual(
      [...accountPasswords.parse('api=a1=2 auth=b')],
      [
        ['api', 'a1=2'],
        ['auth', 'b'],
      ],
    );
    for (const wrong of ['api', 'api=', 'api=a api=b', '=a']) assert.throws(() => accountPasswords.parse(wrong), wrong);
  });

  it('belong to the accounts that there are, one each', () => {
    const accounts = [{ name: 'api' }];
    assert.deepEqual(withPasswords(accounts, new Map([['api', 'a']])), [{ name: 'api', password: 'a' }]);
    assert.throws(() => withPasswords(accounts, new Map()), /The account api has no password/);
    const others = new Map([
      ['api', 'a'],
      ['guest', 'b'],
    ]);
    assert.throws(() => withPasswords(accounts, others), /No process or command needs an account named guest/);
  });
});
