/**
 * Tests an attacker who can write to the database, but has no key of the server. The server must publish no such
 * signing key and accept no such client.
 */
import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK } from 'jose';
import type { Connection } from 'mongoose';
import { ClientAuthentication } from '../../../activities/auth/client-authentication.ts';
import { ClientStore, type EnsuredClient } from '../../../activities/auth/client-store.ts';
import { SigningKeyRotationStore } from '../../../activities/auth/signing-key-rotation-store.ts';
import { parseKeyEncryptionKeys, ringOf } from '../../../activities/auth/signing-key-sealing.ts';
import { SigningKeyStore } from '../../../activities/auth/signing-key-store.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { makeDisabledList } from '../../support/disabled-list.ts';
import { useMongo } from '../../support/stack.ts';
import { earlierKeyDocument } from './earlier-key.ts';

const RIGHTS = { name: 'Partner', organisationId: 1, codespaces: ['dem'], scopes: ['orders:read'] };
const CLIENT: EnsuredClient = { client_id: 'partner-1', client_secret: 'the-secret', ...RIGHTS };

describe('records that were written without a key of the server', () => {
  const encryptionKey = randomBytes(32);
  const secretKey = randomBytes(32);
  let connection: Connection;

  before(async () => {
    connection = await connectMongo((await useMongo()).uri(`untrusted-${randomUUID().slice(0, 8)}`));
  });
  beforeEach(async () => {
    await connection.dropDatabase();
    await rotation().ensureIndexes();
    await makeDisabledList(connection, secretKey);
  });
  after(async () => {
    await connection.dropDatabase();
    await connection.close();
  });
  const rotation = (ring = ringOf(encryptionKey)) => new SigningKeyRotationStore({ connection, encryptionKeys: ring });
  const keys = (ring = ringOf(encryptionKey)) => new SigningKeyStore({ connection, encryptionKeys: ring });
  const keyDocuments = () => connection.collection<{ _id: string }>('signing_keys');
  const publishedBy = async (store = keys()) => (await store.listPublicKeys()).map(({ kid }) => kid);

  async function makeForgedKey() {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const jwk = await exportJWK(createPublicKey(privateKey));
    const kid = await calculateJwkThumbprint(jwk);
    return { _id: kid, publicJwk: { ...jwk, kid, alg: 'RS256', use: 'sig' }, createdAt: new Date() };
  }

  describe('as signing keys', () => {
    it('are not published, and are reported', async () => {
      const { kid } = await keys().getSigningKey();
      const forged = await makeForgedKey();
      const own = await keyDocuments().findOne({ _id: kid });
      await keyDocuments().insertOne({ ...own, ...forged, state: 'RETIRING' } as never);
      const reported: (readonly string[])[] = [];
      const store = new SigningKeyStore({
        connection,
        encryptionKeys: ringOf(encryptionKey),
        onUntrusted: (kids) => reported.push(kids),
      });
      assert.deepEqual(await publishedBy(store), [kid]);
      assert.deepEqual(reported, [[forged._id]]);
      await store.checkRecords();
      assert.deepEqual(reported.at(-1), [forged._id]);
      await keyDocuments().deleteOne({ _id: forged._id });
      await store.checkRecords();
      assert.deepEqual(reported.at(-1), []);
    });

    it('are not published when the public part of an own key was replaced', async () => {
      const { kid } = await keys().getSigningKey();
      const { publicJwk } = await makeForgedKey();
      await keyDocuments().updateOne({ _id: kid }, { $set: { publicJwk: { ...publicJwk, kid } } });
      assert.deepEqual(await publishedBy(), []);
      await assert.rejects(keys().checkRecords(), /was not made by this service/);
      await assert.rejects(keys().adoptSigningKey(60), /was not made by this service/);
      await assert.rejects(keys().getSigningKey(), /was not made by this service/);
    });

    it('do not become the key that signs', async () => {
      const forged = await makeForgedKey();
      await keyDocuments().insertOne({ ...forged, state: 'NEXT' } as never);
      const { kid } = await keys().getSigningKey();
      assert.notEqual(kid, forged._id);
      assert.deepEqual(await publishedBy(), [kid]);
    });

    it('do not stop a rotation, which removes them', async () => {
      const { kid } = await keys().getSigningKey();
      const forged = await makeForgedKey();
      await keyDocuments().insertOne({ ...forged, state: 'NEXT' } as never);
      const next = await rotation().publishNext('november');
      assert.deepEqual(await publishedBy(), [kid, next.kid]);
      assert.equal(await keyDocuments().countDocuments({ _id: forged._id }), 0);
      assert.equal(await rotation().startSigning(next.kid, { atOnce: true }), 'SIGNS');
    });

    it('are not removed by a rotation that has another key than the service', async () => {
      await keys().getSigningKey();
      const { kid } = await rotation().publishNext('november');
      const other = rotation(ringOf(randomBytes(32)));
      await assert.rejects(other.publishNext('december'), /was not made by this service/);
      assert.equal(await keyDocuments().countDocuments({ _id: kid }), 1);
    });

    it('of an earlier release get their mark when the private part proves them', async () => {
      const earlier = await earlierKeyDocument(encryptionKey);
      const forged = await makeForgedKey();
      await keyDocuments().insertMany([earlier, { ...forged, state: 'RETIRING' }] as never);
      assert.deepEqual(await publishedBy(), []);
      await keys().markEarlierKeys();
      assert.deepEqual(await publishedBy(), [earlier._id]);
      assert.equal((await keys().adoptSigningKey(60)).kid, earlier._id);
    });

    it('stay trusted while KEY_ENCRYPTION_KEY is replaced, also those that retire', async () => {
      const key = (id: string, bytes: Uint8Array) => `${id}:${Buffer.from(bytes).toString('base64')}`;
      const old = parseKeyEncryptionKeys(key('old', encryptionKey));
      const recent = randomBytes(32);
      const both = parseKeyEncryptionKeys(`${key('recent', recent)},${key('old', encryptionKey)}`);
      const alone = parseKeyEncryptionKeys(key('recent', recent));
      const first = await keys(old).getSigningKey();
      const { kid } = await rotation(old).publishNext('november');
      await rotation(old).startSigning(kid, { atOnce: true });
      assert.equal(await rotation(both).resealKeys(), 2);
      assert.equal(await rotation(both).resealKeys(), 0);
      assert.deepEqual(new Set(await publishedBy(keys(alone))), new Set([first.kid, kid]));
    });
  });

  describe('as clients', () => {
    const clients = () => new ClientStore(connection, secretKey);
    const clientDocuments = () => connection.collection<{ _id: string }>('clients');
    const outcomeOf = async (clientId: string, secret: string) => {
      const authentication = new ClientAuthentication({
        connection,
        secretKey,
        limits: { perClient: 100, perAddress: 100 },
        audience: { issuer: 'https://auth.test', tokenEndpoint: 'https://auth.test/oauth/token' },
      });
      const outcome = await authentication.authenticate(clientId, { secret }, '192.0.2.1');
      return 'refusal' in outcome ? outcome.refusal : outcome.client.scopes.join(' ');
    };
    const codeOf = async (action: Promise<unknown>) =>
      await action.then(
        () => 'done',
        (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
      );
    beforeEach(async () => {
      await clients().ensureClient(CLIENT);
      assert.equal(await outcomeOf('partner-1', 'the-secret'), 'orders:read');
    });

    for (const [what, change] of [
      ['a scope', { $push: { scopes: 'clients:write' } }],
      ['a codespace', { $set: { codespaces: ['*'] } }],
      ['another organisation', { $set: { organisationId: 2 } }],
      ['a key', { $set: { jwks: [{ kty: 'OKP', crv: 'Ed25519', x: 'a' }] } }],
      ['a secret of another client', { $push: { secrets: { id: 'x', hash: 'ab', createdAt: new Date() } } }],
      ['no MAC', { $unset: { mac: 1 } }],
    ] as const) {
      it(`are refused with ${what}`, async () => {
        await clientDocuments().updateOne({ _id: 'partner-1' }, change as never);
        assert.equal(await outcomeOf('partner-1', 'the-secret'), 'untrusted client');
        assert.equal((await clients().get('partner-1')).isTrusted, false);
      });
    }

    it('are refused when they are a copy under another id, or enabled again', async () => {
      const found = await clientDocuments().findOne({ _id: 'partner-1' });
      await clientDocuments().insertOne({ ...found, _id: 'partner-2', creationId: 'two' } as never);
      assert.equal(await outcomeOf('partner-2', 'the-secret'), 'untrusted client');
      await clients().disable('partner-1');
      await clientDocuments().updateOne({ _id: 'partner-1' }, { $unset: { disabledAt: 1 } });
      assert.equal(await outcomeOf('partner-1', 'the-secret'), 'untrusted client');
    });

    it('cannot be changed, which would make them trusted, but deleted', async () => {
      await clientDocuments().updateOne({ _id: 'partner-1' }, { $push: { scopes: 'clients:write' } } as never);
      assert.equal(await codeOf(clients().addSecret('partner-1', 60)), 'INVALID_STATE');
      assert.equal(await codeOf(clients().setJwks('partner-1', [])), 'INVALID_STATE');
      assert.equal(await codeOf(clients().enable('partner-1')), 'INVALID_STATE');
      assert.equal(await codeOf(clients().disable('partner-1')), 'done');
      assert.equal(await outcomeOf('partner-1', 'the-secret'), 'untrusted client');
      assert.equal(await codeOf(clients().delete('partner-1')), 'done');
    });

    it('are trusted again when the operator has looked at their rights, with a new secret only', async () => {
      const thief = await clients().create(RIGHTS);
      const theirs = await clientDocuments().findOne({ _id: thief.client.clientId });
      const { secrets } = (theirs ?? assert.fail()) as unknown as { readonly secrets: readonly object[] };
      const jwks = [{ kty: 'OKP', crv: 'Ed25519', x: 'a' }];
      await clientDocuments().updateOne({ _id: 'partner-1' }, { $set: { secrets, jwks } as object });
      const { client, secret } = await clients().trust('partner-1');
      assert.deepEqual([client.isTrusted, client.jwks, client.secrets.length], [true, [], 1]);
      assert.equal(await outcomeOf('partner-1', secret), 'orders:read');
      assert.equal(await outcomeOf('partner-1', thief.secret), 'wrong secret');
      assert.equal(await outcomeOf('partner-1', 'the-secret'), 'wrong secret');
    });

    it('lose all that was added when they are given as a whole', async () => {
      const jwks = [{ kty: 'OKP', crv: 'Ed25519', x: 'a' }];
      await clientDocuments().updateOne({ _id: 'partner-1' }, { $set: { jwks, scopes: ['clients:write'] } });
      await clients().ensureClient(CLIENT);
      assert.equal(await outcomeOf('partner-1', 'the-secret'), 'orders:read');
      assert.deepEqual((await clients().get('partner-1')).jwks, []);
    });

    it('stay trusted through every change by the service', async () => {
      const { secret } = await clients().addSecret('partner-1', 60);
      await clients().setJwks('partner-1', []);
      await clients().disable('partner-1');
      await clients().enable('partner-1');
      assert.equal(await outcomeOf('partner-1', secret), 'orders:read');
      const made = await clients().create(RIGHTS);
      assert.equal(await outcomeOf(made.client.clientId, made.secret), 'orders:read');
    });
  });
});
