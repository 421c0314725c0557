/** Data keys: one a customer, kept wrapped, replaced under new master keys, gone for good when destroyed. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Connection } from 'mongoose';
import { CustomerAnswerSeal } from '../../../activities/customers/answer-seal.ts';
import { CustomerKeys } from '../../../activities/customers/customer-keys.ts';
import { parseKeyRing } from '../../../platform/keys/key-ring.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import type { CustomerNumber } from '../../../workflows/shared/ids.ts';
import { useMongo } from '../../support/stack.ts';

const ANNA = '1000000001' as CustomerNumber;
const BO = '1000000002' as CustomerNumber;
const masterKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

describe('customer keys', () => {
  const [older, newer] = [masterKey('2025'), masterKey('2026')];
  let connection: Connection;
  const keysUnder = (text: string, now?: () => Date) =>
    new CustomerKeys({ connection, masterKeys: parseKeyRing(text, 'CUSTOMER_MASTER_KEYS'), ...(now && { now }) });
  const documents = () =>
    connection.collection<{ _id: string; customerNumber: string; wrapped: Buffer; masterKeyId: string }>(
      'customer_keys',
    );

  before(async () => {
    connection = await connectMongo((await useMongo()).uri('customer-keys'));
    await keysUnder(older).ensureIndexes();
  });
  beforeEach(async () => {
    await documents().deleteMany({});
  });
  after(async () => await connection.close());

  async function newKey(keys: CustomerKeys, customerNumber: CustomerNumber) {
    return (await keys.create(customerNumber)) ?? assert.fail('the number is taken');
  }

  it('opens what was sealed, by key id and by customer, and many at once', async () => {
    const keys = keysUnder(older);
    const [anna, bo] = [await newKey(keys, ANNA), await newKey(keys, BO)];
    const sealed = anna.sealing.seal('profile', { firstName: 'Anna' });
    assert.deepEqual((await keys.find(anna.keyId))?.open('profile', sealed), { firstName: 'Anna' });
    assert.deepEqual((await keys.findOf(ANNA))?.open('profile', sealed), { firstName: 'Anna' });
    const both = await keys.findMany([anna.keyId, bo.keyId, 'none']);
    assert.deepEqual([...both.keys()].sort(), [anna.keyId, bo.keyId].sort());
    assert.deepEqual(both.get(anna.keyId)?.open('profile', sealed), { firstName: 'Anna' });
  });

  it('opens nothing in another profile or another place, nor what was changed', async () => {
    const keys = keysUnder(older);
    const { sealing } = await newKey(keys, ANNA);
    const sealed = sealing.seal('profile', { firstName: 'Anna' });
    assert.throws(() => sealing.open('conversion/1', sealed), /authenticate/);
    await documents().updateOne({ customerNumber: ANNA }, { $set: { customerNumber: BO } });
    await assert.rejects(keys.findOf(BO), /authenticate/);
    sealed[20] = (sealed[20] ?? 0) ^ 1;
    assert.throws(() => sealing.open('profile', sealed), /authenticate/);
  });

  it('gives a customer one key, whoever asks at once', async () => {
    const keys = keysUnder(older);
    const made = await Promise.all(Array.from({ length: 10 }, () => keys.create(ANNA)));
    assert.equal(made.filter((key) => key !== undefined).length, 1);
  });

  it('stores keys only wrapped', async () => {
    const keys = keysUnder(older);
    const { keyId } = await newKey(keys, ANNA);
    const document = (await documents().findOne({ _id: keyId }, { promoteBuffers: true })) ?? assert.fail();
    assert.equal(document.wrapped.length, 12 + 32 + 16);
    await assert.rejects(keysUnder(newer).find(keyId), /master key 2025, which CUSTOMER_MASTER_KEYS lacks/);
    await assert.rejects(keysUnder(masterKey('2025')).find(keyId), /authenticate/);
  });

  it('wraps every key anew under the first master key, in portions, and each opens all the while', async () => {
    const before = keysUnder(older);
    const [anna, bo] = [await newKey(before, ANNA), await newKey(before, BO)];
    const sealed = anna.sealing.seal('profile', 1);
    const keys = keysUnder(`${newer},${older}`);
    assert.equal(await keys.rewrapKeys(1), 1);
    for (const { keyId } of [anna, bo]) assert.ok(await keys.find(keyId));
    assert.equal(await keys.rewrapKeys(10), 1);
    assert.equal(await keys.rewrapKeys(10), 0);
    assert.equal((await keysUnder(newer).findOf(ANNA))?.open('profile', sealed), 1);
  });

  it('does not bring back a key that is destroyed while it is wrapped anew', async () => {
    const before = keysUnder(older);
    await newKey(before, ANNA);
    const keys = keysUnder(`${newer},${older}`);
    await Promise.all([keys.rewrapKeys(10), before.destroyOf(ANNA), keys.rewrapKeys(10)]);
    assert.equal(await documents().countDocuments(), 0);
  });

  it('destroys for good, however often', async () => {
    const keys = keysUnder(older);
    const { keyId } = await newKey(keys, ANNA);
    assert.equal(await keys.existsFor(ANNA), true);
    for (const _ of [1, 2]) await keys.destroyOf(ANNA);
    assert.equal(await keys.existsFor(ANNA), false);
    assert.deepEqual([await keys.find(keyId), await keys.findOf(ANNA)], [undefined, undefined]);
  });

  it('lists keys by their age, so that those without a profile are found', async () => {
    let minute = 0;
    const keys = keysUnder(older, () => new Date(Date.UTC(2026, 0, 1, 0, minute++)));
    await newKey(keys, ANNA);
    await newKey(keys, BO);
    const listed: string[] = [];
    for await (const { customerNumber } of keys.eachCreated(new Date(0), new Date(Date.UTC(2026, 0, 1, 0, 1)))) {
      listed.push(customerNumber);
    }
    assert.deepEqual(listed, [ANNA]);
  });

  it('seals stored answers so that they go with the key', async () => {
    const keys = keysUnder(older);
    const seal = new CustomerAnswerSeal(keys);
    const body = Buffer.from('{"firstName":"Anna"}');
    assert.equal(await seal.seal(ANNA, body), undefined);
    await newKey(keys, ANNA);
    const sealed = (await seal.seal(ANNA, body)) ?? assert.fail('not sealed');
    assert.ok(!Buffer.from(sealed).includes('Anna'));
    assert.deepEqual(await seal.open(ANNA, sealed), body);
    await keys.destroyOf(ANNA);
    assert.equal(await seal.open(ANNA, sealed), undefined);
  });
});
