/** Ticket signing by a key of AWS KMS, which only signs. */
import assert from 'node:assert/strict';
import { createPublicKey, randomBytes, randomUUID, verify } from 'node:crypto';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import { KeyFileError } from '../../../../activities/tickets/signing/key-file.ts';
import { openKmsKey } from '../../../../activities/tickets/signing/kms-key.ts';
import { TicketKeyStore } from '../../../../activities/tickets/signing/ticket-key-store.ts';
import { TicketKeys } from '../../../../activities/tickets/signing/ticket-keys.ts';
import { addKey } from '../../../../ops/ticket-keys/key-file-writer.ts';
import { connectMongo } from '../../../../platform/mongo/mongo.ts';
import { silentLog } from '../../../api/support/parcels.ts';
import { temporaryDirectory } from '../../../support/folders.ts';
import { useMongo } from '../../../support/stack.ts';
import { KeyManagement } from './key-management.ts';

const P256 = { KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' } as const;
const LOGIN = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };

describe('Ticket signing by AWS KMS', () => {
  let kms: KeyManagement;
  let connection: Connection;
  const given = { ...process.env };

  before(async () => {
    kms = await KeyManagement.start();
    connection = await connectMongo((await useMongo()).uri(`kms_${randomUUID()}`));
    // As the environment of a worker has it.
    Object.assign(process.env, LOGIN);
  });
  after(async () => {
    for (const name of Object.keys(LOGIN)) {
      if (given[name] === undefined) delete process.env[name];
      else process.env[name] = given[name];
    }
    await kms?.stop();
    await connection?.dropDatabase();
    await connection?.close();
  });

  const openKeys = async (kmsKeyId: string) => {
    const path = join(temporaryDirectory('ticket-keys'), 'keys.json');
    addKey(path, { issuerCode: 1185, from: new Date(), signDays: 365, kms: { kmsKeyId, ...kms.place } });
    const store = new TicketKeyStore(connection);
    await connection.dropDatabase();
    return {
      store,
      open: async () => await TicketKeys.open({ path, environment: 'production', store, log: silentLog }),
    };
  };

  it('publishes its public half, by which signatures of any length verify', async () => {
    const { store, open } = await openKeys(await kms.createKey(P256));
    const keys = await open();
    const [published = assert.fail()] = await store.list();
    const publicKey = createPublicKey({ key: Buffer.from(published.publicKeyDer), format: 'der', type: 'spki' });
    // KMS itself takes 4,096 bytes at most.
    for (const bytes of [Buffer.from('a ticket'), randomBytes(5_000_000)]) {
      const signature = await keys.current(new Date()).sign(bytes);
      assert.ok(verify('sha256', bytes, publicKey, signature));
    }
    keys.close();
  });

  it('refuses keys that cannot sign tickets, and aliases', async () => {
    const others = [
      await kms.createKey({ KeySpec: 'ECC_NIST_P384', KeyUsage: 'SIGN_VERIFY' }),
      await kms.createKey({ KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY' }),
      'alias/tickets',
    ];
    for (const kmsKeyId of others) await assert.rejects(openKmsKey({ kmsKeyId, ...kms.place }), KeyFileError);
    await assert.rejects(openKmsKey({ kmsKeyId: randomUUID(), ...kms.place }));
  });

  it('fails while KMS cannot be reached', async () => {
    const key = await openKmsKey({ kmsKeyId: await kms.createKey(P256), ...kms.place });
    await kms.stop();
    await assert.rejects(async () => await key.sign?.(Buffer.from('a ticket')));
    key.close();
  });
});
