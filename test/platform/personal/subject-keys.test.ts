/**
 * Tests data keys: each subject has one; it is stored wrapped, wrapped again under new master keys, and cannot be
 * recovered once destroyed.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Connection } from 'mongoose';
import { IdempotencyStore } from '../../../platform/idempotency/idempotency-store.ts';
import { parseKeyRing } from '../../../platform/keys/key-ring.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { AnswerSeal } from '../../../platform/personal/answer-seal.ts';
import { removeOrphanKeys } from '../../../platform/personal/orphan-keys.ts';
import { Sealing } from '../../../platform/personal/sealing.ts';
import { storedAnswersStep } from '../../../platform/personal/stored-answers-step.ts';
import { type SubjectId, subjectKind } from '../../../platform/personal/subject-id.ts';
import { SubjectKeys } from '../../../platform/personal/subject-keys.ts';
import { useMongo } from '../../support/stack.ts';

const CUSTOMER = subjectKind('customer');
/** A second kind of personal subject. */
const PARCEL = subjectKind('parcel');
const ANNA = CUSTOMER.subjectOf('1000000001');
const BO = CUSTOMER.subjectOf('1000000002');
const HER_PARCEL = PARCEL.subjectOf('1000000001');
const ORGANISATION = 1;
const SCOPE = 'of one request';
const masterKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

