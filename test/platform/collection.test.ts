/** Tests declared collections on a real database: indexes, and the errors of refused writes. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import { connectMongo, isDuplicateKey, isOnlyDuplicateKeys, listRefusedWrites } from '../../platform/mongo/mongo.ts';
import { useMongo } from '../support/stack.ts';

interface Parcel {
  readonly _id: string;
  readonly label: string;
  readonly weight?: number;
}

const PARCELS = new CollectionDefinition<Parcel>('test_parcels', [
  { name: 'labels', key: { label: 1 }, unique: true },
  { name: 'weights', key: { weight: 1 }, sparse: true },
]);

describe('a declared collection', () => {
  let connection: Connection;

  before(async () => {
    connection = await connectMongo((await useMongo()).uri(`collection_${randomUUID().slice(0, 8)}`));
    await PARCELS.ensureIndexes(connection);
  });
  after(async () => {
    await connection.dropDatabase();
    await connection.close();
  });

  const failureOf = async (write: Promise<unknown>): Promise<unknown> =>
    await write.then(
      () => assert.fail('the write was not refused'),
      (error: unknown) => error,
    );

  it('has its declared indexes, also when they are made repeatedly and at once', async () => {
    await Promise.all([PARCELS.ensureIndexes(connection), PARCELS.ensureIndexes(connection)]);
    const names = (await PARCELS.open(connection).indexes()).map(({ name }) => name);
    assert.deepEqual(names.sort(), ['_id_', 'labels', 'weights']);
  });

  it('may have no index', async () => {
    await new CollectionDefinition<Parcel>('test_plain').ensureIndexes(connection);
  });

  it('has a name in snake_case', () => {
    for (const name of ['testParcels', 'test-parcels', 'Test', '', 'test__parcels', 'test_', '_test']) {
      assert.throws(() => new CollectionDefinition(name), RangeError, name);
    }
  });

  it('names the unique index that refused a write', async () => {
    const parcels = PARCELS.open(connection);
    await parcels.insertOne({ _id: 'index', label: 'index' });
    const byId = await failureOf(parcels.insertOne({ _id: 'index', label: 'other' }));
    const byLabel = await failureOf(parcels.insertOne({ _id: 'other', label: 'index' }));
    assert.deepEqual([isDuplicateKey(byId), isDuplicateKey(byLabel)], [true, true]);
    assert.deepEqual([isDuplicateKey(byId, '_id_'), isDuplicateKey(byId, 'labels')], [true, false]);
    assert.deepEqual([isDuplicateKey(byLabel, '_id_'), isDuplicateKey(byLabel, 'labels')], [false, true]);
  });

  it('distinguishes writes that lost to a unique index from those that failed otherwise', async () => {
    const parcels = PARCELS.open(connection);
    await parcels.insertOne({ _id: 'bulk', label: 'bulk' });
    const taken = { insertOne: { document: { _id: 'bulk', label: 'again' } } };
    const free = { insertOne: { document: { _id: 'free', label: 'free' } } };
    const broken = { updateOne: { filter: { _id: 'bulk' }, update: { $inc: { label: 1 } } as object } };
    const lost = await failureOf(parcels.bulkWrite([taken, free], { ordered: false }));
    assert.deepEqual([isOnlyDuplicateKeys(lost), listRefusedWrites(lost)?.map(({ index }) => index)], [true, [0]]);
    const mixed = await failureOf(parcels.bulkWrite([taken, broken], { ordered: false }));
    assert.deepEqual([isOnlyDuplicateKeys(mixed), listRefusedWrites(mixed)?.length], [false, 2]);
    const other = new Error('E11000');
    assert.deepEqual(
      [isDuplicateKey(other), isOnlyDuplicateKeys(other), listRefusedWrites(other)],
      [false, false, undefined],
    );
  });
});
