/** The keys of a documents worker: published before they sign, followed while it runs, and replaced without a pause. */
import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, randomUUID, verify } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import { KeyFileError, loadKeyFile } from '../../../../activities/tickets/signing/key-file.ts';
import { checkSigningConfig } from '../../../../activities/tickets/signing/signing-config.ts';
import { TICKET_KEYS } from '../../../../activities/tickets/signing/ticket-key-document.ts';
import { KeyNumberTakenError, TicketKeyStore } from '../../../../activities/tickets/signing/ticket-key-store.ts';
import { TicketKeys } from '../../../../activities/tickets/signing/ticket-keys.ts';
import { NoTicketKeyError } from '../../../../activities/tickets/signing/ticket-signer.ts';
import { ensureTicketKeys } from '../../../../dev/stack/ticket-keys.ts';
import { addKey, retireKey, withdrawKey } from '../../../../ops/ticket-keys/key-file-writer.ts';
import { ConfigError } from '../../../../platform/config.ts';
import { connectMongo } from '../../../../platform/mongo/mongo.ts';
import { DAY_MS } from '../../../../workflows/shared/spans.ts';
import { silentLog } from '../../../api/support/parcels.ts';
import { temporaryDirectory } from '../../../support/folders.ts';
import { useMongo } from '../../../support/stack.ts';

const ISSUER = 1185;
const BYTES = Buffer.from('a ticket');

