/** Tests stored offers: whose they are, until when, and what a repeated search finds. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import {
  OFFER_LIFE_MS,
  OFFERS_COLLECTION,
  type OfferSearchDocument,
} from '../../../activities/offers/offer-document.ts';
import { offerIdAt, searchIdOfWork } from '../../../activities/offers/offer-ids.ts';
import { OfferStore } from '../../../activities/offers/offer-store.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import type { OfferId, OrganisationId } from '../../../workflows/shared/ids.ts';
import { useMongo } from '../../support/stack.ts';
import { storedSearch } from './support.ts';

const [ONE, TWO] = [1 as OrganisationId, 2 as OrganisationId];
const MINUTE_MS = 60_000;

describe('stored offers', () => {
  let connection: Connection;
  let nowMs: number;
  let store: OfferStore;
  before(async () => {
    connection = await connectMongo((await useMongo()).uri(`offers_${randomUUID().slice(0, 8)}`));
    await OFFERS_COLLECTION.ensureIndexes(connection);
  });
  after(async () => {
    await connection?.dropDatabase();
    await connection?.close();
  });
  beforeEach(() => {
    nowMs = Date.parse('2026-11-23T07:00:00Z');
    store = new OfferStore(connection, () => new Date(nowMs));
  });

  async function add(workId: string = randomUUID()): Promise<OfferSearchDocument> {
    return await store.add(storedSearch(workId, ONE, new Date(nowMs)));
  }
  const idsOf = ({ _id, offers }: OfferSearchDocument) => offers.map((_, place) => offerIdAt(_id, place));

  it('are found whole by their ids', async () => {
    const search = await add();
    const [id, other] = idsOf(search) as [OfferId, OfferId];
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const offer = await store.findLive(ONE, id);
    assert.equal(offer?._id, id);
    assert.deepEqual(
      [offer?.preassignedProducts[0]?.id, offer?.totalPrice.amountMinor, offer?.travellers.map((each) => each.id)],
      ['SINGLE', 4_000, ['t1', 't3']],
    );
    assert.deepEqual(
      offer?.legs.map(({ legId, lineId }) => [legId, lineId]),
      [['leg-1', 'B1']],
    );
    assert.ok(!JSON.stringify(offer?.legs).includes('callZones'));
    const both = await store.find(ONE, [id, other, offerIdAt(search._id, 99)]);
    assert.deepEqual([...both.keys()], [id, other]);
    assert.equal((await store.findLive(ONE, id.toUpperCase() as OfferId))?._id, id);
  });

  it('are absent for another organisation, as if unknown', async () => {
    const [id] = idsOf(await add()) as [OfferId];
    assert.equal(await store.findLive(TWO, id), undefined);
    assert.equal((await store.find(TWO, [id])).size, 0);
    assert.ok(await store.findLive('ANY', id));
  });

  it('expire after half an hour, and are told as expired for an hour', async () => {
    const [id] = idsOf(await add()) as [OfferId];
    nowMs += OFFER_LIFE_MS - 1;
    assert.ok(await store.findLive(ONE, id));
    nowMs += 1;
    assert.equal(await store.findLive(ONE, id), undefined);
    assert.ok((await store.find(ONE, [id])).has(id));
    nowMs += 60 * MINUTE_MS;
    assert.equal((await store.find(ONE, [id])).size, 0);
  });

  it('of a repeated search are those of its first attempt, also when both run at once', async () => {
    const workId = randomUUID();
    const documents = await Promise.all([add(workId), add(workId), add(workId)]);
    nowMs += MINUTE_MS;
    documents.push(await add(workId));
    for (const { _id, createdAt } of documents) {
      assert.equal(_id, searchIdOfWork(workId));
      assert.deepEqual(createdAt, documents[0]?.createdAt);
    }
    assert.equal(await OFFERS_COLLECTION.open(connection).countDocuments({ _id: searchIdOfWork(workId) }), 1);
  });

  it('are removed by the database an hour after they have expired', async () => {
    const [, index] = await OFFERS_COLLECTION.open(connection).indexes();
    assert.deepEqual([index?.key, index?.expireAfterSeconds], [{ expiresAt: 1 }, 3_600]);
  });
});
