/** Master keys that wrap no data key any more are withdrawn, and no process writes with them again. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Connection } from 'mongoose';
import { ConfigError } from '../../../platform/config.ts';
import { parseKeyRing } from '../../../platform/keys/key-ring.ts';
import type { Logger } from '../../../platform/log.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { rewrapKeys } from '../../../platform/personal/key-sweep.ts';
import { MasterKeys } from '../../../platform/personal/master-keys.ts';
import { subjectKind } from '../../../platform/personal/subject-id.ts';
import { SubjectKeys } from '../../../platform/personal/subject-keys.ts';
import { useMongo } from '../../support/stack.ts';

const ANNA = subjectKind('customer').subjectOf('1000000001');
const KEPT_DAYS = 7;
const DAY_MS = 86_400_000;
const masterKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [OLDER, NEWER] = [masterKey('2025'), masterKey('2026')];

describe('master keys', () => {
  let connection: Connection;
  let now: Date;
  let logged: string[];
  let recorded: string[];
  const record = (members: object, text: string) => void logged.push(`${text} ${JSON.stringify(members)}`);
  const log = { info: record, warn: record, error: record } as unknown as Logger;

  const keysUnder = (text: string) =>
    new SubjectKeys({ connection, masterKeys: parseKeyRing(text, 'MASTER_KEYS'), now: () => now });
  const masterKeys = (text: string) =>
    new MasterKeys({
      connection,
      masterKeys: parseKeyRing(text, 'MASTER_KEYS'),
      variable: 'MASTER_KEYS',
      log,
      record: async (verb, masterKeyId, act) => {
        recorded.push(`${verb} ${masterKeyId}`);
        await act();
      },
      now: () => now,
    });
  const passes = (days: number) => {
    now = new Date(now.getTime() + days * DAY_MS);
  };

  before(async () => {
    connection = await connectMongo((await useMongo()).uri('master-keys'));
  });
  beforeEach(async () => {
    for (const name of ['subject_keys', 'master_keys']) await connection.collection(name).deleteMany({});
    await keysUnder(OLDER).create({ subject: ANNA, organisationId: 1 });
    [now, logged, recorded] = [new Date('2026-05-04T12:00:00Z'), [], []];
  });
  after(async () => await connection.close());

  it('are in use until the keys are wrapped again, then unused, then withdrawn', async () => {
    const both = `${NEWER},${OLDER}`;
    const review = () => masterKeys(both).review(KEPT_DAYS);
    assert.deepEqual(await review(), { inUse: ['2025', '2026'], unused: [], withdrawn: [] });
    await rewrapKeys({ keys: keysUnder(both), log });
    assert.deepEqual(await review(), { inUse: ['2026'], unused: ['2025'], withdrawn: [] });
    passes(KEPT_DAYS - 1);
    assert.deepEqual(await review(), { inUse: ['2026'], unused: ['2025'], withdrawn: [] });
    passes(1);
    for (const _ of [1, 2]) {
      assert.deepEqual(await review(), { inUse: ['2026'], unused: [], withdrawn: ['2025'] });
    }
    assert.equal(
      logged.filter((line) => line.startsWith('withdrew a master key: remove it from MASTER_KEYS')).length,
      1,
    );
    assert.deepEqual(recorded, ['use 2025', 'use 2026', 'withdraw 2025']);
    assert.ok(!logged.join().includes(OLDER.split(':')[1] ?? ''));
  });

  it('are recorded before the first data key is wrapped with them, once, and again when they return', async () => {
    await masterKeys(OLDER).takeIntoUse();
    const both = `${NEWER},${OLDER}`;
    const refused = new MasterKeys({
      connection,
      masterKeys: parseKeyRing(both, 'MASTER_KEYS'),
      variable: 'MASTER_KEYS',
      log,
      record: async () => {
        throw new Error('the audit log is away');
      },
    });
    await assert.rejects(refused.takeIntoUse(), /audit log/);
    assert.equal(await connection.collection('master_keys').countDocuments({ usedSince: { $exists: true } }), 1);
    for (const _ of [1, 2]) await masterKeys(both).takeIntoUse();
    await rewrapKeys({ keys: keysUnder(both), log });
    for (const _ of [1, 2]) await masterKeys(both).review(KEPT_DAYS);
    await masterKeys(`${OLDER},${NEWER}`).takeIntoUse();
    assert.deepEqual(recorded, ['use 2025', 'use 2026', 'use 2025']);
  });

  it('are needed no more after the withdrawal: a start warns of them, and refuses to write with them', async () => {
    const both = `${NEWER},${OLDER}`;
    await masterKeys(both).check();
    await rewrapKeys({ keys: keysUnder(both), log });
    await masterKeys(both).review(0);
    logged = [];
    await masterKeys(both).check();
    assert.match(logged.join(), /a master key is no longer needed.*"masterKeyId":"2025"/);
    await assert.rejects(masterKeys(`${OLDER},${NEWER}`).check(), ConfigError);
    assert.ok(await keysUnder(NEWER).findOf(ANNA));
    logged = [];
    await masterKeys(NEWER).check();
    assert.deepEqual(logged, []);
  });

  it('are in use again when keys under them were restored, and reported when they are not configured', async () => {
    const both = `${NEWER},${OLDER}`;
    const wrapped = await connection.collection('subject_keys').findOne({});
    await rewrapKeys({ keys: keysUnder(both), log });
    await masterKeys(both).review(0);
    await connection.collection('subject_keys').replaceOne({}, wrapped ?? {});
    assert.deepEqual(await masterKeys(NEWER).review(0), { inUse: ['2025', '2026'], unused: [], withdrawn: [] });
    assert.match(logged.join(), /data keys need master keys that MASTER_KEYS does not have {"missing":\["2025"\]}/);
    await masterKeys(`${OLDER},${NEWER}`).check();
  });
});
