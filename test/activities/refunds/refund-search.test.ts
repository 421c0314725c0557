/** Searches of refunds, as an operator asks for those that wait: within an organisation, page by page, by an index. */
import assert from 'node:assert/strict';
import { REFUNDS_COLLECTION } from '../../../activities/refunds/refund-document.ts';
import { REFUND_FIELDS, RefundSearch } from '../../../activities/refunds/refund-search.ts';
import { RefundStore } from '../../../activities/refunds/refund-store.ts';
import { type SearchTerm, toMongoFilter } from '../../../platform/mongo/search-filter.ts';
import type { Refund } from '../../../workflows/refunds/rules/refund.ts';
import { noteAttention, noteCrediting, noteLocked } from '../../../workflows/refunds/rules/refund-life.ts';
import type { CreditId, OrderId, OrganisationId, RefundId } from '../../../workflows/shared/ids.ts';
import { OURS } from '../../support/sample-orders.ts';
import { OrderFixture } from '../orders/order-fixture.ts';

const OTHERS = 2 as OrganisationId;
const WORK = { correlationId: 'c', clientId: 'partner' };
const is = (field: string, ...values: readonly string[]): SearchTerm => ({
  ...{ field, operator: values.length > 1 ? 'in' : 'eq', values },
});

interface Stage {
  readonly stage: string;
  readonly keyPattern?: object;
  readonly indexBounds?: Readonly<Record<string, readonly string[]>>;
  readonly inputStage?: Stage;
}

describe('searches of refunds', () => {
  const fixture = new OrderFixture('refund-search');
  let refunds: RefundStore;
  let search: RefundSearch;
  before(async () => {
    await fixture.open();
    const { connection } = fixture.here;
    await REFUNDS_COLLECTION.ensureIndexes(connection);
    refunds = new RefundStore({ connection, environment: 'dev', now: () => fixture.now });
    search = new RefundSearch(connection);
  });
  beforeEach(async () => {
    await REFUNDS_COLLECTION.open(fixture.here.connection).deleteMany({});
  });
  after(async () => await fixture.close());

  const requested = async (orderId: string, organisationId = OURS): Promise<Refund> => {
    fixture.now = new Date(fixture.now.getTime() + 1_000);
    const operation = {
      ...{ orderLineId: 'A' as never, orderLineVersion: 1, refundRuleId: 'R1', unusedOnly: false },
      ...{ shareMinor: 100, refundMinor: 100 },
    };
    const content = {
      ...{ id: crypto.randomUUID() as RefundId, organisationId, orderId: orderId as OrderId, orderVersion: 1 },
      ...{ distributionChannelId: 'SVC:DistributionChannel:Page' as never, currency: 'NOK' },
      ...{ operations: [operation], parts: [] },
    };
    return (await refunds.create(content, { ...WORK, workId: crypto.randomUUID() })).refund;
  };
  const waiting = async (orderId: string, creditId: number, organisationId = OURS): Promise<Refund> => {
    const { id } = await requested(orderId, organisationId);
    const locked = { refundedVersion: 2, disabledTicketIds: [] };
    await refunds.change(organisationId, id, WORK, (before, now) => noteLocked(before, locked, now));
    const credited = { creditId: creditId as CreditId };
    await refunds.change(organisationId, id, WORK, (before, now) => noteCrediting(before, credited, now));
    return (await refunds.change(organisationId, id, WORK, noteAttention)).refund;
  };
  const found = async (
    terms: readonly SearchTerm[],
    { tenancy = OURS, page = 1, perPage = 25, sortBy = 'desc' }: Partial<Wanted> = {},
  ) => {
    const { items, totalItems } = await search.search(tenancy, { terms, page, perPage, sortBy, orderBy: undefined });
    return [items.map(({ orderId }) => orderId).join(), totalItems];
  };

  it('find those of the organisation that wait for an operator, page by page, the oldest first', async () => {
    for (const [at, orderId] of ['AAAAAAAA', 'BBBBBBBB', 'CCCCCCCC'].entries()) await waiting(orderId, at + 1);
    await requested('DDDDDDDD');
    await waiting('EEEEEEEE', 9, OTHERS);
    const waits = [is('status', 'NEEDS_ATTENTION')];
    assert.deepEqual(await found(waits), ['CCCCCCCC,BBBBBBBB,AAAAAAAA', 3]);
    const byTwo = { perPage: 2, sortBy: 'asc' } as const;
    assert.deepEqual(await found(waits, byTwo), ['AAAAAAAA,BBBBBBBB', 3]);
    assert.deepEqual(await found(waits, { ...byTwo, page: 2 }), ['CCCCCCCC', 3]);
    assert.deepEqual(await found(waits, { ...byTwo, page: 3 }), ['', 3]);
    assert.deepEqual(await found(waits, { tenancy: OTHERS }), ['EEEEEEEE', 1]);
    assert.deepEqual((await found(waits, { tenancy: 'ANY' }))[1], 4);
  });

  it('find by each field, and all terms hold', async () => {
    const first = await waiting('AAAAAAAA', 1);
    const second = await requested('BBBBBBBB');
    const since = is('createdAt', second.createdAt.toISOString());
    assert.deepEqual(await found([is('refundId', first.id.toUpperCase())]), ['AAAAAAAA', 1]);
    assert.deepEqual(await found([is('orderId', 'BBBBBBBB')]), ['BBBBBBBB', 1]);
    assert.deepEqual(await found([is('creditId', 1 as never)]), ['AAAAAAAA', 1]);
    assert.deepEqual(await found([is('status', 'REQUESTED', 'NEEDS_ATTENTION')]), ['BBBBBBBB,AAAAAAAA', 2]);
    assert.deepEqual(await found([{ ...since, operator: 'gte' }]), ['BBBBBBBB', 1]);
    assert.deepEqual(await found([{ ...since, operator: 'gte' }, is('orderId', 'AAAAAAAA')]), ['', 0]);
  });

  for (const [field, { member }] of Object.entries(REFUND_FIELDS)) {
    it(`by ${field} are served by an index`, async () => {
      const value = field === 'createdAt' ? fixture.now.toISOString() : field === 'creditId' ? 7 : 'X';
      const filter = { $and: [{ organisationId: OURS }, toMongoFilter([is(field, value as never)], REFUND_FIELDS)] };
      const { queryPlanner } = await REFUNDS_COLLECTION.open(fixture.here.connection)
        .find(filter as never)
        .sort({ createdAt: -1, _id: -1 })
        .explain();
      // Of an empty collection any plan may win.
      const plans: readonly Stage[] = [queryPlanner.winningPlan, ...queryPlanner.rejectedPlans];
      const scans = plans.flatMap((plan) => scanOf(plan) ?? []);
      const serving = scans.find(({ keyPattern = {} }) => Object.keys(keyPattern).slice(0, 2).includes(member));
      assert.ok(serving, JSON.stringify(scans.map(({ keyPattern }) => keyPattern)));
      assert.notDeepEqual(serving.indexBounds?.[member], ['[MinKey, MaxKey]']);
    });
  }
});

interface Wanted {
  readonly tenancy: OrganisationId | 'ANY';
  readonly page: number;
  readonly perPage: number;
  readonly sortBy: 'asc' | 'desc';
}

function scanOf(stage: Stage | undefined): Stage | undefined {
  return stage === undefined || stage.stage === 'IXSCAN' ? stage : scanOf(stage.inputStage);
}
