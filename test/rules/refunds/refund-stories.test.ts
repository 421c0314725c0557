/**
 * Random orders that are changed, cancelled in part and refunded, paid by several transactions of which the channel refunds
 * some: what a dry run says is what happens, and no transaction pays back more than it has captured.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { balanceMinor, heldMinor, totalAmountMinor } from '../../../workflows/orders/rules/amounts.ts';
import { confirmOrder } from '../../../workflows/orders/rules/confirmation.ts';
import type { Order, OrderLine } from '../../../workflows/orders/rules/order.ts';
import { cancelByRules, rewriteLines } from '../../../workflows/orders/rules/reserving/rewrite-lines.ts';
import { createPayment, importTransaction } from '../../../workflows/payments/rules/creation.ts';
import type { CreditPlan } from '../../../workflows/payments/rules/credit-plan.ts';
import { noteCredited, reserveCredit } from '../../../workflows/payments/rules/credits.ts';
import type { Payment } from '../../../workflows/payments/rules/payment.ts';
import { creditableOf, planRefundCredit } from '../../../workflows/payments/rules/refund-credit.ts';
import { creditedMinor } from '../../../workflows/payments/rules/summary.ts';
import { totalRefundMinor } from '../../../workflows/refunds/rules/refund-life.ts';
import { refundOptions } from '../../../workflows/refunds/rules/refund-options.ts';
import { planOperations, type WantedOperation } from '../../../workflows/refunds/rules/refund-plan.ts';
import { performableTogether } from '../../../workflows/refunds/rules/refund-sets.ts';
import type { CreditId, PaymentId, TransactionId } from '../../../workflows/shared/ids.ts';
import { sumOf } from '../../../workflows/shared/money.ts';
import { priceWithTax } from '../../../workflows/shared/price.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { at } from '../../spec/support/offer-case.ts';
import { factsOf, noted, type RefundCase, refundCases, refunded, soldOrder } from '../../spec/support/refund-case.ts';
import { VAT } from '../../support/sample-orders.ts';
import { samplePayment, sampleTransaction } from '../../support/sample-payments.ts';

const GROUPS = ['PAYMENTCARD', 'CASH', 'MOBILE'] as const;
const REFUSALS = ['ZERO_ALLOWED_TRANSACTIONS', 'REFUND_AMOUNT_EXCEEDED'];

const cases: fc.Arbitrary<RefundCase> = fc
  .record({
    price: fc.array(
      fc.integer({ min: 1, max: 90_000 }).map((minor) => minor / 100),
      { minLength: 1, maxLength: 3 },
    ),
    legs: fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 4 }),
    travellers: fc.integer({ min: 1, max: 4 }),
    percent: fc.integer({ min: 1, max: 10_000 }).map((hundredths) => hundredths / 100),
    fee: fc.integer({ min: 0, max: 5_000 }).map((minor) => minor / 100),
  })
  .map(({ percent, fee, ...facts }) => {
    return refundCases.parse([{ about: 'random', ...facts, rules: [{ percent, fee }] }])[0] as RefundCase;
  });
const steps = fc.array(fc.record({ kind: fc.constantFrom('set', 'part', 'cancel', 'change'), pick: fc.nat(10_000) }), {
  minLength: 1,
  maxLength: 10,
});
const story = { one: cases, halves: fc.nat(100), allowed: fc.subarray([...GROUPS], { minLength: 1 }), steps };

interface Told {
  readonly order: Order;
  readonly payments: readonly Payment[];
}

let ids = 0;

describe('refunds of orders that change', () => {
  it('do what their dry run says, and pay back of each transaction at most what it has captured', () => {
    fc.assert(
      fc.property(fc.record(story), ({ one, halves, allowed, steps: wanted }) => {
        const sold = soldOrder(one);
        const channel = { id: 'SVC:DistributionChannel:Web', refundPaymentTypeGroups: allowed };
        let told: Told = { order: sold, payments: [paid(sold.money.capturedMinor, halves)] };
        for (const step of wanted) {
          told = after(one, told, channel, step);
          check(told);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('of all travellers of a group, one by one in any order, give back exactly the price', () => {
    const groups = fc.record({ one: cases, order: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }) });
    fc.assert(
      fc.property(groups, ({ one, order: turns }) => {
        const free = { ...one, rules: [{ until: 'PT0S', percent: 100, fee: 0, unusedOnly: false }] };
        let order = soldOrder(free);
        const price = order.orderLines[0]?.price.amountMinor;
        for (const turn of turns) {
          const [line] = order.orderLines as [OrderLine];
          if (line.status !== 'CONFIRMED') break;
          const traveller = line.travellers[turn % line.travellers.length];
          assert.ok(traveller);
          const wanted = { ...operationOf(line), travellerIds: [traveller.travellerId] };
          const planned = planOf(free, order, wanted);
          if (planned) order = refunded(order, planned, at(free.at));
        }
        const [line] = order.orderLines as [OrderLine];
        assert.equal(line.refundedAmountMinor, line.refundedShareMinor);
        if (line.status === 'CANCELLED') assert.equal(line.refundedAmountMinor, price);
      }),
      { numRuns: 300 },
    );
  });
});

type Channel = Parameters<typeof planRefundCredit>[2];

function after(
  one: RefundCase,
  told: Told,
  channel: Channel,
  { kind, pick }: { readonly kind: string; readonly pick: number },
): Told {
  const now = at(one.at);
  const { order, payments } = told;
  const lines = order.orderLines.filter(({ status }) => status === 'CONFIRMED');
  const line = lines[pick % Math.max(lines.length, 1)];
  if (!line) return told;
  if (kind === 'change') return changed(told, line, pick, channel, now);
  if (kind === 'cancel') {
    const terms = { book: factsOf(one, order).book, feeId: (id: string, type: string) => `${type}-${id}-${ids++}` };
    const named = { orderLineIds: [line.id], ...(pick % 2 === 0 && { terms }) };
    const draft = cancelByRules(order, named, now).order;
    const given = settled(one, { order: draft, payments }, channel, [operationOf(line)]);
    return given ?? told;
  }
  const options = refundOptions(factsOf(one, order), {}, now);
  if (kind === 'set') {
    const [set = []] = performableTogether(options, creditableOf(payments, channel));
    const given = set.length === 0 ? told : settled(one, told, channel, set);
    assert.ok(given, 'The options of a set can be performed together');
    return given;
  }
  const legs = line.travelSpecification.legs.map(({ legId }) => legId);
  const wanted = { ...operationOf(line), legIds: [legs[pick % legs.length] as string] };
  return settled(one, told, channel, [wanted]) ?? told;
}

/** Planned, credited and carried out. Undefined where that is refused, as the dry run says. */
function settled(
  one: RefundCase,
  { order, payments }: Told,
  channel: Channel,
  operations: Parameters<typeof planOperations>[1]['operations'],
): Told | undefined {
  const now = at(one.at);
  const includesCancelled = order.status === 'DRAFT';
  const request = { operations, includesCancelled, isOverruled: false, member: 'refundOperations' as const };
  try {
    const dryRun = planOperations(factsOf(one, order), request, now);
    const parts = planRefundCredit(payments, totalRefundMinor({ operations: dryRun }), channel);
    assert.ok(parts.every(({ paymentTypeGroup }) => channel.refundPaymentTypeGroups.includes(paymentTypeGroup)));
    const done = refunded(order, planOperations(factsOf(one, order), request, now), now);
    assert.equal(done.money.creditedMinor - order.money.creditedMinor, sumOf(parts.map((part) => part.amountMinor)));
    return { order: done, payments: credited(payments, parts) };
  } catch (error) {
    if (error instanceof ServiceError && REFUSALS.includes(error.code)) return undefined;
    throw error;
  }
}

