import assert from 'node:assert/strict';
import mongoose from 'mongoose';
import { checkTemporal } from '../../dev/stack/servers.ts';
import { useMongo, useObjectStore, useTemporal } from '../support/stack.ts';

describe('The servers of the tests', () => {
  it('include MongoDB with transactions', async () => {
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

  it('include a database that runs no script of a query', async () => {
    const client = new mongoose.mongo.MongoClient((await useMongo()).uri('servers-test'));
    try {
      const things = client.db().collection('things');
      const script = { $function: { body: 'function () { return true; }', args: [], lang: 'js' } };
      for (const filter of [{ $where: 'true' }, { $expr: script }]) {
        await assert.rejects(things.find(filter).toArray(), /no globalScriptEngine|without the javascript engine/);
      }
    } finally {
      await client.close();
    }
  });

  it('include an object store with a separate bucket for each caller', async () => {
    const [first, second] = await Promise.all([useObjectStore(), useObjectStore()]);
    assert.equal(first.S3_ENDPOINT, second.S3_ENDPOINT);
    assert.notEqual(first.S3_BUCKET, second.S3_BUCKET);
  });

  it('include Temporal with the search attributes', async () => {
    await checkTemporal((await useTemporal()).address);
  });
});
