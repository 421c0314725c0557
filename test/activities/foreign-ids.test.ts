/** An id of another organisation costs what an absent one costs: the database reads no document for it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { OFFERS_COLLECTION } from '../../activities/offers/offer-document.ts';
import { offerIdAt } from '../../activities/offers/offer-ids.ts';
import { OfferStore } from '../../activities/offers/offer-store.ts';
import { ArrangementSearch } from '../../activities/seating/arrangement-search.ts';
import type { SearchTerm } from '../../platform/mongo/search-filter.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import { storedSearch } from './offers/support.ts';
import { call, carriage, openTrain, request, stretch, type Train } from './seating/support.ts';

const [OURS, THEIRS] = [1 as OrganisationId, 2 as OrganisationId];

describe('an id of another organisation', () => {
  let train: Train;
  beforeEach(async () => {
    train = await openTrain([carriage('1', 4)]);
  });
  afterEach(async () => {
    await train.connection.dropDatabase();
    await train.connection.close();
  });

  /** Documents that the database has read for what is done. */
  const readBy = async (act: () => Promise<unknown>): Promise<number> => {
    const { db } = train.connection;
    assert.ok(db);
    await db.command({ profile: 2 });
    await act();
    await db.command({ profile: 0 });
    const found = await db
      .collection('system.profile')
      .find({ docsExamined: { $exists: true } })
      .toArray();
    assert.ok(found.length > 0);
    return found.reduce((sum, each) => sum + Number(each.docsExamined), 0);
  };

  it('reads no offer', async () => {
    await OFFERS_COLLECTION.ensureIndexes(train.connection);
    const offers = new OfferStore(train.connection);
    const search = storedSearch('work', THEIRS, new Date());
    await offers.add(search);
    const id = offerIdAt(search._id, 0);
    assert.ok(await offers.findLive(THEIRS, id));
    const read = await readBy(async () => {
      assert.equal(await offers.findLive(OURS, id), undefined);
      assert.equal((await offers.find(OURS, [id])).size, 0);
    });
    assert.equal(read, 0);
  });

  it('reads no seating arrangement', async () => {
    const wanted = call([request(stretch(0, 2))], { organisationId: THEIRS });
    const [held] = await train.keeper.hold(wanted);
    assert.ok(held);
    const search = new ArrangementSearch({
      connection: train.connection,
      orders: () => assert.fail('no order is asked for'),
    });
    const terms: readonly SearchTerm[] = [
      { field: 'orderId', operator: 'eq', values: [wanted.orderId] },
      { field: 'orderLineId', operator: 'eq', values: [held.orderLineId] },
      { field: 'reservationId', operator: 'eq', values: [held.reservationId] },
      { field: 'datedServiceJourneyId', operator: 'eq', values: [held.stretch.datedServiceJourneyId] },
    ];
    const paging = { page: 1, perPage: 25, orderBy: undefined, sortBy: 'asc' } as const;
    for (const term of terms) {
      assert.equal((await search.search(THEIRS, { ...paging, terms: [term] })).totalItems, 1, term.field);
      assert.equal((await search.search('ANY', { ...paging, terms: [term] })).totalItems, 1, term.field);
    }
    const read = await readBy(async () => {
      for (const term of terms) assert.equal((await search.search(OURS, { ...paging, terms: [term] })).totalItems, 0);
      await assert.rejects(search.get(OURS, held.arrangementId), { code: 'NOT_FOUND' });
      await assert.rejects(search.get(OURS, randomUUID() as typeof held.arrangementId), { code: 'NOT_FOUND' });
    });
    assert.equal(read, 0);
  });
});