/** The line gets another price, which is paid or paid back; where that cannot be paid back the change is dropped. */
function changed({ order, payments }: Told, line: OrderLine, pick: number, channel: Channel, now: Date): Told {
  const price = priceWithTax(pick + 1, VAT);
  const products = line.fareProducts.slice(0, 1).map((product) => ({ ...product, price }));
  const draft = rewriteLines(order, { lines: [{ ...line, price, fareProducts: products }] }, now).order;
  const owedMinor = balanceMinor(draft);
  const { capturedMinor, creditedMinor: before } = draft.money;
  if (owedMinor >= 0) {
    const confirmed = noted(draft, { capturedMinor: capturedMinor + owedMinor, creditedMinor: before });
    return {
      order: draft.status === 'DRAFT' ? confirmOrder(confirmed, { orderVersion: draft.version }, now).order : order,
      payments: owedMinor > 0 ? [...payments, paid(owedMinor, pick % 100)] : payments,
    };
  }
  try {
    const parts = planRefundCredit(payments, -owedMinor, channel);
    const confirmed = noted(draft, { capturedMinor, creditedMinor: before - owedMinor });
    return {
      order: confirmOrder(confirmed, { orderVersion: draft.version }, now).order,
      payments: credited(payments, parts),
    };
  } catch (error) {
    if (error instanceof ServiceError && REFUSALS.includes(error.code)) return { order, payments };
    throw error;
  }
}

