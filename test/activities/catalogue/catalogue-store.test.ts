/**
 * Tests the catalogue in the database: versions are complete, none is lost, and every process sees a new one at once.
 */
import assert from 'node:assert/strict';
import type { Connection } from 'mongoose';
import { EMPTY_CATALOGUE } from '../../../activities/catalogue/catalogue-content.ts';
import { CATALOGUE } from '../../../activities/catalogue/catalogue-document.ts';
import { CatalogueStore } from '../../../activities/catalogue/catalogue-store.ts';
import type { CatalogueContent, CatalogueVersion } from '../../../activities/shared/catalogue.ts';
import type { OrganisationId } from '../../../workflows/shared/ids.ts';
import { catalogue, channel, consent, ONE, openCatalogue, PAGE, TWO } from './support.ts';

describe('the catalogue store', () => {
  let connection: Connection;
  let store: CatalogueStore;
  beforeEach(async () => {
    ({ connection, store } = await openCatalogue());
  });
  afterEach(async () => {
    await connection.dropDatabase();
    await connection.close();
  });

  const named = (name: string): CatalogueContent => catalogue({ organisations: [{ id: ONE, name }] });
  const kept = async () => {
    const versions = await connection.collection<{ _id: number; content: CatalogueContent }>('catalogue_versions');
    const found = await versions.find().sort({ _id: 1 }).toArray();
    return found.map(({ _id, content }) => [_id, content.organisations[0]?.name]);
  };

  /** Of each find meanwhile in the catalogue, ascending: as the database itself counts. */
  const documentsExamined = async (work: () => Promise<void>) => {
    const database = connection.getClient().db(connection.name);
    await database.command({ profile: 2 });
    await work();
    await database.command({ profile: 0 });
    const profile = database.collection<{ docsExamined: number }>('system.profile');
    const finds = await profile.find({ ns: `${connection.name}.catalogue`, op: 'query' }).toArray();
    await profile.drop();
    return finds.map(({ docsExamined }) => docsExamined).sort((a, b) => a - b);
  };

  it('is empty before the first version', async () => {
    assert.deepEqual(await store.current(), { version: 0, content: EMPTY_CATALOGUE });
    assert.equal(await store.findChannel(PAGE), undefined);
  });

  it('numbers new versions and keeps earlier ones', async () => {
    assert.deepEqual(await store.replace(named('first')), { version: 1 });
    assert.deepEqual(await store.replace(named('second')), { version: 2 });
    assert.deepEqual(await store.current(), { version: 2, content: named('second') });
    assert.deepEqual(await kept(), [
      [1, 'first'],
      [2, 'second'],
    ]);
  });

  it('keeps its version when the same content is sent again, in any order of members', async () => {
    await store.replace(catalogue());
    const members = Object.entries(catalogue()).reverse();
    assert.deepEqual(await store.replace({ ...catalogue(), ...Object.fromEntries(members) }), { version: 1 });
    assert.deepEqual((await kept()).length, 1);
  });

  it('makes one version for each of many simultaneous writes', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `catalogue ${index}`);
    const answers = await Promise.all(names.map((name) => new CatalogueStore(connection).replace(named(name))));
    const expected = names.map((_, index) => index + 1);
    assert.deepEqual(
      answers.map(({ version }) => version).sort((a, b) => a - b),
      expected,
    );
    const versions = await kept();
    assert.deepEqual(
      versions.map(([version]) => version),
      expected,
    );
    assert.deepEqual(new Set(versions.map(([, name]) => name)), new Set(names));
    const { version, content } = await store.current();
    assert.deepEqual([version, content.organisations[0]?.name], versions.at(-1));
  });

  it('keeps the version of a writer that died right after it', async () => {
    await store.replace(named('first'));
    await connection.collection('catalogue_versions').deleteMany({});
    await store.replace(named('second'));
    assert.deepEqual(await kept(), [
      [1, 'first'],
      [2, 'second'],
    ]);
  });

  it('loads the first version once, also when many processes start', async () => {
    const contents = Array.from({ length: 8 }, (_, index) => named(`start ${index}`));
    await Promise.all(contents.map((content) => new CatalogueStore(connection).ensureLoaded(content)));
    assert.equal((await store.current()).version, 1);
    await store.replace(named('operator'));
    await store.ensureLoaded(named('file'));
    assert.deepEqual(await store.current(), { version: 2, content: named('operator') });
  });

  it('shows versions of other processes', async () => {
    const other = new CatalogueStore(connection);
    await store.replace(named('first'));
    assert.equal((await other.findOrganisation(ONE))?.name, 'first');
    await store.replace(named('second'));
    assert.equal((await other.findOrganisation(ONE))?.name, 'second');
  });

  it('reads a version once for all who ask at once, and looks at its number in the index alone', async () => {
    await CATALOGUE.ensureIndexes(connection);
    await store.replace(catalogue());
    const other = new CatalogueStore(connection);
    const examined = await documentsExamined(async () => {
      const read = await Promise.all(Array.from({ length: 20 }, async () => await other.current()));
      assert.equal(new Set(read).size, 1);
      assert.equal(read[0]?.version, 1);
    });
    // Two looks at the number: the callers after the first share one.
    assert.deepEqual(examined.sort(), [0, 0, 1]);
    assert.deepEqual(await documentsExamined(async () => assert.equal((await other.current()).version, 1)), [0]);
  });

  it('answers a request that has just read it without a further read, for a tenth of a second', async () => {
    let nowMs = 5;
    const [here, there] = [
      new CatalogueStore(
        connection,
        () => new Date(),
        () => nowMs,
      ),
      store,
    ];
    await there.replace(named('first'));
    const nameOf = async (reading: Promise<CatalogueVersion>) => (await reading).content.organisations[0]?.name;
    assert.equal(await nameOf(here.lately()), 'first');
    await there.replace(named('second'));
    nowMs += 100;
    const finds = await documentsExamined(async () => assert.equal(await nameOf(here.lately()), 'first'));
    assert.deepEqual(finds, []);
    nowMs += 1;
    assert.equal(await nameOf(here.lately()), 'second');
    await here.replace(named('third'));
    assert.equal(await nameOf(here.lately()), 'third', 'what this process has replaced is read again');
  });

  it('reads again after a read that failed', async () => {
    await store.replace(catalogue());
    const other = new CatalogueStore(connection);
    const collection = connection.collection('catalogue');
    await collection.updateOne({}, { $unset: { 'content.distributionChannels': 1 } });
    await assert.rejects(Promise.all([other.current(), other.current()]), TypeError);
    await collection.updateOne({}, { $set: { 'content.distributionChannels': [channel()] } });
    assert.deepEqual(await other.findChannel(PAGE), channel());
  });

  it('finds organisations and channels', async () => {
    await store.replace(catalogue());
    assert.deepEqual(await store.findOrganisation(TWO), { id: TWO, name: 'Two' });
    assert.equal(await store.findOrganisation(3 as OrganisationId), undefined);
    assert.deepEqual(await store.findChannel(PAGE), channel());
    assert.equal(await store.findChannel('SVC:DistributionChannel:None'), undefined);
  });

  it('finds the highest version in force of each consent, for its organisation', async () => {
    const listed = [consent('NEWS', 2), consent('CLUB', 1, { ownerOrganisationId: ONE }), consent('NEWS', 1)];
    await store.replace(catalogue({ consentDefinitions: listed }));
    const codes = async (organisation: OrganisationId | 'ANY') =>
      (await store.listConsentDefinitions(organisation)).map((each) => [each.consentCode, each.version]);
    assert.deepEqual(await codes(ONE), [
      ['CLUB', 1],
      ['NEWS', 2],
    ]);
    assert.deepEqual(await codes(TWO), [['NEWS', 2]]);
    assert.deepEqual(await codes('ANY'), await codes(ONE));
    assert.equal((await store.findConsentDefinition(TWO, 'NEWS'))?.version, 2);
    assert.equal(await store.findConsentDefinition(TWO, 'CLUB'), undefined);
  });
});
