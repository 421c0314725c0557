/** What a search of orders costs: the index that serves each field, and the limits of pages, counts and time. */
import assert from 'node:assert/strict';
import {
  hintOf,
  LINE_SEARCH_MEMBERS,
  ORDER_SEARCH_MEMBERS,
  type OrderSearchField,
  type OrderSearchTerm,
  toOrderFilter,
} from '../../../activities/orders/order-filter.ts';
import { ORDER_SORT_FIELDS } from '../../../activities/orders/order-search.ts';
import { findPage, MAX_SEARCHED_ITEMS } from '../../../activities/shared/bounded-page.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { NOW, OURS } from '../../support/sample-orders.ts';
import { OrderFixture } from './order-fixture.ts';

/** Nearly all orders of an organisation have the same: a walk by creation finds them as fast. */
const UNSELECTIVE = new Set(['currency', 'distributionChannelId', 'organisationId']);
const TIMES = new Set(['createdAt', 'lastConfirmedAt', 'startTime', 'endTime']);
const NUMBERS = new Set(['version', 'balance', 'totalAmount']);

interface PlanStage {
  readonly stage: string;
  readonly indexName?: string;
  readonly keyPattern?: Readonly<Record<string, number>>;
  readonly indexBounds?: Readonly<Record<string, readonly string[]>>;
  readonly inputStage?: PlanStage;
  readonly inputStages?: readonly PlanStage[];
}

describe('the cost of order search', () => {
  const fixture = new OrderFixture('order-search-bounds');
  before(async () => {
    await fixture.open();
    await fixture.clear();
    await fixture.withSeat();
  });
  after(async () => await fixture.close());

  const sampleOf = (field: OrderSearchField) => (TIMES.has(field) ? NOW : NUMBERS.has(field) ? 7 : 'X');
  const scansOf = async (terms: readonly OrderSearchTerm[]): Promise<readonly PlanStage[]> => {
    const filter = toOrderFilter({ organisationId: OURS }, terms);
    const found = fixture.here.collection.find(filter, hintOf(OURS, terms)).sort({ createdAt: 1, _id: 1 });
    const { queryPlanner } = await found.explain();
    const { winningPlan, rejectedPlans } = queryPlanner as { winningPlan: PlanStage; rejectedPlans: PlanStage[] };
    return [winningPlan, ...rejectedPlans].flatMap(stagesOf);
  };
  const stagesOf = (plan: PlanStage): readonly PlanStage[] => [
    plan,
    ...[...(plan.inputStage ? [plan.inputStage] : []), ...(plan.inputStages ?? [])].flatMap(stagesOf),
  ];

  for (const [field, member] of [
    ...Object.entries(ORDER_SEARCH_MEMBERS),
    ...Object.entries(LINE_SEARCH_MEMBERS).map(([name, at]) => [name, `orderLines.${at}`] as const),
  ] as [OrderSearchField, string][]) {
    if (UNSELECTIVE.has(field)) continue;
    it(`finds orders of an organisation by ${field} in an index`, async () => {
      const stages = await scansOf([{ field, operator: 'eq', values: [sampleOf(field)] }]);
      const used = stages.filter(({ stage }) => stage === 'IXSCAN');
      const serving = used.find(({ keyPattern }) => Object.keys(keyPattern ?? {})[1] === member);
      assert.ok(serving, JSON.stringify(used.map(({ keyPattern }) => keyPattern)));
      assert.notDeepEqual(serving.indexBounds?.[member], ['[MinKey, MaxKey]']);
      assert.ok(stages.every(({ stage }) => stage !== 'COLLSCAN'));
    });
  }

  it('reads a range of one line between both its bounds', async () => {
    const stages = await scansOf([
      { field: 'startTime', operator: 'gte', values: [NOW] },
      { field: 'startTime', operator: 'lt', values: [new Date(NOW.getTime() + 60_000)] },
    ]);
    const member = `orderLines.${LINE_SEARCH_MEMBERS.startTime}`;
    const bounds = stages.flatMap(({ indexBounds }) => indexBounds?.[member] ?? []);
    assert.ok(
      bounds.some((bound) => bound.split('new Date').length === 3),
      bounds.join(),
    );
  });

  for (const field of ORDER_SORT_FIELDS) {
    it(`answers by ${field} without sorting`, async () => {
      const filter = toOrderFilter({ organisationId: OURS }, []);
      const sort = { [ORDER_SEARCH_MEMBERS[field]]: 1, _id: 1 } as const;
      const { queryPlanner } = await fixture.here.collection.find(filter).sort(sort).explain();
      const stages = stagesOf(queryPlanner.winningPlan).map(({ stage }) => stage);
      assert.ok(!stages.includes('SORT') && !stages.includes('COLLSCAN'), stages.join());
    });
  }

  const codeOf = async (promise: Promise<unknown>) => {
    const error = await promise.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return error instanceof ServiceError ? error.code : error;
  };

  it('refuses pages out of reach', async () => {
    const page = (number: number) =>
      fixture.here.search.search(OURS, { terms: [], page: number, perPage: 100, sortBy: 'asc' });
    assert.equal((await page(MAX_SEARCHED_ITEMS / 100)).items.length, 0);
    assert.equal(await codeOf(page(MAX_SEARCHED_ITEMS / 100 + 1)), 'INVALID_SEARCH');
  });

  it('ends a search that takes too long', async () => {
    const numbers = fixture.here.connection.collection<{ readonly n: number }>('slow_numbers');
    await numbers.insertMany(Array.from({ length: 1_000 }, (_, n) => ({ n })));
    const counted = { $filter: { input: { $range: [0, { $add: [20_000, '$n'] }] }, cond: { $lt: ['$$this', 0] } } };
    const slow = { $expr: { $gt: [{ $size: counted }, 0] } };
    const wanted = { page: 1, perPage: 1, sort: { _id: 1 }, maxTimeMs: 50 } as const;
    assert.equal(await codeOf(findPage(numbers, slow, wanted)), 'UNAVAILABLE');
  });
});
