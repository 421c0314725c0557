/**
 * Tests clients on a real database: secrets are never stored, a client has at most two, repeated and simultaneous
 * writes are harmless.
 */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { ClientAuthentication } from '../../../activities/auth/client-authentication.ts';
import { ClientStore, type EnsuredClient } from '../../../activities/auth/client-store.ts';
import { DISABLED_KEPT_MS } from '../../../activities/auth/disabled-list.ts';
import { DisabledListStore } from '../../../activities/auth/disabled-list-store.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { makeDisabledList } from '../../support/disabled-list.ts';
import { useMongo } from '../../support/stack.ts';

const RIGHTS = { name: 'Partner', organisationId: 1, codespaces: ['dem'], scopes: ['orders:read'] };
const CLIENT: EnsuredClient = { client_id: 'partner-1', client_secret: 'the-secret', ...RIGHTS };
const HOUR_MS = 3_600_000;

describe('clients', () => {
  const secretKey = randomBytes(32);
  let connection: Connection;
  let now: Date;
  let clients: ClientStore;

  before(async () => {
    connection = await connectMongo((await useMongo()).uri(`clients-${randomUUID().slice(0, 8)}`));
  });
  beforeEach(async () => {
    await connection.dropDatabase();
    now = new Date();
    clients = new ClientStore(connection, secretKey, () => now);
    await clients.ensureIndexes();
    await makeDisabledList(connection, secretKey);
  });
  after(async () => {
    await connection.dropDatabase();
    await connection.close();
  });

  const refusalOf = async (clientId: string, secret: string, key = secretKey) => {
    const authentication = new ClientAuthentication({
      connection,
      secretKey: key,
      now: () => now,
      limits: { perClient: 100, perAddress: 100 },
      audience: { issuer: 'https://auth.test', tokenEndpoint: 'https://auth.test/oauth/token' },
    });
    const outcome = await authentication.authenticate(clientId, { secret }, '192.0.2.1');
    return 'refusal' in outcome ? outcome.refusal : 'none';
  };
  const codeOf = async (action: Promise<unknown>) =>
    await action.then(
      () => 'done',
      (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
    );

  it('are made and changed alike, also twice at once', async () => {
    await Promise.all(Array.from({ length: 10 }, async () => await clients.ensureClient(CLIENT)));
    assert.equal((await clients.list(1, 10)).totalItems, 1);
    const { clientId, name, organisationId, codespaces, scopes } = await clients.get('partner-1');
    assert.deepEqual({ clientId, name, organisationId, codespaces, scopes }, { clientId: 'partner-1', ...RIGHTS });
    await clients.ensureClient({ ...CLIENT, client_secret: 'new', scopes: [] });
    assert.equal(await refusalOf('partner-1', 'the-secret'), 'wrong secret');
    assert.equal(await refusalOf('partner-1', 'new'), 'none');
  });

  it('log the reason of a refusal without returning it', async () => {
    await clients.ensureClient(CLIENT);
    assert.equal(await refusalOf('nobody', 'the-secret'), 'unknown client');
    assert.equal(await refusalOf('nobody', ''), 'unknown client');
    assert.equal(await refusalOf('partner-1', ''), 'wrong secret');
    await clients.disable('partner-1');
    assert.equal(await refusalOf('partner-1', 'the-secret'), 'disabled client');
    assert.equal(await refusalOf('partner-1', 'no'), 'wrong secret');
    await clients.enable('partner-1');
    assert.equal(await refusalOf('partner-1', 'the-secret'), 'none');
  });

  it('store neither a secret nor a hash that can be tested without the server key', async () => {
    const { client, secret } = await clients.create(RIGHTS);
    await clients.addSecret(client.clientId, 60);
    assert.ok(!JSON.stringify(await connection.collection('clients').find().toArray()).includes(secret));
    assert.equal(await refusalOf(client.clientId, secret, randomBytes(32)), 'untrusted client');
    assert.equal(Buffer.from(secret, 'base64url').length, 32);
  });

  it('have two live secrets while one replaces the other, and the old one ends with the overlap', async () => {
    const { client, secret: first } = await clients.create(RIGHTS);
    const { secret: second } = await clients.addSecret(client.clientId, 3_600);
    assert.deepEqual(
      [await refusalOf(client.clientId, first), await refusalOf(client.clientId, second)],
      ['none', 'none'],
    );
    const [old, young] = (await clients.get(client.clientId)).secrets;
    assert.equal(old?.expiresAt?.getTime(), now.getTime() + HOUR_MS);
    assert.equal(young?.expiresAt, undefined);
    now = new Date(now.getTime() + HOUR_MS);
    assert.equal(await refusalOf(client.clientId, first), 'wrong secret');
    assert.equal(await refusalOf(client.clientId, second), 'none');
    assert.equal((await clients.get(client.clientId)).secrets.length, 1);
    await clients.addSecret(client.clientId, 3_600);
    assert.equal((await clients.get(client.clientId)).secrets.length, 2);
  });

  it('never have three, also under simultaneous requests', async () => {
    const { client, secret } = await clients.create(RIGHTS);
    const answers = Array.from({ length: 10 }, async () => await codeOf(clients.addSecret(client.clientId, 60)));
    const codes = await Promise.all(answers);
    assert.deepEqual(codes.toSorted(), [...Array(9).fill('INVALID_STATE'), 'done']);
    assert.equal((await clients.get(client.clientId)).secrets.length, 2);
    assert.equal(await refusalOf(client.clientId, secret), 'none');
  });

  it('lose a secret at once, also the last one', async () => {
    const { client, secretId, secret } = await clients.create(RIGHTS);
    const added = await clients.addSecret(client.clientId, 60);
    await clients.removeSecret(client.clientId, secretId);
    assert.equal(await refusalOf(client.clientId, secret), 'wrong secret');
    assert.equal(await refusalOf(client.clientId, added.secret), 'none');
    assert.equal(await codeOf(clients.removeSecret(client.clientId, secretId)), 'NOT_FOUND');
    await clients.removeSecret(client.clientId, added.secretId);
    assert.equal(await refusalOf(client.clientId, added.secret), 'wrong secret');
  });

  it('are absent once deleted, and keep their id until their last token has expired', async () => {
    const { client, secret } = await clients.create(RIGHTS);
    await clients.delete(client.clientId);
    assert.equal(await refusalOf(client.clientId, secret), 'unknown client');
    const [kept] = await connection.collection('clients').find().toArray();
    const removeAt = new Date(now.getTime() + DISABLED_KEPT_MS);
    const kit = { revision: 2, sequence: 0, outbox: [], creationId: client.clientId };
    const instants = { deletedAt: now, disabledAt: now, removeAt };
    assert.deepEqual(kept, { _id: client.clientId, ...kit, secrets: [], ...instants });
    assert.equal((await clients.list(1, 10)).totalItems, 0);
    const actions = [
      clients.get(client.clientId),
      clients.addSecret(client.clientId, 60),
      clients.removeSecret(client.clientId, randomUUID()),
      clients.setJwks(client.clientId, []),
      clients.disable(client.clientId),
      clients.enable(client.clientId),
      clients.delete(client.clientId),
    ];
    assert.deepEqual(new Set(await Promise.all(actions.map(codeOf))), new Set(['NOT_FOUND']));
  });

  it('may be made again by the local stack after deletion', async () => {
    await clients.ensureClient(CLIENT);
    await clients.delete('partner-1');
    await Promise.all([clients.ensureClient(CLIENT), clients.ensureClient(CLIENT)]);
    const { createdAt, disabledAt } = await clients.get('partner-1');
    assert.deepEqual([createdAt, disabledAt], [now, undefined]);
    assert.equal(await refusalOf('partner-1', 'the-secret'), 'none');
  });

  it('leave the list of disabled clients when made again, also after a first try that ended before the list', async () => {
    await clients.ensureClient(CLIENT);
    await clients.disable('partner-1');
    await connection
      .collection<{ _id: string }>('clients')
      .updateOne({ _id: 'partner-1' }, { $unset: { disabledAt: 1 } });
    await clients.ensureClient(CLIENT);
    assert.equal(await new DisabledListStore(connection, secretKey).lists('partner-1'), false);
  });

  it('keep every one of many simultaneous changes', async () => {
    const { client, secretId } = await clients.create(RIGHTS);
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: 'x' };
    await Promise.all([
      clients.addSecret(client.clientId, 60),
      clients.setJwks(client.clientId, [jwk]),
      clients.disable(client.clientId),
      clients.removeSecret(client.clientId, secretId),
    ]);
    const { secrets, jwks, disabledAt } = await clients.get(client.clientId);
    assert.deepEqual([secrets.length, jwks, disabledAt], [1, [jwk], now]);
  });

  it('remember when they were disabled first', async () => {
    const { client } = await clients.create(RIGHTS);
    const { disabledAt } = await clients.disable(client.clientId);
    now = new Date(now.getTime() + HOUR_MS);
    assert.deepEqual((await clients.disable(client.clientId)).disabledAt, disabledAt);
  });

  it('are listed by pages, oldest first', async () => {
    const made = [];
    for (let count = 0; count < 5; count += 1) {
      now = new Date(now.getTime() + 1);
      made.push((await clients.create(RIGHTS)).client.clientId);
    }
    const pages = await Promise.all([1, 2, 3].map((page) => clients.list(page, 2)));
    assert.deepEqual(
      pages.flatMap(({ items }) => items.map(({ clientId }) => clientId)),
      made,
    );
    assert.equal(pages[0]?.totalItems, 5);
  });
});
