/** Tests that the keys of erased subjects of every kind are destroyed, and no others. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Connection } from 'mongoose';
import type { Area, SubjectKindEntry } from '../../../platform/area.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { destroyKeysOfErased } from '../../../platform/personal/erased-keys.ts';
import { type SubjectId, subjectKind } from '../../../platform/personal/subject-id.ts';
import { SubjectKeys } from '../../../platform/personal/subject-keys.ts';
import { useMongo } from '../../support/stack.ts';

const [PARCEL, LETTER] = [subjectKind('parcel'), subjectKind('letter')];

describe('the keys of erased subjects', () => {
  let connection: Connection;
  before(async () => {
    connection = await connectMongo((await useMongo()).uri('erased-keys'));
  });
  after(async () => await connection.close());

  it('are destroyed for each kind, and those of subjects that the data lacks are not', async () => {
    const masterKeys = { writingKeyId: 'm', keys: new Map([['m', randomBytes(32)]]) };
    const keys = new SubjectKeys({ connection, masterKeys });
    await keys.ensureIndexes();
    const [erased, lacking] = [PARCEL.subjectOf('erased'), PARCEL.subjectOf('lacking')];
    const letters = Array.from({ length: 501 }, (_, at) => LETTER.subjectOf(`erased-${at}`));
    for (const subject of [erased, lacking, ...letters]) assert.ok(await keys.create({ subject, organisationId: 1 }));
    const kindOf = (kind: string, ...subjects: readonly SubjectId[]): SubjectKindEntry => ({
      kind,
      listKept: () => assert.fail('the restore does not ask for the kept'),
      listErased: async (data) => {
        assert.equal(data, connection);
        return each(subjects);
      },
    });
    const areas: readonly Area[] = [
      { name: 'parcels', collections: [], subjectKinds: [kindOf(PARCEL.kind, erased)] },
      { name: 'without', collections: [] },
      { name: 'letters', collections: [], subjectKinds: [kindOf(LETTER.kind, ...letters)] },
    ];
    // Safe to repeat.
    for (const _ of [1, 2]) await destroyKeysOfErased(areas, connection, connection);
    assert.deepEqual([...(await keys.listExisting([erased, lacking, ...letters]))], [lacking]);
  });
});

async function* each(subjects: readonly SubjectId[]): AsyncGenerator<SubjectId> {
  yield* subjects;
}
