/** Search of payments and credits by each field of the contract, and the index that serves it. */
import assert from 'node:assert/strict';
import { CREDITS_COLLECTION } from '../../../activities/payments/credit-document.ts';
import { CreditSearch } from '../../../activities/payments/credit-search.ts';
import {
  PAYMENT_SEARCH_MEMBERS,
  type PaymentSearchField,
  type PaymentSearchTerm,
  TRANSACTION_SEARCH_MEMBERS,
  toPaymentFilter,
} from '../../../activities/payments/payment-filter.ts';
import { PaymentSearch, type PaymentSortField } from '../../../activities/payments/payment-search.ts';
import type { Tenancy } from '../../../activities/payments/payment-types.ts';
import type { SearchTerm } from '../../../platform/mongo/search-filter.ts';
import { importTransaction } from '../../../workflows/payments/rules/creation.ts';
import type { Payment } from '../../../workflows/payments/rules/payment.ts';
import type { CustomerNumber, OrderId, SettlementId } from '../../../workflows/shared/ids.ts';
import { later, NOW, OURS, THEIRS } from '../../support/sample-orders.ts';
import { samplePayment, sampleTransaction, TOTAL } from '../../support/sample-payments.ts';
import { PaymentFixture, work } from './payment-fixture.ts';

/** Nearly all payments of an organisation have the same: a walk by creation finds them as fast. */
const UNSELECTIVE = new Set<string>(['currency', 'organisationId']);
const SORTS: readonly PaymentSortField[] = [
  ...(['paymentId', 'createdAt', 'updatedAt', 'status', 'orderVersion', 'totalAmount'] as const),
];

interface PlanStage {
  readonly stage: string;
  readonly keyPattern?: Readonly<Record<string, number>>;
  readonly indexBounds?: Readonly<Record<string, readonly string[]>>;
  readonly inputStage?: PlanStage;
  readonly inputStages?: readonly PlanStage[];
}

const stagesOf = (plan: PlanStage): readonly PlanStage[] => [
  plan,
  ...[...(plan.inputStage ? [plan.inputStage] : []), ...(plan.inputStages ?? [])].flatMap(stagesOf),
];

describe('payment search', () => {
  const fixture = new PaymentFixture('payment-search');
  let search: PaymentSearch;
  /** Paid by an import. */
  let paid: Payment;
  /** Open, with one transaction. */
  let open: Payment;

  before(async () => {
    await fixture.open();
    await fixture.clear();
    search = new PaymentSearch(fixture.here.connection);
    const { payment } = await fixture.create({
      ...{ transaction: undefined as never, customerNumber: '1000000001' as CustomerNumber },
    });
    fixture.passes(1);
    const changed = await fixture.here.store.change(OURS, payment.id, work(), (before, now, { transactionId }) =>
      importTransaction(
        before,
        {
          ...sampleTransaction({ id: transactionId, paymentType: 'VIPPS', paymentTypeGroup: 'MOBILE' }),
          ...{ rrn: 'RRN1', last4: '4242', confirmedAt: NOW, externalTransactionId: 'E-1' },
          settlementId: '77' as SettlementId,
        },
        now,
      ),
    );
    paid = changed.payment;
    const second = await fixture.create({ orderId: 'AAAAAAAA' as OrderId, orderVersion: 2 });
    open = second.payment;
    await fixture.here.store.create(THEIRS, work(), ({ paymentId }, now) => ({
      payment: {
        ...samplePayment({ id: paymentId, organisationId: THEIRS }),
        ...{ active: true, transactions: [], createdAt: now, updatedAt: now },
      },
      events: [],
    }));
  });
  after(async () => await fixture.close());

  const find = async (terms: readonly PaymentSearchTerm[], tenancy: Tenancy = OURS) => {
    const found = await search.search(tenancy, { terms, page: 1, perPage: 25, sortBy: 'asc' });
    assert.equal(found.totalItems, found.items.length);
    return found.items.map(({ id }) => id);
  };
  const is = (field: PaymentSearchField, ...values: (string | number | Date)[]): PaymentSearchTerm => ({
    field,
    operator: values.length > 1 ? 'in' : 'eq',
    values,
  });

  it('finds its own payments alone, oldest first', async () => {
    assert.deepEqual(await find([]), [paid.id, open.id]);
    assert.equal((await find([], THEIRS)).length, 1);
    assert.equal((await find([], 'ANY')).length, 3);
    assert.deepEqual(await find([is('organisationId', THEIRS)]), []);
  });

  it('finds a payment by each of its facts', async () => {
    const [transaction] = paid.transactions;
    const facts = [
      is('paymentId', paid.id),
      is('orderId', paid.orderId),
      is('orderVersion', 1),
      is('status', 'PAID'),
      is('paymentType', 'VIPPS'),
      is('paymentTypeGroup', 'MOBILE'),
      is('cardNumber', '4242'),
      is('customerNumber', '1000000001'),
      is('rrn', 'RRN1'),
      is('settlementId', '77'),
      is('createdAt', NOW),
      is('externalTransactionId', 'E-1'),
      is('paymentTransactionId', transaction?.id ?? 0),
    ];
    for (const fact of facts) assert.deepEqual(await find([fact]), [paid.id], fact.field);
    assert.deepEqual(await find(facts), [paid.id]);
    for (const both of [is('totalAmount', TOTAL), is('currency', 'NOK'), is('updatedAt', later(1))]) {
      assert.equal((await find([both])).length, 2, both.field);
    }
  });

  it('takes terms of one field on one transaction, and leaves out what a negative term names', async () => {
    assert.deepEqual(await find([{ field: 'status', operator: 'ne', values: ['PAID'] }]), [open.id]);
    assert.deepEqual(await find([{ field: 'paymentType', operator: 'nin', values: ['VIPPS'] }]), [open.id]);
    const range = (from: string, to: string): readonly PaymentSearchTerm[] => [
      { field: 'cardNumber', operator: 'gte', values: [from] },
      { field: 'cardNumber', operator: 'lt', values: [to] },
    ];
    assert.deepEqual(await find(range('4000', '5000')), [paid.id]);
    assert.deepEqual(await find(range('5000', '6000')), []);
    assert.deepEqual(await find([is('status', 'PAID', 'OPEN')]), [paid.id, open.id]);
  });

  it('answers pages in the order that is asked for', async () => {
    const page = async (number: number) =>
      await search.search(OURS, { terms: [], page: number, perPage: 1, sortBy: 'desc', orderBy: 'orderVersion' });
    const ids = (await Promise.all([1, 2, 3].map(page))).map(({ items }) => items.map(({ id }) => id));
    assert.deepEqual(ids, [[open.id], [paid.id], []]);
  });

  const plan = async (filter: object, sort: object) => {
    const found = fixture.here.collection.find(filter as never).sort(sort as never);
    const { queryPlanner } = await found.explain();
    const { winningPlan, rejectedPlans } = queryPlanner as { winningPlan: PlanStage; rejectedPlans: PlanStage[] };
    return { winning: stagesOf(winningPlan), all: [winningPlan, ...rejectedPlans].flatMap(stagesOf) };
  };

  const members = [
    ...Object.entries(PAYMENT_SEARCH_MEMBERS),
    ...Object.entries(TRANSACTION_SEARCH_MEMBERS).map(([field, member]) => [field, `transactions.${member}`]),
  ] as [PaymentSearchField, string][];
  for (const [field, member] of members) {
    if (UNSELECTIVE.has(field)) continue;
    it(`finds payments of an organisation by ${field} in an index`, async () => {
      const value = field.endsWith('At') ? NOW : /Id$|Version|Amount/.test(field) ? 7 : 'X';
      const filter = toPaymentFilter({ organisationId: OURS }, [is(field, value)]);
      const { all } = await plan(filter, { createdAt: 1, _id: 1 });
      const serving = all.find(({ stage, keyPattern }) => {
        const [first, second] = Object.keys(keyPattern ?? {});
        return stage === 'IXSCAN' && (second === member || first === member);
      });
      assert.ok(serving, JSON.stringify(all.map(({ keyPattern }) => keyPattern)));
      assert.notDeepEqual(serving.indexBounds?.[member], ['[MinKey, MaxKey]']);
      assert.ok(all.every(({ stage }) => stage !== 'COLLSCAN'));
    });
  }

  for (const field of SORTS) {
    it(`answers by ${field} without sorting`, async () => {
      const sort = { [PAYMENT_SEARCH_MEMBERS[field]]: 1, _id: 1 };
      const { winning } = await plan(toPaymentFilter({ organisationId: OURS }, []), sort);
      const stages = winning.map(({ stage }) => stage);
      assert.ok(!stages.includes('SORT') && !stages.includes('COLLSCAN'), stages.join());
    });
  }
});

