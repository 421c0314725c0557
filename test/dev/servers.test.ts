import assert from 'node:assert/strict';
import mongoose from 'mongoose';
import { checkTemporal } from '../../dev/stack/servers.ts';
import { useMongo, useObjectStore, useTemporal } from '../support/stack.ts';

describe('The servers of the tests', function () {
  this.timeout(60_000);

  it('MongoDB runs transactions', async () => {
    const client = new mongoose.mongo.MongoClient((await useMongo()).uri('servers-test'));
    try {
      const things = client.db().collection('things');
      await client.withSession((session) =>
        session.withTransaction(async () => {
          await things.insertOne({ name: 'a' }, { session });
        }),
      );
      assert.equal(await things.countDocuments(), 1);
    } finally {
      await client.close();
    }
  });

  it('the object store gives every caller a bucket of its own', async () => {
    const [first, second] = await Promise.all([useObjectStore(), useObjectStore()]);
    assert.equal(first.S3_ENDPOINT, second.S3_ENDPOINT);
    assert.notEqual(first.S3_BUCKET, second.S3_BUCKET);
  });

  it('Temporal knows the search attributes', async () => {
    await checkTemporal((await useTemporal()).address);
  });
});
