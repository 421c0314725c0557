/**
 * Tests how wrong credentials are counted by client and by address: within a window, and exactly under simultaneous
 * requests.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { ClientFailures, FAILURE_WINDOW_MS } from '../../../activities/auth/client-failures.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { useMongo } from '../../support/stack.ts';

const LIMITS = { perClient: 3, perAddress: 5 };

describe('failures of clients', () => {
  let connection: Connection;
  let now: Date;
  let failures: ClientFailures;
  before(async () => {
    connection = await connectMongo((await useMongo()).uri(`failures-${randomUUID().slice(0, 8)}`));
  });
  beforeEach(async () => {
    await connection.dropDatabase();
    now = new Date();
    failures = new ClientFailures({ connection, limits: LIMITS, now: () => now });
    await failures.ensureIndexes();
  });
  after(async () => {
    await connection.dropDatabase();
    await connection.close();
  });

  it('reach the limit of a client from any addresses, and return until when', async () => {
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      assert.equal((await failures.read('partner', address)).clientFullSeconds, undefined);
      await failures.record('partner', address, true);
    }
    now = new Date(now.getTime() + 60_000);
    const counts = await failures.read('partner', '192.0.2.9');
    const seconds = (FAILURE_WINDOW_MS - 60_000) / 1_000;
    assert.deepEqual(counts, { addressFailures: 0, clientFullSeconds: seconds, addressFullSeconds: undefined });
    now = new Date(now.getTime() + FAILURE_WINDOW_MS);
    assert.equal((await failures.read('partner', '192.0.2.9')).clientFullSeconds, undefined);
  });

  it('reach the limit of an address with any clients', async () => {
    for (let count = 0; count < 5; count += 1) await failures.record(`partner-${count}`, '192.0.2.1', true);
    const counts = await failures.read('another', '192.0.2.1');
    assert.deepEqual([counts.addressFailures, counts.addressFullSeconds], [5, FAILURE_WINDOW_MS / 1_000]);
  });

  it('return the counts before each failure, also to simultaneous ones', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => await failures.record('partner', `192.0.2.${index}`, true)),
    );
    assert.equal(answers.filter(({ clientFullSeconds }) => clientFullSeconds === undefined).length, 3);
  });

  it('write the same documents without the increment', async () => {
    await failures.record('partner', '192.0.2.1', false);
    assert.equal(await connection.collection('client_failures').countDocuments(), 2);
    assert.equal((await failures.read('partner', '192.0.2.1')).addressFailures, 0);
  });

  it('take bounded memory for any client id and any number of failures', async () => {
    for (let count = 0; count < 20; count += 1) await failures.record('x'.repeat(255), '192.0.2.1', true);
    const kept = await connection.collection<{ _id: string; failures: Date[] }>('client_failures').find().toArray();
    assert.deepEqual(kept.map((each) => each.failures.length).toSorted(), [3, 5]);
    for (const { _id } of kept) assert.ok(_id.length < 60, _id);
  });
});
