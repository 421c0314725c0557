/**
 * What remains of customers in the whole service: nothing that tells who they were, in no database, object, log, event or
 * history, and a copy of the data that was taken before is of no use. And an erasure that falls due while Temporal is away.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { AREAS } from '../../activities/areas.ts';
import { customerShape, customerStoreOptions } from '../../activities/customers/customer-config.ts';
import { ProfileStore } from '../../activities/customers/profile-store.ts';
import { collectionsOf } from '../../platform/area.ts';
import { parseConfig } from '../../platform/config.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { PLATFORM_COLLECTIONS } from '../../platform/mongo/platform-collections.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import { everythingKept, type Found, findTexts, formsOf } from '../support/remains.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import { RememberedPerson } from './remembered-person.ts';

const key = () => randomBytes(32).toString('base64');
const SECRETS = { PAYLOAD_KEYS: `t:${key()}`, CUSTOMER_MASTER_KEYS: `t:${key()}`, CUSTOMER_SEARCH_KEY: key() };
const RESTORED = 'samferd_restored';
/** What the database notes for itself, for a while, as it was told: what is sealed is sealed there, too. */
const NOTES_OF_DATABASE = new Set(['mongodb local.oplog.rs', 'log mongod']);
const HOUR_MS = 3_600_000;
const ERASED_WITHIN_MS = 60_000;