describe('subject keys', () => {
  const [older, newer] = [masterKey('2025'), masterKey('2026')];
  let connection: Connection;
  const keysUnder = (text: string, now?: () => Date) =>
    new SubjectKeys({ connection, masterKeys: parseKeyRing(text, 'MASTER_KEYS'), ...(now && { now }) });
  const documents = () =>
    connection.collection<{ _id: string; subject: string; wrapped: Buffer; masterKeyId: string }>('subject_keys');

  before(async () => {
    connection = await connectMongo((await useMongo()).uri('subject-keys'));
    await keysUnder(older).ensureIndexes();
  });
  beforeEach(async () => {
    await documents().deleteMany({});
  });
  after(async () => await connection.close());

  async function newKey(keys: SubjectKeys, subject: SubjectId) {
    const owner = { subject, organisationId: ORGANISATION };
    return { ...owner, ...((await keys.create(owner)) ?? assert.fail('the subject has a key')) };
  }

  it('opens what was sealed, by key id and by subject, and many at once', async () => {
    const keys = keysUnder(older);
    const [anna, bo] = [await newKey(keys, ANNA), await newKey(keys, BO)];
    const sealed = anna.sealing.seal('profile', { firstName: 'Anna' });
    assert.deepEqual((await keys.find(anna))?.open('profile', sealed), { firstName: 'Anna' });
    assert.deepEqual((await keys.findOf(ANNA))?.open('profile', sealed), { firstName: 'Anna' });
    const many = await keys.findMany([bo, { ...bo, keyId: 'none' }, anna]);
    assert.deepEqual([many.length, many[1]], [3, undefined]);
    assert.deepEqual(many[2]?.open('profile', sealed), { firstName: 'Anna' });
  });

  it('opens nothing for another subject, organisation or member, nor changed bytes', async () => {
    const keys = keysUnder(older);
    const anna = await newKey(keys, ANNA);
    const { sealing } = anna;
    const sealed = sealing.seal('profile', { firstName: 'Anna' });
    assert.throws(() => sealing.open('conversion/1', sealed), /authenticate/);
    for (const other of [{ organisationId: 2 }, { subject: BO }, { subject: HER_PARCEL }]) {
      await assert.rejects(keys.find({ ...anna, ...other }), /another subject or organisation/);
      await assert.rejects(keys.findMany([anna, { ...anna, ...other }]), /another subject or organisation/);
      const dataKey = randomBytes(32);
      const sealedFor = new Sealing(dataKey, { ...anna, ...other }).seal('profile', 1);
      assert.throws(() => new Sealing(dataKey, anna).open('profile', sealedFor), /authenticate/);
      const fingerprint = (owner: typeof anna) => new Sealing(dataKey, owner).fingerprint('address', 'a@example.org');
      assert.notEqual(fingerprint({ ...anna, ...other }), fingerprint(anna));
    }
    await documents().updateOne({ subject: ANNA }, { $set: { organisationId: 2 } });
    await assert.rejects(keys.findOf(ANNA), /another subject or organisation/);
    await documents().updateOne({ subject: ANNA }, { $set: { subject: BO, organisationId: ORGANISATION } });
    await assert.rejects(keys.findOf(BO), /another subject or organisation/);
    sealed[20] = (sealed[20] ?? 0) ^ 1;
    assert.throws(() => sealing.open('profile', sealed), /authenticate/);
  });

  it('gives a subject one key, also to simultaneous requests', async () => {
    const keys = keysUnder(older);
    const owner = { subject: ANNA, organisationId: ORGANISATION };
    const made = await Promise.all(Array.from({ length: 10 }, () => keys.create(owner)));
    assert.equal(made.filter((key) => key !== undefined).length, 1);
  });

  it('stores keys only wrapped', async () => {
    const keys = keysUnder(older);
    const anna = await newKey(keys, ANNA);
    const document = (await documents().findOne({ _id: anna.keyId }, { promoteBuffers: true })) ?? assert.fail();
    assert.equal(document.wrapped.length, 12 + 32 + 16);
    await assert.rejects(keysUnder(newer).find(anna), /master key 2025, which is not configured/);
    await assert.rejects(keysUnder(masterKey('2025')).find(anna), /the master key 2025 has changed/);
  });

  it('wraps every key again under the first master key, in batches, and each stays readable', async () => {
    const before = keysUnder(older);
    const [anna, parcel] = [await newKey(before, ANNA), await newKey(before, HER_PARCEL)];
    const sealed = anna.sealing.seal('profile', 1);
    const keys = keysUnder(`${newer},${older}`);
    assert.deepEqual(await keys.rewrapKeys(), { wrapped: 2, unopened: [] });
    for (const each of [anna, parcel]) assert.ok(await keys.find(each));
    assert.deepEqual(await keys.rewrapKeys(), { wrapped: 0, unopened: [] });
    assert.equal((await keysUnder(newer).findOf(ANNA))?.open('profile', sealed), 1);
  });

  it('wraps the other keys again when one does not open, and names that one', async () => {
    const before = keysUnder(older);
    const [anna, parcel] = [await newKey(before, ANNA), await newKey(before, HER_PARCEL)];
    await documents().updateOne({ _id: anna.keyId }, { $set: { organisationId: 'another' } });
    const keys = keysUnder(`${newer},${older}`);
    assert.deepEqual(await keys.rewrapKeys(), { wrapped: 1, unopened: [anna.keyId] });
    assert.ok(await keysUnder(newer).find(parcel));
  });

  it('does not restore a key that is destroyed while it is wrapped again', async () => {
    const before = keysUnder(older);
    await newKey(before, ANNA);
    const keys = keysUnder(`${newer},${older}`);
    await Promise.all([keys.rewrapKeys(), before.destroyOf(ANNA), keys.rewrapKeys()]);
    assert.equal(await documents().countDocuments(), 0);
  });

  it('destroys for good, and may be repeated', async () => {
    const keys = keysUnder(older);
    const anna = await newKey(keys, ANNA);
    assert.equal(await keys.existsFor(ANNA), true);
    for (const _ of [1, 2]) await keys.destroyOf(ANNA);
    assert.equal(await keys.existsFor(ANNA), false);
    assert.deepEqual([await keys.find(anna), await keys.findOf(ANNA)], [undefined, undefined]);
  });

  it('lists the keys of one kind by their age, so that those without a subject are found', async () => {
    let minute = 0;
    const keys = keysUnder(older, () => new Date(Date.UTC(2026, 0, 1, 0, minute++)));
    for (const subject of [HER_PARCEL, ANNA, BO]) await newKey(keys, subject);
    const listed = async (kind: string): Promise<string[]> => {
      const entries = await Array.fromAsync(keys.eachCreated(kind, new Date(0), new Date(Date.UTC(2026, 0, 1, 0, 2))));
      return entries.map(({ subject }) => subject);
    };
    assert.deepEqual([await listed('customer'), await listed('parcel')], [[ANNA], [HER_PARCEL]]);
  });

  it('removes the orphans of one kind alone', async () => {
    const keys = keysUnder(older);
    for (const subject of [ANNA, HER_PARCEL]) await newKey(keys, subject);
    const age = { from: new Date(0), before: new Date(Date.now() + 60_000) };
    const listKept = async () => new Set<SubjectId>();
    assert.deepEqual(await removeOrphanKeys({ kind: PARCEL.kind, keys, listKept }, age), { removed: 1 });
    assert.deepEqual([await keys.existsFor(ANNA), await keys.existsFor(HER_PARCEL)], [true, false]);
  });

  it('makes all data of a subject, and no other, unreadable when its key is destroyed', async () => {
    const keys = keysUnder(older);
    const seal = new AnswerSeal(keys);
    const text = Buffer.from('{"giftMessage":"Til Anna"}');
    assert.equal(await seal.seal(HER_PARCEL, SCOPE, text), undefined);
    const [parcel] = [await newKey(keys, HER_PARCEL), await newKey(keys, ANNA)];
    const { sealing } = parcel;
    const kept = {
      document: sealing.seal('message', { giftMessage: 'Til Anna' }),
      object: sealing.sealBytes('object/parcels/1/label.pdf', text),
      answer: (await seal.seal(HER_PARCEL, SCOPE, text)) ?? assert.fail('not sealed'),
    };
    for (const bytes of Object.values(kept)) assert.ok(!Buffer.from(bytes).includes('Anna'));
    const opened = (await keys.find(parcel)) ?? assert.fail('no key');
    assert.deepEqual(opened.open('message', kept.document), { giftMessage: 'Til Anna' });
    assert.deepEqual(opened.openBytes('object/parcels/1/label.pdf', kept.object), text);
    assert.throws(() => opened.openBytes('object/parcels/2/label.pdf', kept.object), /authenticate/);
    assert.deepEqual(await seal.open(HER_PARCEL, SCOPE, kept.answer), text);
    await assert.rejects(seal.open(HER_PARCEL, 'of another request', kept.answer), /authenticate/);

    const sealed = (await seal.seal(ANNA, SCOPE, text)) ?? assert.fail('not sealed');
    await keys.destroyOf(HER_PARCEL);
    assert.deepEqual([await keys.find(parcel), await keys.findOf(HER_PARCEL)], [undefined, undefined]);
    assert.equal(await seal.open(HER_PARCEL, SCOPE, kept.answer), undefined);
    const other = (await keys.findOf(ANNA)) ?? assert.fail('no key');
    assert.throws(() => other.open('message', kept.document), /authenticate/);
    assert.deepEqual(await seal.open(ANNA, SCOPE, sealed), text);
  });

  it('erases the stored answers of one subject and keeps those of another', async () => {
    const answers = new IdempotencyStore(connection);
    const step = storedAnswersStep(answers);
    for (const subject of [ANNA, HER_PARCEL]) {
      const claimed = await answers.claim(`scope of ${subject}`, ['f']);
      assert.ok(claimed.kind === 'claimed');
      const answer = { status: 200, headers: {}, body: Buffer.from('sealed'), subject };
      await answers.finish(claimed.lease, answer, { mac: 'of it', erasureMac: 'that stays' });
    }
    for (const _ of [1, 2]) await step.erase(1, HER_PARCEL);
    assert.deepEqual([await step.isErased(1, HER_PARCEL), await step.isErased(1, ANNA)], [true, false]);
    const erased = await answers.claim(`scope of ${HER_PARCEL}`, ['f']);
    assert.ok(erased.kind === 'erased');
    assert.deepEqual(erased.marks, { erasureMac: 'that stays' });
    assert.equal((await answers.claim(`scope of ${ANNA}`, ['f'])).kind, 'answered');
  });

  it('tell equal values apart from others without keeping them', () => {
    const owner = { organisationId: ORGANISATION, subject: ANNA };
    const sealing = new Sealing(randomBytes(32), owner);
    const here = sealing.fingerprint('address', 'a@example.org');
    assert.equal(sealing.fingerprint('address', 'a@example.org'), here);
    assert.notEqual(sealing.fingerprint('address', 'b@example.org'), here);
    assert.notEqual(sealing.fingerprint('profile', 'a@example.org'), here);
    assert.notEqual(new Sealing(randomBytes(32), owner).fingerprint('address', 'a@example.org'), here);
  });

  it('distinguishes subjects of equal name by their kind', () => {
    assert.equal(CUSTOMER.idOf(ANNA), '1000000001');
    assert.throws(() => PARCEL.idOf(ANNA), /no parcel/);
    assert.throws(() => subjectKind('two words'), /lower-case letters/);
  });
});
