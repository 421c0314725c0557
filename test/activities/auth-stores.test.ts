/** Tests signing keys on a real database: simultaneous starts make one key, and its private part is stored sealed. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Connection } from 'mongoose';
import { ringOf } from '../../activities/auth/signing-key-sealing.ts';
import { SigningKeyStore } from '../../activities/auth/signing-key-store.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { useMongo } from '../support/stack.ts';

describe('stores of the authentication server', () => {
  const encryptionKey = randomBytes(32);
  let connections: Connection[];
  let connection: Connection;

  before(async () => {
    const { uri } = await useMongo();
    connections = await Promise.all([1, 2, 3, 4].map(async () => await connectMongo(uri('auth-stores'))));
    [connection] = connections as [Connection];
  });
  beforeEach(async () => {
    await connection.dropDatabase();
  });
  after(async () => {
    await Promise.all(connections.map(async (each) => await each.close()));
  });

  function keysOn(on: Connection, key: Uint8Array = encryptionKey): SigningKeyStore {
    return new SigningKeyStore({ connection: on, encryptionKeys: ringOf(key) });
  }

  async function startKeys(on: Connection) {
    const store = keysOn(on);
    await store.ensureIndexes();
    return await store.getSigningKey();
  }

  it('makes one signing key when four processes start together', async () => {
    const keys = await Promise.all(connections.map(startKeys));
    assert.equal(new Set(keys.map((key) => key.kid)).size, 1);
    assert.equal((await keysOn(connection).listPublicKeys()).length, 1);
  });

  it('would make several without the index', async () => {
    await Promise.all(connections.map(async (each) => await keysOn(each).getSigningKey()));
    assert.ok((await keysOn(connection).listPublicKeys()).length > 1);
  });

  it('finds the same key after a restart', async () => {
    assert.equal((await startKeys(connection)).kid, (await startKeys(connection)).kid);
  });

  it('stores the private part only encrypted, bound to its key id', async () => {
    const { kid, privateKey } = await startKeys(connection);
    const text = JSON.stringify(await connection.collection('signing_keys').find().toArray());
    const { d, p } = privateKey.export({ format: 'jwk' });
    assert.ok(!text.includes(String(d)) && !text.includes(String(p)));
    assert.ok(!text.includes(privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64').slice(40, 80)));
    const stranger = keysOn(connection, randomBytes(32));
    await assert.rejects(stranger.getSigningKey(), /KEY_ENCRYPTION_KEY/);
    const collection = connection.collection<{ _id: string }>('signing_keys');
    const document = await collection.findOne({ _id: kid });
    await collection.deleteOne({ _id: kid });
    await collection.insertOne({ ...document, _id: 'another' });
    await assert.rejects(startKeys(connection), /KEY_ENCRYPTION_KEY/);
  });
});
