/** Each workflow that a write requests must start, even when a process dies, and a later request must not be lost. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { pino } from 'pino';
import { PendingStarts, startPending, sweepPendingStarts } from '../../../platform/aggregate/pending-starts.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { useMongo } from '../../support/stack.ts';
import { ensureParcelIndexes, type ParcelDocument, parcelCollection, parcels } from './parcels.ts';

const log = pino({ level: 'silent' });

describe('pending starts', () => {
  let connection: Connection;
  let now: Date;
  const collection = () => parcelCollection(connection);
  const store = () => parcels(collection(), () => now);
  const pending = () => new PendingStarts(collection(), { organisationId: 1 });
  const stillPending = async () => await collection().countDocuments({ pendingStart: true });

  before(async () => {
    connection = await connectMongo((await useMongo()).uri('pending-starts'));
    await ensureParcelIndexes(collection());
  });
  beforeEach(async () => {
    now = new Date('2026-05-04T12:00:00Z');
    await collection().deleteMany({});
  });
  after(async () => await connection.close());

  async function newParcel(): Promise<ParcelDocument> {
    const work = { workId: randomUUID(), correlationId: 'c' };
    const content = { _id: randomUUID(), organisationId: 7, weightGrams: 1 };
    return (await store().create(content, work, { pendingStart: true })).document;
  }

  async function sweep(start: (parcel: ParcelDocument) => Promise<void>): Promise<void> {
    await sweepPendingStarts<ParcelDocument>({
      list: (before, limit) => pending().list(before, limit),
      start,
      clear: ({ _id, revision }) => pending().clear(_id, revision),
      describe: ({ _id }) => ({ parcelId: _id }),
      log,
      now: () => now,
    });
  }

  it('starts workflows that a crash left pending, once handlers must have ended', async () => {
    const left = await newParcel();
    const started: string[] = [];
    const start = async ({ _id }: ParcelDocument) => void started.push(_id);
    await sweep(start);
    assert.deepEqual(started, []);
    now = new Date(now.getTime() + 2_001);
    await sweep(start);
    await sweep(start);
    assert.deepEqual(started, [left._id]);
    assert.equal(await stillPending(), 0);
  });

  it('starts and clears at once for a handler, and leaves what fails to the sweep', async () => {
    const parcel = await newParcel();
    const warned: object[] = [];
    const handle = async (start: (parcel: ParcelDocument) => Promise<void>) =>
      await startPending(parcel, {
        start,
        clear: ({ _id, revision }) => pending().clear(_id, revision),
        describe: ({ _id }) => ({ parcelId: _id }),
        log: pino({ level: 'warn' }, { write: (line) => void warned.push(JSON.parse(line)) }),
      });
    await handle(async () => {
      throw new Error('Temporal is away');
    });
    assert.equal(await stillPending(), 1);
    assert.equal((warned[0] as { parcelId?: string }).parcelId, parcel._id);
    const started: string[] = [];
    await handle(async ({ _id }) => void started.push(_id));
    assert.deepEqual([started, await stillPending(), warned.length], [[parcel._id], 0, 1]);
  });

  it('starts again when a process died between start and clearing', async () => {
    const { _id } = await newParcel();
    now = new Date(now.getTime() + 3_000);
    const died = new Error('died');
    await sweep(async () => {
      throw died;
    });
    assert.equal(await stillPending(), 1);
    const started: string[] = [];
    await sweep(async (parcel) => void started.push(parcel._id));
    assert.deepEqual(started, [_id]);
  });

  it('keeps a request that is written while the earlier one is being started', async () => {
    const { _id, revision } = await newParcel();
    await store().changeUnread({ _id }, { pendingStart: true });
    await pending().clear(_id, revision);
    assert.equal(await stillPending(), 1);
    await pending().clear(_id, revision + 1);
    assert.equal(await stillPending(), 0);
  });

  it('starts more workflows than one page holds, longest pending first', async () => {
    for (let index = 0; index < 450; index += 1) {
      now = new Date(now.getTime() + 1);
      await newParcel();
    }
    now = new Date(now.getTime() + 3_000);
    const since: number[] = [];
    await sweep(async ({ _id }) => {
      const { pendingSince } = (await collection().findOne({ _id })) ?? {};
      since.push(pendingSince?.getTime() ?? 0);
    });
    assert.equal(since.length, 450);
    assert.equal(await stillPending(), 0);
    const inLists = [since.slice(0, 200), since.slice(200, 400), since.slice(400)].map((list) => Math.min(...list));
    assert.deepEqual(
      inLists,
      inLists.toSorted((a, b) => a - b),
    );
  });

  it('skips a few that fail, and gives up when all do', async () => {
    const bad = await newParcel();
    const good = await newParcel();
    now = new Date(now.getTime() + 3_000);
    const started: string[] = [];
    await sweep(async ({ _id }) => {
      if (_id === bad._id) throw new Error('refused');
      started.push(_id);
    });
    assert.deepEqual(started, [good._id]);
    for (let index = 0; index < 20; index += 1) await newParcel();
    now = new Date(now.getTime() + 3_000);
    let calls = 0;
    const failing = sweep(async () => {
      calls += 1;
      throw new Error('Temporal is away');
    });
    await assert.rejects(failing, /Temporal is away/);
    assert.ok(calls < 21, `${calls} calls`);
  });
});
