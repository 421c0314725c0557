/** Tests writes of aggregates on a real database: repeats, races, conditions, events, crashes between two steps. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import type { AggregateBusy } from '../../../platform/aggregate/aggregate-busy.ts';
import type { Place, Work } from '../../../platform/aggregate/aggregate-types.ts';
import { Aggregates } from '../../../platform/aggregate/aggregates.ts';
import { conditionalPipeline } from '../../../platform/aggregate/conditional-update.ts';
import { addWorkId, MAX_WORK_IDS } from '../../../platform/aggregate/work-ids.ts';
import { connectMongo, isDuplicateKey } from '../../../platform/mongo/mongo.ts';
import { useMongo } from '../../support/stack.ts';
import {
  ensureParcelIndexes,
  PARCEL_EVENTS,
  type ParcelDocument,
  type ParcelEvent,
  parcelCollection,
  parcels,
} from './parcels.ts';

const HOUR_MS = 3_600_000;
const WRITERS = 50;

const work = (workId: string = randomUUID()) => ({ workId, correlationId: `correlation-of-${workId}` });
const numbers = (length: number) => Array.from({ length }, (_, index) => index);

describe('aggregates', () => {
  let connections: Connection[];
  let now: Date;
  const clock = () => now;
  /** Two processes, each with its own connection. */
  const here = () => parcels(parcelCollection(connections[0] as Connection), clock);
  const there = () => parcels(parcelCollection(connections[1] as Connection), clock);
  const collection = () => parcelCollection(connections[0] as Connection);
  const stored = async (id: string) => (await collection().findOne({ _id: id })) ?? assert.fail('no such parcel');
  const at = (id: string): Place<ParcelDocument> => ({ filter: () => ({ _id: id }) });

  before(async () => {
    const uri = (await useMongo()).uri('aggregates');
    connections = await Promise.all([connectMongo(uri), connectMongo(uri)]);
    await ensureParcelIndexes(collection());
  });
  beforeEach(async () => {
    now = new Date('2026-05-04T12:00:00Z');
    await collection().deleteMany({});
  });
  after(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
  });

  async function newParcel(more: Partial<ParcelDocument> = {}): Promise<string> {
    const content = { _id: randomUUID(), organisationId: 7, weightGrams: 100, ...more };
    const { document } = await here().create(content, work(), {
      events: [{ type: 'ParcelWeighed', weightGrams: 100 }],
    });
    return document._id;
  }

  const heavier = async (store: Aggregates<ParcelDocument, ParcelEvent>, id: string, who: Work) =>
    await store.change(at(id), who, ({ document }) => {
      const weightGrams = document.weightGrams + 1;
      return { set: { weightGrams }, events: [{ type: 'ParcelWeighed', weightGrams }] };
    });

  it('numbers documents from before the kit from 1, once despite many writers', async () => {
    const id = randomUUID();
    const bare = { _id: id, organisationId: 7, weightGrams: 100 };
    await collection().insertOne(bare as ParcelDocument);
    const changed = await Promise.all([heavier(here(), id, work('w1')), heavier(there(), id, work('w1'))]);
    assert.deepEqual(changed.map((each) => each?.outcome).sort(), ['REPEATED', 'WRITTEN']);
    const written = changed.find((each) => each?.outcome === 'WRITTEN');
    assert.deepEqual([written?.document.revision, written?.document.sequence], [1, 1]);
    const { revision, sequence, outbox } = await stored(id);
    assert.deepEqual([revision, sequence, outbox.map((event) => event.id)], [1, 1, [`parcel/${id}/1`]]);
  });

  it('writes members, event and work id at once, and returns the new document', async () => {
    const id = await newParcel({ labels: ['fragile'] });
    const changed = await here().change(at(id), work('w1'), () => ({
      set: { weightGrams: 120, labels: undefined },
      events: [{ type: 'ParcelWeighed', weightGrams: 120 }, { type: 'ParcelLabelled' }],
    }));
    assert.equal(changed?.outcome, 'WRITTEN');
    const { outbox, workIds, labels, ...rest } = await stored(id);
    assert.deepEqual([rest.weightGrams, rest.revision, rest.sequence, labels], [120, 2, 3, undefined]);
    assert.deepEqual([changed.document.weightGrams, changed.document.revision, changed.document.sequence], [120, 2, 3]);
    assert.ok(workIds);
    assert.deepEqual(
      outbox.map((event) => [event.id, event.type]),
      [
        [`parcel/${id}/1`, 'service.parcel.ParcelWeighed.v1'],
        [`parcel/${id}/2`, 'service.parcel.ParcelWeighed.v1'],
        [`parcel/${id}/3`, 'service.parcel.ParcelLabelled.v1'],
      ],
    );
    assert.deepEqual(outbox[1]?.data, {
      weightGrams: 120,
      meta: { parcelId: id, organisationId: 7, correlationId: 'correlation-of-w1', occurredAt: now },
    });
  });

  it('returns undefined for an absent document, and writes nothing without a change', async () => {
    const id = await newParcel();
    assert.equal(await here().change(at('absent'), work(), () => assert.fail('decided')), undefined);
    const unchanged = await here().change(at(id), work(), () => undefined);
    assert.deepEqual([unchanged?.outcome, (await stored(id)).revision], ['UNCHANGED', 1]);
  });

  it('recognises the first work after 200 later writes, until 73 hours have passed', async () => {
    const id = await newParcel();
    assert.equal((await heavier(here(), id, work('first')))?.outcome, 'WRITTEN');
    now = new Date(now.getTime() + HOUR_MS);
    for (const index of numbers(200)) await heavier(here(), id, work(`later-${index}`));
    assert.equal((await heavier(there(), id, work('first')))?.outcome, 'REPEATED');
    now = new Date(now.getTime() + 72 * HOUR_MS);
    assert.equal((await heavier(there(), id, work('first')))?.outcome, 'REPEATED');
    assert.equal((await stored(id)).weightGrams, 301);
    now = new Date(now.getTime() + 1_000);
    assert.equal((await heavier(there(), id, work('first')))?.outcome, 'WRITTEN');
  });

  it('lets 50 writers of two processes change one document, each once, their events in order', async () => {
    const id = await newParcel();
    const writes = numbers(WRITERS).map((index) => heavier(index % 2 ? here() : there(), id, work()));
    await Promise.all(writes);
    const { weightGrams, revision, sequence, outbox } = await stored(id);
    assert.deepEqual([weightGrams, revision, sequence], [100 + WRITERS, WRITERS + 1, WRITERS + 1]);
    assert.deepEqual(
      outbox.map((event) => event.sequence),
      numbers(WRITERS + 1).map((index) => index + 1),
    );
    assert.deepEqual(
      outbox.map((event) => event.data.weightGrams),
      numbers(WRITERS + 1).map((index) => 100 + index),
    );
  });

  it('carries out work once that is requested five times at once', async () => {
    const id = await newParcel();
    const repeated = numbers(WRITERS).map((index) => heavier(index % 2 ? here() : there(), id, work(`w${index % 10}`)));
    const outcomes = (await Promise.all(repeated)).map((changed) => changed?.outcome);
    assert.equal(outcomes.filter((outcome) => outcome === 'WRITTEN').length, 10);
    assert.equal((await stored(id)).weightGrams, 110);
  });

  it('creates one document for repeated work, and returns its present state', async () => {
    const create = (store: Aggregates<ParcelDocument, ParcelEvent>, barcode: string) =>
      store.create({ _id: randomUUID(), organisationId: 7, weightGrams: 5, barcode }, work('w'), {
        events: [{ type: 'ParcelLabelled' }],
        pendingStart: true,
      });
    const made = await Promise.all(numbers(20).map((index) => create(index % 2 ? here() : there(), `b${index}`)));
    assert.equal(new Set(made.map(({ document }) => document._id)).size, 1);
    assert.equal(made.filter(({ outcome }) => outcome === 'WRITTEN').length, 1);
    const [{ document }] = made as [(typeof made)[number]];
    assert.deepEqual([document.revision, document.sequence, document.pendingSince], [1, 1, now]);
    await heavier(here(), document._id, work());
    assert.equal((await create(here(), 'late')).document.weightGrams, 6);
    const other = here().create(
      { _id: randomUUID(), organisationId: 7, weightGrams: 5, ...(document.barcode && { barcode: document.barcode }) },
      work(),
      {},
    );
    await assert.rejects(other, (error) => isDuplicateKey(error, 'barcodes'));
  });

  it('omits undefined members: the driver would store null, which unique indexes contain', async () => {
    const unnamed = { barcode: undefined } as unknown as Partial<ParcelDocument>;
    const ids = [await newParcel(unnamed), await newParcel(unnamed)];
    for (const id of ids) assert.ok(!('barcode' in (await stored(id))));
  });

  it('writes nothing when a time limit passes between reading and writing', async () => {
    const id = await newParcel({ collectUntil: new Date(now.getTime() + 1_000) });
    const open = (time: Date) => ({ collectUntil: { $gt: time } });
    const place: Place<ParcelDocument> = { filter: (time) => ({ _id: id, ...open(time) }), condition: open };
    const changed = await here().change(place, work(), () => {
      now = new Date(now.getTime() + 1_000);
      return { set: { weightGrams: 1 } };
    });
    assert.equal(changed, undefined);
    assert.equal((await stored(id)).weightGrams, 100);
  });

  it('decides again on the document of a faster writer, and opens it once', async () => {
    const id = await newParcel();
    let opened = 0;
    const open = async () => {
      opened += 1;
      // Another writer changes the document between the read and the write.
      await here().changeUnread({ _id: id }, { set: { weightGrams: 500 } });
      return 'key';
    };
    const seen: number[] = [];
    const changed = await there().change({ ...at(id), open }, work(), ({ document, opened: key }) => {
      assert.equal(key, 'key');
      seen.push(document.weightGrams);
      return { set: { weightGrams: document.weightGrams + 1 } };
    });
    assert.deepEqual([seen, opened, changed?.outcome], [[100, 500], 1, 'WRITTEN']);
    assert.deepEqual([changed?.document.revision, (await stored(id)).weightGrams], [3, 501]);
  });

  it('treats a document that cannot be opened as absent', async () => {
    const place = { ...at(await newParcel()), open: async () => undefined };
    assert.equal(await here().change(place, work(), () => assert.fail('decided')), undefined);
    assert.equal(await here().find(place), undefined);
  });

  it('changes without reading where the condition alone decides', async () => {
    const id = await newParcel({ labels: ['open'] });
    const close = () =>
      here().changeUnread({ _id: id, labels: 'open' }, { set: { labels: ['closed'] }, pendingStart: true });
    const outcomes = await Promise.all(numbers(10).map(close));
    assert.equal(outcomes.filter((matched) => matched).length, 1);
    const { labels, revision, pendingStart, pendingSince } = await stored(id);
    assert.deepEqual([labels, revision, pendingStart, pendingSince], [['closed'], 2, true, now]);
  });

  it('computes members from the stored ones in one write, and raises the revision with it', async () => {
    const id = await newParcel();
    const heavier = { $set: { weightGrams: { $add: ['$weightGrams', 1] } } };
    const update = conditionalPipeline([heavier, { $unset: ['labels'] }], now, { pendingStart: true });
    await Promise.all(numbers(10).map(() => collection().updateOne({ _id: id }, update)));
    const { weightGrams, labels, revision, pendingStart, pendingSince } = await stored(id);
    assert.deepEqual([weightGrams, labels, revision], [110, undefined, 11]);
    assert.deepEqual([pendingStart, pendingSince], [true, now]);
    await collection().updateOne({ _id: id }, conditionalPipeline([], now, { pendingStart: false }));
    const after = await stored(id);
    assert.deepEqual([after.revision, after.pendingStart, after.pendingSince], [12, undefined, undefined]);
  });

  it('needs no event family without events', async () => {
    const id = await newParcel();
    const store = new Aggregates<ParcelDocument, ParcelEvent>({ collection: collection(), now: clock });
    assert.equal((await store.change(at(id), work(), () => ({ set: { weightGrams: 5 } })))?.document.weightGrams, 5);
    await assert.rejects(
      store.change(at(id), work(), () => ({ events: [{ type: 'ParcelLabelled' }] })),
      RangeError,
    );
  });

  it('refuses with the area’s own error when a document has been written too often', async () => {
    const id = await newParcel();
    const entry = addWorkId(undefined, 'w', now);
    const full = Buffer.concat(Array<Buffer>(MAX_WORK_IDS).fill(entry));
    await collection().updateOne({ _id: id }, { $set: { workIds: full } });
    const refused: AggregateBusy[] = [];
    const busy = (error: AggregateBusy) => {
      refused.push(error);
      return new Error('come later');
    };
    const store = new Aggregates<ParcelDocument, ParcelEvent>({
      collection: collection(),
      family: PARCEL_EVENTS,
      environment: 'dev',
      now: clock,
      busy,
    });
    await assert.rejects(heavier(store, id, work()), /come later/);
    assert.equal(refused[0]?.reason, 'TOO_MANY_WRITES');
    assert.equal((await heavier(store, id, work('w')))?.outcome, 'REPEATED');
    assert.equal((await stored(id)).weightGrams, 100);
  });
});