describe('The ticket signing keys of a worker', () => {
  let connection: Connection;
  let store: TicketKeyStore;
  let path: string;
  let now: Date;
  let opened: TicketKeys[];

  beforeEach(async () => {
    connection = await connectMongo((await useMongo()).uri(`ticket_keys_${randomUUID()}`));
    store = new TicketKeyStore(connection);
    path = join(temporaryDirectory('ticket-keys'), 'keys.json');
    now = new Date('2026-11-24T12:00:00Z');
    opened = [];
  });
  afterEach(async () => {
    for (const each of opened) each.close();
    await connection.dropDatabase();
    await connection.close();
  });

  const add = (signDays = 365) => addKey(path, { issuerCode: ISSUER, from: now, signDays });
  const open = async (environment = 'production') => {
    const keys = await TicketKeys.open({ path, environment, store, log: silentLog, now: () => now });
    opened.push(keys);
    return keys;
  };
  const pass = (days: number) => {
    now = new Date(now.getTime() + days * DAY_MS);
  };
  const publicKeyOf = async (keyId: number) => {
    const der = (await store.list()).find((key) => key.keyId === keyId)?.publicKeyDer ?? assert.fail(`no key ${keyId}`);
    return createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' });
  };

  it('are published before they sign, and verify what they have signed', async () => {
    const { validFrom, validTo } = add();
    const key = (await open()).current(now);
    const [published, ...further] = await store.list();
    assert.deepEqual(further, []);
    assert.deepEqual(
      [published?.issuerCode, published?.keyId, published?.algorithm, published?.validFrom, published?.validTo],
      [ISSUER, 1, 'ECDSA_P256_SHA256', validFrom, validTo],
    );
    assert.ok(verify('sha256', BYTES, await publicKeyOf(1), await key.sign(BYTES)));
    assert.ok(!verify('sha256', Buffer.from('another'), await publicKeyOf(1), await key.sign(BYTES)));
  });

  it('follow their file without a restart: the next key is published at once, and signs when devices know it', async () => {
    add();
    const keys = await open();
    pass(300);
    add();
    assert.equal((await store.list()).length, 1);
    await keys.follow();
    assert.equal((await store.list()).length, 2);
    assert.equal(keys.current(now).keyId, 1);
    pass(1);
    assert.equal(keys.current(now).keyId, 2);
    assert.ok(verify('sha256', BYTES, await publicKeyOf(2), await keys.current(now).sign(BYTES)));
  });

  it('verify tickets after their private half was destroyed', async () => {
    add();
    const keys = await open();
    const signature = await keys.current(now).sign(BYTES);
    pass(300);
    add();
    retireKey(path, 1);
    assert.deepEqual(readdirSync(join(path, '..')).sort(), ['keys.json', 'ticket-key-2.pem']);
    await keys.follow();
    assert.equal(keys.current(now).keyId, 2);
    assert.deepEqual(
      keys.published.map(({ keyId }) => keyId),
      [1, 2],
    );
    assert.ok(verify('sha256', BYTES, await publicKeyOf(1), signature));
    await open();
  });

  it('are told from those that others have put into the database', async () => {
    add();
    const keys = await open();
    await keys.follow();
    assert.deepEqual(keys.foreign, []);
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const forged = { keyId: 9, publicKeyDer: publicKey.export({ format: 'der', type: 'spki' }) };
    const validity = { validFrom: now, validTo: new Date(now.getTime() + DAY_MS) };
    await store.publish({ issuerCode: ISSUER, ...forged, ...validity }, now);
    await keys.follow();
    assert.deepEqual(keys.foreign, [9]);
    assert.deepEqual(
      keys.published.map(({ keyId }) => keyId),
      [1],
    );
    pass(1);
    await keys.follow();
    assert.deepEqual(keys.foreign, []);
  });

  it('stay published when they have left the file', async () => {
    add();
    await open();
    writeFileSync(path, JSON.stringify({ issuerCode: ISSUER, keys: [] }));
    const keys = await open();
    assert.throws(() => keys.current(now), NoTicketKeyError);
    assert.equal((await store.list()).length, 1);
  });

  it('are withdrawn for every device by their published end', async () => {
    add();
    const keys = await open();
    withdrawKey(path, 1, now);
    await keys.follow();
    assert.deepEqual((await store.list())[0]?.validTo, now);
    assert.throws(() => keys.current(now), NoTicketKeyError);
  });

  it('are published again where a restored database has lost them, or their withdrawal', async () => {
    add();
    pass(1);
    add();
    const keys = await open();
    withdrawKey(path, 1, now);
    await keys.follow();
    const before = await store.list();
    const collection = TICKET_KEYS.open(connection);
    await collection.updateOne({ keyId: 1 }, { $set: { validTo: new Date(now.getTime() + DAY_MS) } });
    await collection.deleteOne({ keyId: 2 });
    await keys.follow();
    assert.deepEqual(await store.list(), before);
  });

  it('are the same in workers whose files have them begin at different times', async () => {
    add();
    const keys = await open();
    const [published = assert.fail()] = await store.list();
    const validFrom = new Date(published.validFrom.getTime() - DAY_MS);
    await store.publish({ ...published, validFrom }, now);
    await keys.refresh();
    assert.deepEqual(keys.published[0]?.validFrom, validFrom);
  });

  it('are told where the database has another key under their number', async () => {
    add();
    const keys = await open();
    await TICKET_KEYS.open(connection).updateOne({ keyId: 1 }, { $set: { publicKeyDer: Buffer.from('x') as never } });
    await keys.refresh();
    assert.deepEqual(keys.foreign, [1]);
  });

  it('go on signing when their file has become unusable, until it is mended', async () => {
    add();
    const keys = await open();
    const good = readFileSync(path, 'utf8');
    for (const bad of ['{', '{"issuerCode": 0, "keys": []}', good.replace('ticket-key-1', 'ticket-key-9')]) {
      writeFileSync(path, bad);
      await keys.follow();
      assert.equal(keys.isSound, false);
      assert.equal(keys.current(now).keyId, 1);
    }
    writeFileSync(path, good);
    await keys.follow();
    assert.equal(keys.isSound, true);
  });

  it('are published once by workers that start together', async () => {
    add();
    await Promise.all(Array.from({ length: 8 }, async () => await open()));
    assert.equal((await store.list()).length, 1);
  });

  it('refuse a number that another key has had', async () => {
    add();
    await open();
    const pem = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type: 'pkcs8' });
    writeFileSync(join(path, '..', 'ticket-key-1.pem'), pem);
    const before = await store.list();
    await assert.rejects(open(), KeyNumberTakenError);
    assert.deepEqual(await store.list(), before);
  });

  it('are no others than keys on P-256 in PEM', async () => {
    add();
    const other = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({
      format: 'pem',
      type: 'pkcs8',
    });
    for (const pem of [other, 'no key']) {
      writeFileSync(join(path, '..', 'ticket-key-1.pem'), pem);
      await assert.rejects(open(), KeyFileError);
    }
    assert.deepEqual(await store.list(), []);
  });

  describe('outside development', () => {
    it('are none that a local stack or a test has made', () => {
      const made = ensureTicketKeys(temporaryDirectory('ticket-keys'));
      for (const ENVIRONMENT of ['production', 'staging']) {
        assert.throws(() => checkSigningConfig({ TICKET_SIGNING_KEYS: made, ENVIRONMENT }), ConfigError);
      }
      checkSigningConfig({ TICKET_SIGNING_KEYS: made, ENVIRONMENT: 'development' });
    });

    it('are none that everybody on the machine can read', () => {
      add();
      loadKeyFile(path, 'production');
      chmodSync(join(path, '..', 'ticket-key-1.pem'), 0o644);
      assert.throws(() => loadKeyFile(path, 'production'), /everybody on this machine may read/);
      loadKeyFile(path, 'development');
    });
  });

  it('are in a file whose faults are named, and whose keys are not', () => {
    add();
    const good = JSON.parse(readFileSync(path, 'utf8'));
    const faults: readonly [object, RegExp][] = [
      [{ issuerCode: 40_000 }, /issuerCode/],
      [{ keys: [good.keys[0], good.keys[0]] }, /two keys have one keyId/],
      [{ keys: [{ ...good.keys[0], validTo: good.keys[0].validFrom }] }, /ends before it begins/],
      [{ keys: [{ ...good.keys[0], keyId: 100_000 }] }, /keys/],
      [{ unknown: 1 }, /Unrecognized key/],
    ];
    for (const [fault, message] of faults) {
      writeFileSync(path, JSON.stringify({ ...good, ...fault }));
      assert.throws(() => loadKeyFile(path, 'production'), message);
    }
  });
});