describe('credit search', () => {
  const fixture = new PaymentFixture('credit-search');
  before(async () => {
    await fixture.open();
    await fixture.clear();
  });
  after(async () => await fixture.close());

  it('finds credits by each of their facts', async () => {
    const search = new CreditSearch(fixture.here.connection);
    const parts = [{ paymentId: 7 as never, transactionId: 9 as never, amountMinor: 500, paymentType: 'VISA' }];
    const make = async (more: object) =>
      await fixture.here.credits.create(OURS, work(), (id) => ({
        ...{ id, organisationId: OURS, orderId: 'K7QW2MXP' as OrderId, orderVersion: 1, currency: 'NOK' },
        ...{ distributionChannelId: 'SVC:DistributionChannel:Web' as never, reason: 'BALANCE' as const },
        parts: parts.map((part) => ({ ...part, paymentTypeGroup: 'PAYMENTCARD' })),
        ...more,
      }));
    const { credit } = await make({ customerNumber: '1000000001', settlementId: '77' });
    await make({ orderId: 'AAAAAAAA', orderVersion: 2 });
    const outcome = { transactionId: 9 as never, status: 'CREDITED' as const, rrn: 'BACK' };
    for (const _ of [1, 2]) await fixture.here.credits.notePart(OURS, credit.id, outcome);
    const find = async (terms: readonly SearchTerm[], tenancy: Tenancy = OURS) => {
      const request = { terms, page: 1, perPage: 25, sortBy: 'asc' as const, orderBy: undefined };
      return (await search.search(tenancy, request)).items.map(({ id }) => id);
    };
    const facts: Readonly<Record<string, string | number>> = {
      ...{ creditId: credit.id, orderId: 'K7QW2MXP', orderVersion: 1, status: 'CREDITED' },
      ...{ customerNumber: '1000000001', rrn: 'BACK', settlementId: '77' },
    };
    for (const [field, value] of Object.entries(facts)) {
      assert.deepEqual(await find([{ field, operator: 'eq', values: [value] }]), [credit.id], field);
    }
    assert.equal((await find([])).length, 2);
    assert.equal((await find([{ field: 'rrn', operator: 'ne', values: ['BACK'] }])).length, 1);
    assert.deepEqual(await find([], THEIRS), []);
    assert.equal((await find([], 'ANY')).length, 2);
    const indexes = await CREDITS_COLLECTION.open(fixture.here.connection).indexes();
    for (const field of [...Object.keys(facts).filter((name) => name !== 'rrn'), 'parts.rrn', 'createdAt']) {
      assert.ok(
        indexes.some(({ key }) => Object.keys(key)[0] === 'organisationId' && Object.keys(key)[1] === field),
        field,
      );
    }
  });
});