describe('What remains of customers', function () {
  this.timeout(300_000);
  let service: Service;

  before(async () => {
    const processes = ['salesCustomersWorker', 'eventsWorker'] as const;
    service = await Service.start({ timetable: false, processes, env: SECRETS });
  });
  after(() => service?.stop());

  async function withDatabase<T>(uri: string, use: (db: Awaited<ReturnType<typeof connectMongo>>) => Promise<T>) {
    const connection = await connectMongo(uri);
    try {
      return await use(connection);
    } finally {
      await connection.close();
    }
  }

  /** Until nothing is left of them and everything was told. */
  async function untilErased(people: readonly RememberedPerson[]): Promise<void> {
    await withDatabase(service.mongoUri, async (connection) => {
      const wanted = { _id: { $in: people.map(({ customerNumber }) => customerNumber) }, status: 'ERASED' } as object;
      const erased = () => connection.collection('customer_profiles').countDocuments({ ...wanted, outbox: [] });
      await until(async () => (await erased()) === people.length, { timeoutMs: ERASED_WITHIN_MS, what: 'the erasure' });
    });
  }

  async function find(texts: readonly string[]): Promise<Found[]> {
    const logs = new Map(service.parts.map((name) => [name, service.log(name)]));
    const { mongoUri, temporalAddress, objectStore } = service;
    const places = { mongoUri, temporalAddress, objectStore, logs, payloadKeys: SECRETS.PAYLOAD_KEYS };
    return await findTexts(everythingKept(places), texts);
  }

  /** Collections that manifests call personal and in which nothing was searched: the test does not fill them, or reads past them. */
  async function missingPersonalCollections(): Promise<readonly string[]> {
    const { mongoUri, temporalAddress, objectStore } = service;
    const places = { mongoUri, temporalAddress, objectStore, logs: new Map<string, string>() };
    const searched = new Set<string>();
    for await (const { place } of everythingKept({ ...places, payloadKeys: SECRETS.PAYLOAD_KEYS })) searched.add(place);
    const personal = [...collectionsOf(AREAS), ...PLATFORM_COLLECTIONS].filter((entry) => entry.personal);
    const names = personal.map(({ definition }) => definition.collection);
    return names.filter((name) => !searched.has(`mongodb samferd.${name}`));
  }

  /** As a backup of the data is taken, without the keys, and restored beside it. */
  async function restoreCopy(): Promise<void> {
    await withDatabase(service.mongoUri, async (connection) => {
      const copy = connection.useDb(RESTORED);
      for (const { name } of (await connection.db?.listCollections().toArray()) ?? []) {
        const documents = await connection.collection(name).find({}).toArray();
        if (documents.length > 0) await copy.collection(name).insertMany(documents);
      }
      await copy
        .collection('customer_profiles')
        .createIndex({ organisationId: 1, _id: 1 }, { name: 'organisation_and_number' });
    });
  }

  /** With the keys that there are now. */
  async function readFromCopy({ customerNumber }: RememberedPerson): Promise<string | undefined> {
    return await withDatabase(service.mongoUri, (connection) =>
      withDatabase(service.customerKeysUri, async (keysConnection) => {
        const config = parseConfig(customerShape, { ...SECRETS, CUSTOMER_KEYS_MONGODB_URI: service.customerKeysUri });
        const copy = connection.useDb(RESTORED);
        const options = customerStoreOptions(config, { connection: copy, keysConnection, environment: 'dev' });
        const profiles = new ProfileStore(options);
        return (await profiles.find('ANY', { customerNumber: customerNumber as CustomerNumber }))?.email;
      }),
    );
  }

  it('knows a text again in every form', () => {
    const text = 'Ødegård «1»/Gate?';
    const planted = [
      text,
      text.toUpperCase(),
      encodeURIComponent(text),
      `{"a":"${text}"}`,
      ...['', 'x', 'xy'].flatMap((before) => [
        Buffer.from(`${before}${text} and more`).toString('base64'),
        Buffer.from(`${before}${text}`).toString('base64url'),
      ]),
    ];
    for (const each of planted) {
      const bytes = Buffer.from(each);
      assert.ok(
        [...formsOf(text).values()].some((form) => bytes.includes(form)),
        each,
      );
    }
  });

  it('identifies no customer', async () => {
    const [member, guest, turned] = [
      await RememberedPerson.meet(service),
      await RememberedPerson.meet(service),
      await RememberedPerson.meet(service),
    ];
    const people = [member, guest, turned];
    await member.createPermanent();
    await member.addItems();
    await member.addCards();
    await member.change('PERMANENT');
    await member.lookUp(await member.read());
    await guest.createTemporary(new Date(Date.now() + HOUR_MS));
    await guest.addItems();
    await guest.change('TEMPORARY');
    await guest.lookUp(await guest.read());
    await turned.createTemporary(new Date(Date.now() + HOUR_MS));
    await turned.convertInVain(String((await member.read()).email));
    await turned.convert();
    await turned.addItems();
    await turned.addCards();

    const personal = people.flatMap(({ texts }) => texts.personal);
    const other = people.flatMap(({ texts }) => texts.other);
    assert.ok(personal.length > 60 && other.length > 20, `${personal.length} and ${other.length} texts`);
    // Sealed from the first: also while they are customers nothing of it lies open.
    assert.deepEqual(await find(personal), []);
    const open = (await find(other)).map(({ place }) => place);
    assert.ok(open.includes('mongodb samferd.customer_profiles'), 'what is kept open is not looked at');
    assert.deepEqual(await missingPersonalCollections(), []);
    await restoreCopy();
    for (const person of people) assert.match((await readFromCopy(person)) ?? '', /@/);

    await member.delete('PERMANENT');
    await turned.delete('PERMANENT');
    await guest.expireAt(new Date(Date.now() + 2_000));
    await untilErased(people);

    assert.deepEqual(await find(personal), []);
    const kept = await find(other);
    const copied = new RegExp(`^mongodb ${RESTORED}\\.`);
    assert.deepEqual(
      kept.filter(({ place }) => !NOTES_OF_DATABASE.has(place) && !copied.test(place)),
      [],
    );
    for (const person of people) {
      assert.equal(await readFromCopy(person).catch(() => undefined), undefined);
      assert.ok(await person.isGone());
    }
    const numbers = (await find(people.map(({ customerNumber }) => customerNumber))).map(({ place }) => place);
    for (const place of ['mongodb samferd.event_log', `history erase/${member.customerNumber}`]) {
      assert.ok(numbers.includes(place), `${place} is not looked at`);
    }
  });

  it('goes within a minute of the return of Temporal, which was away at the date and at a deletion', async () => {
    const [expired, deleted] = [await RememberedPerson.meet(service), await RememberedPerson.meet(service)];
    const date = new Date(Date.now() + 3_000);
    await expired.createTemporary(date);
    await deleted.createPermanent();
    await service.kill('temporal');
    await deleted.delete('PERMANENT');
    await until(() => Date.now() > date.getTime());
    // What is promised to callers holds all the same.
    assert.deepEqual([await expired.isGone(), await deleted.isGone()], [true, true]);
    await service.restart('temporal');
    await untilErased([expired, deleted]);
  });
});