/** By one transaction or two, whose groups and shares follow from the number. */
function paid(amountMinor: number, number: number): Payment {
  const first = Math.floor((amountMinor * number) / 100);
  const empty = createPayment(
    samplePayment({ id: ++ids as PaymentId, totalMinor: amountMinor }),
    at('2026-11-24 12:00'),
  );
  return [first, amountMinor - first]
    .filter((each) => each > 0)
    .reduce((payment, each, n) => {
      const {
        provider: _provider,
        capturesItself: _itself,
        ...money
      } = sampleTransaction({
        ...{ id: ++ids as TransactionId, amountMinor: each, paymentTypeGroup: GROUPS[(number + n) % 3] ?? 'CASH' },
      });
      const entered = { ...money, rrn: String(ids), confirmedAt: at('2026-11-24 12:00') };
      return importTransaction(payment, entered, at('2026-11-24 12:00')).payment;
    }, empty.payment);
}

function credited(payments: readonly Payment[], parts: CreditPlan['parts']): readonly Payment[] {
  const creditId = ++ids as CreditId;
  return payments.map((payment) => {
    const own = parts.filter(({ paymentId }) => paymentId === payment.id);
    const reserved = reserveCredit(payment, { creditId, parts: own }, at('2026-11-24 12:00')).payment;
    return own.reduce(
      (each, { transactionId }) => noteCredited(each, { creditId, transactionId }, at('2026-11-24 12:00')).payment,
      reserved,
    );
  });
}

function check({ order, payments }: Told): void {
  assert.deepEqual([order.status, order.lock, balanceMinor(order)], ['CONFIRMED', undefined, 0]);
  assert.equal(totalAmountMinor(order), heldMinor(order.money));
  const transactions = payments.flatMap((payment) => payment.transactions);
  for (const transaction of transactions) assert.ok(creditedMinor(transaction) <= transaction.amountMinor);
  assert.equal(sumOf(transactions.map(creditedMinor)), order.money.creditedMinor);
  for (const line of order.orderLines) {
    // What was paid back stays told where the line became another sale.
    assert.ok(line.refundedShareMinor <= line.price.amountMinor);
  }
}

function operationOf({ id, version }: OrderLine) {
  return { orderLineId: id, orderLineVersion: version, refundRuleId: 'R1' };
}

/** Undefined where the traveller has no share of the price. */
function planOf(one: RefundCase, order: Order, wanted: WantedOperation) {
  const request = { operations: [wanted], includesCancelled: false, isOverruled: false };
  try {
    return planOperations(factsOf(one, order), { ...request, member: 'refundOperations' }, at(one.at));
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'REFUND_AMOUNT_EXCEEDED') return undefined;
    throw error;
  }
}
