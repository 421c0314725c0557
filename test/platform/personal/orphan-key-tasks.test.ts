/** Tests that keys without a subject are removed for every kind that the manifests name, each kind by itself. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Connection } from 'mongoose';
import type { Area, ReadConfig, SubjectKindEntry } from '../../../platform/area.ts';
import { parseConfig } from '../../../platform/config.ts';
import { createLog } from '../../../platform/log.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { createOrphanKeyTasks } from '../../../platform/personal/orphan-key-tasks.ts';
import { type SubjectId, subjectKind } from '../../../platform/personal/subject-id.ts';
import { SubjectKeys } from '../../../platform/personal/subject-keys.ts';
import { openSubjectKeys, subjectKeysShape } from '../../../platform/personal/subject-keys-config.ts';
import { useMongo } from '../../support/stack.ts';

const [PARCEL, LETTER, CARD] = [subjectKind('parcel'), subjectKind('letter'), subjectKind('card')];
const HOUR_MS = 3_600_000;
const ENV = {
  CUSTOMER_KEYS_MONGODB_URI: 'mongodb://keys',
  CUSTOMER_MASTER_KEYS: `m:${randomBytes(32).toString('base64')}`,
};
const readConfig: ReadConfig = (shape) => parseConfig(shape, ENV);

async function listErased(): Promise<AsyncIterable<SubjectId>> {
  return assert.fail('a sweep does not ask for the erased');
}

describe('the tasks that remove orphan keys', () => {
  let connection: Connection;
  let keys: SubjectKeys;

  const base = () => ({
    log: createLog({ level: 'silent', name: 'test' }),
    mongo: connection,
    eventEnvironment: 'dev' as const,
    readConfig,
    connectKeys: async (uri: string) => {
      assert.equal(uri, ENV.CUSTOMER_KEYS_MONGODB_URI);
      return connection;
    },
  });
  const areaOf = (name: string, ...subjectKinds: SubjectKindEntry[]): Area => ({ name, collections: [], subjectKinds });

  before(async () => {
    connection = await connectMongo((await useMongo()).uri('orphan-key-tasks'));
    keys = await openSubjectKeys(base());
    await keys.ensureIndexes();
  });
  after(async () => await connection.close());

  /** Makes keys so long ago that their subjects must exist. */
  async function makeOldKeys(...subjects: readonly SubjectId[]): Promise<void> {
    const masterKeys = readConfig(subjectKeysShape).CUSTOMER_MASTER_KEYS;
    const old = new SubjectKeys({ connection, masterKeys, now: () => new Date(Date.now() - 2 * HOUR_MS) });
    for (const subject of subjects) assert.ok(await old.create({ subject, organisationId: 1 }));
  }

  it('keep the keys of existing subjects, and stop for no kind that fails', async () => {
    const [kept, orphan] = [PARCEL.subjectOf('kept'), PARCEL.subjectOf('orphan')];
    const [letter, card] = [LETTER.subjectOf('orphan'), CARD.subjectOf('orphan')];
    await makeOldKeys(kept, orphan, letter, card);
    const young = PARCEL.subjectOf('young');
    await keys.create({ subject: young, organisationId: 1 });

    const areas = [
      areaOf('letters', {
        kind: LETTER.kind,
        listKept: async () => async () => assert.fail('the letters cannot be read'),
        listErased,
      }),
      areaOf('parcels', { kind: PARCEL.kind, listKept: async () => async () => new Set([kept]), listErased }),
      areaOf('without'),
    ];
    const tasks = await createOrphanKeyTasks({ ...base(), areas }, keys);
    assert.deepEqual(
      tasks.map(({ name }) => name),
      ['orphan-keys-letter', 'orphan-keys-parcel'],
    );
    const turns = await Promise.allSettled(tasks.map(({ run }) => run()));
    assert.deepEqual(
      turns.map(({ status }) => status),
      ['rejected', 'fulfilled'],
    );
    const left = await keys.listExisting([kept, orphan, young, letter, card]);
    // No manifest names the kind of cards.
    assert.deepEqual([...left].sort(), [kept, young, letter, card].sort());
  });

  it('ask each kind for its subjects in the data of the process', async () => {
    const asked: Connection[] = [];
    const listKept: SubjectKindEntry['listKept'] = async ({ mongo }) => {
      asked.push(mongo);
      return async () => new Set();
    };
    await createOrphanKeyTasks(
      { ...base(), areas: [areaOf('cards', { kind: CARD.kind, listKept, listErased })] },
      keys,
    );
    assert.deepEqual(asked, [connection]);
  });
});
