/** What the receipt of a version says: the difference to the version before, its tax by rate, its type, and its total. */
import assert from 'node:assert/strict';
import type { Fee, OrderLine } from '../../../workflows/orders/rules/order.ts';
import { type MovedMoney, receiptContent } from '../../../workflows/receipts/rules/receipt-content.ts';
import { type Price, priceWithTax } from '../../../workflows/shared/price.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { NOW, newLineId, sampleFee, sampleLine, sampleTraveller, VAT } from '../../support/sample-orders.ts';

const HIGH = { code: 'VAT_HIGH', basisPoints: 2_500 };
const VISA = { paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA', last4: '1111', at: NOW };

function line(amountMinor: number, more: Partial<OrderLine> = {}): OrderLine {
  return { ...soldLine(amountMinor), ...more };
}

function soldLine(amountMinor: number): OrderLine {
  const base = sampleLine({ amountMinor, traveller: sampleTraveller() });
  const facts = { version: 1, status: 'CONFIRMED', refundedShareMinor: 0, refundedAmountMinor: 0 } as const;
  return { ...base, ...facts, createdAt: NOW };
}

function fee(type: Fee['type'], price: Price): Fee {
  return { ...sampleFee(type, price.amountMinor), price, orderVersion: 1 } as Fee;
}

const paid = (...amounts: number[]): MovedMoney => ({
  captured: amounts.filter((amount) => amount > 0).map((amountMinor) => ({ ...VISA, amountMinor })),
  credited: amounts.filter((amount) => amount < 0).map((amount) => ({ ...VISA, amountMinor: -amount })),
});

describe('the receipt of a version', () => {
  it('lists all lines and fees of the first version, with tax by rate and the card', () => {
    const [bus, train] = [line(30_000), line(11_200)];
    const after = { orderLines: [bus, train], fees: [fee('BOOKING', priceWithTax(2_500, HIGH))] };
    const content = receiptContent({ after, money: paid(43_700) }) ?? assert.fail('it has one');
    assert.deepEqual([content.receiptType, content.totalMinor], ['SALE', 43_700]);
    const shown = content.lines.map(({ kind, price, travellerCount }) => [kind, price.amountMinor, travellerCount]);
    assert.deepEqual(shown, [
      ['LINE', 30_000, 1],
      ['LINE', 11_200, 1],
      ['FEE', 2_500, 0],
    ]);
    assert.deepEqual(content.vat, [
      { basisPoints: 1_200, code: 'VAT_LOW', baseMinor: 26_786 + 10_000, taxMinor: 3_214 + 1_200 },
      { basisPoints: 2_500, code: 'VAT_HIGH', baseMinor: 2_000, taxMinor: 500 },
    ]);
    assert.deepEqual(content.payments, [{ ...VISA, amountMinor: 43_700 }]);
    assert.deepEqual(content.credits, []);
  });

  it('adds tax up product by product, and by no rate where a price names none', () => {
    const mixed = line(12_000, {
      price: { amountMinor: 12_000, taxMinor: 1_571 },
      fareProducts: [
        { id: 'SINGLE', version: 1, kind: 'PREASSIGNED', price: priceWithTax(10_000, VAT) },
        { id: 'MEAL', version: 1, kind: 'SUPPLEMENT', price: { amountMinor: 2_000, taxMinor: 500 } },
      ],
    });
    const free = line(1_000, { price: { amountMinor: 1_000, taxMinor: 0 }, fareProducts: [] });
    const content = receiptContent({ after: { orderLines: [mixed, free], fees: [] }, money: paid(13_000) });
    assert.deepEqual(content?.vat, [
      { basisPoints: 0, baseMinor: 1_000, taxMinor: 0 },
      { basisPoints: 1_200, code: 'VAT_LOW', baseMinor: 8_929, taxMinor: 1_071 },
      { baseMinor: 1_500, taxMinor: 500 },
    ]);
    assert.deepEqual(content?.lines[0]?.price, { amountMinor: 12_000, taxMinor: 1_571 });
  });

  it('names the supplements of a line, as the catalogue calls them', () => {
    const product = (id: string, kind: 'PREASSIGNED' | 'SUPPLEMENT') => ({
      id,
      version: 1,
      kind,
      price: priceWithTax(5_000, VAT),
    });
    const single = line(5_000, { fareProducts: [product('SINGLE', 'PREASSIGNED')] });
    const more = { fareProducts: [product('SINGLE', 'PREASSIGNED'), product('MEAL', 'SUPPLEMENT')] };
    const meal = line(10_000, { ...more, id: single.id, version: 2 });
    const name = [{ lang: 'nob' as const, value: 'Nistepakke' }];
    const products = new Map([['MEAL', { name }]]);
    const [before, after] = [single, meal].map((each) => ({ orderLines: [each], fees: [] }));
    assert.ok(before && after);
    const shown = (facts: Partial<Parameters<typeof receiptContent>[0]>, money: MovedMoney) =>
      receiptContent({ after, products, ...facts, money })?.lines.map(({ supplementNames }) => supplementNames);
    assert.deepEqual(shown({}, paid(10_000)), [[name]]);
    assert.deepEqual(shown({ before }, paid(5_000)), [undefined, [name]]);
    assert.deepEqual(shown({ products: new Map() }, paid(10_000)), [[[{ lang: 'nob', value: 'MEAL' }]]]);
  });

  it('shows an exchanged line taken back and sold, and nothing of what stays', () => {
    const [stays, was] = [line(10_000), line(20_000)];
    const is = { ...line(25_000), id: was.id, version: 2, description: [{ lang: 'nob' as const, value: 'Ekspress' }] };
    const change = fee('CHANGE', { amountMinor: 1_000, taxMinor: 0 });
    const money = paid(6_000);
    const before = { orderLines: [stays, was], fees: [] };
    const content = receiptContent({ before, after: { orderLines: [stays, is], fees: [change] }, money });
    assert.equal(content?.receiptType, 'CHANGE');
    assert.deepEqual(
      content.lines.map(({ orderLineId, price }) => [orderLineId, price.amountMinor]),
      [
        [was.id, -20_000],
        [was.id, 25_000],
        [undefined, 1_000],
      ],
    );
    const [free, low] = content.vat;
    assert.deepEqual(free, { basisPoints: 0, baseMinor: 1_000, taxMinor: 0 });
    assert.deepEqual(low, { basisPoints: 1_200, code: 'VAT_LOW', baseMinor: 5_000 - 536, taxMinor: 536 });
  });

  it('leaves out a line whose seat alone has changed', () => {
    const was = line(10_000);
    const moved = { ...was, version: 2, reservationIds: [] };
    const added = line(5_000);
    const [before, after] = [
      { orderLines: [was], fees: [] },
      { orderLines: [moved, added], fees: [] },
    ];
    const content = receiptContent({ before, after, money: paid(5_000) });
    assert.deepEqual(
      content?.lines.map(({ orderLineId }) => orderLineId),
      [added.id],
    );
  });

  it('takes back the part of a line that was refunded, with its tax, and adds the fee', () => {
    const was = line(10_000);
    const part = { refundedShareMinor: 4_000, refundedAmountMinor: 3_000 };
    const after = { orderLines: [{ ...was, ...part }], fees: [fee('REFUNDING', { amountMinor: 1_000, taxMinor: 0 })] };
    const content = receiptContent({ before: { orderLines: [was], fees: [] }, after, money: paid(-3_000) });
    assert.deepEqual([content?.receiptType, content?.totalMinor], ['REFUND', -3_000]);
    assert.deepEqual(
      content?.lines.map(({ price }) => [price.amountMinor, price.taxMinor]),
      [
        [-4_000, -428],
        [1_000, 0],
      ],
    );
    assert.deepEqual(content?.credits, [{ ...VISA, amountMinor: 3_000 }]);
  });

  it('has the type of what happened', () => {
    const [one, two] = [line(10_000), line(5_000)];
    const cancelled = (each: OrderLine): OrderLine => ({ ...each, status: 'CANCELLED' });
    const refunded = (each: OrderLine): OrderLine => {
      const { amountMinor } = each.price;
      return { ...cancelled(each), refundedShareMinor: amountMinor, refundedAmountMinor: amountMinor };
    };
    const before = { orderLines: [one, two], fees: [] };
    const typeOf = (orderLines: OrderLine[], fees: Fee[], money: MovedMoney) =>
      receiptContent({ before, after: { orderLines, fees }, money })?.receiptType;
    assert.equal(typeOf([cancelled(one), cancelled(two)], [], paid(-15_000)), 'CANCEL');
    assert.equal(
      typeOf([cancelled(one), cancelled(two)], [fee('CHANGE', { amountMinor: 99, taxMinor: 0 })], paid(-14_901)),
      'CANCEL',
    );
    assert.equal(typeOf([refunded(one), refunded(two)], [], paid(-15_000)), 'REFUND');
    assert.equal(typeOf([one, cancelled(two)], [], paid(-5_000)), 'REFUND');
    assert.equal(typeOf([one, two, line(700)], [], paid(700)), 'CHANGE');
    assert.equal(typeOf([cancelled(one), two, line(700)], [], paid(-9_300)), 'CHANGE');
    const reduction = fee('REDUCTION', { amountMinor: -400, taxMinor: 0 });
    assert.equal(typeOf([one, two], [reduction], paid(-400)), 'REFUND');
  });

  it('takes a fee back that has gone, and shows one that has changed both ways', () => {
    const stays = line(10_000);
    const [gone, was] = [
      fee('BOOKING', { amountMinor: 300, taxMinor: 0 }),
      fee('MANUAL', { amountMinor: 200, taxMinor: 0 }),
    ];
    const is = { ...was, price: { amountMinor: 900, taxMinor: 0 } };
    const before = { orderLines: [stays], fees: [gone, was] };
    const content = receiptContent({ before, after: { orderLines: [stays], fees: [is] }, money: paid(400) });
    assert.deepEqual(
      content?.lines.map(({ price }) => price.amountMinor),
      [-300, -200, 900],
    );
  });

  it('is absent without payment and credit, and for a free order', () => {
    const after = { orderLines: [line(0)], fees: [] };
    assert.equal(receiptContent({ after, money: paid() }), undefined);
    assert.equal(receiptContent({ before: after, after, money: paid() }), undefined);
  });

  it('waits while money that was captured twice is on its way back, and shows both ways afterwards', () => {
    const after = { orderLines: [line(10_000)], fees: [] };
    const isSettling = (error: unknown) => error instanceof ServiceError && error.code === 'UNAVAILABLE';
    assert.throws(() => receiptContent({ after, money: paid(10_000, 10_000) }), isSettling);
    const content = receiptContent({ after, money: paid(10_000, 10_000, -10_000) });
    assert.deepEqual([content?.totalMinor, content?.payments.length, content?.credits.length], [10_000, 2, 1]);
  });

  it('adds up for any change: lines, tax with its bases, and money have one sum', () => {
    const seed = Number(process.env.RECEIPT_SEED ?? Math.floor(Math.random() * 1e9));
    const random = randomOf(seed);
    for (let run = 0; run < 300; run += 1) {
      const before = randomContent(random);
      const after = changed(before, random);
      const cost = totalOf(after) - totalOf(before);
      const extra = Math.floor(random() * 3) * 1_000;
      const money = paid(...[Math.max(cost, 0) + extra, -(Math.max(-cost, 0) + extra)].filter((each) => each !== 0));
      const content = receiptContent({ before, after, money });
      if (!content) continue;
      const sum = (amounts: readonly number[]) => amounts.reduce((all, each) => all + each, 0);
      const shown = `seed ${seed}, run ${run}`;
      assert.equal(content.totalMinor, cost, shown);
      assert.equal(sum(content.lines.map(({ price }) => price.amountMinor)), cost, shown);
      assert.equal(sum(content.vat.map(({ baseMinor, taxMinor }) => baseMinor + taxMinor)), cost, shown);
      assert.equal(
        sum(content.lines.map(({ price }) => price.taxMinor)),
        sum(content.vat.map((each) => each.taxMinor)),
      );
    }
  });
});

interface Content {
  readonly orderLines: readonly OrderLine[];
  readonly fees: readonly Fee[];
}

function randomOf(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function randomContent(random: () => number): Content {
  const some = (most: number) => Array.from({ length: Math.floor(random() * most) });
  return {
    orderLines: some(5).map(() => line(Math.floor(random() * 50_000))),
    fees: some(3).map(() => fee('MANUAL', priceWithTax(Math.floor(random() * 900), random() < 0.5 ? VAT : HIGH))),
  };
}

function changed({ orderLines, fees }: Content, random: () => number): Content {
  const lines = orderLines.map((each): OrderLine => {
    const choice = random();
    if (choice < 0.2) return { ...each, status: 'CANCELLED' };
    if (choice < 0.4) return { ...line(Math.floor(random() * 50_000)), id: each.id, version: 2 };
    const refundedShareMinor = choice < 0.6 ? Math.floor(random() * each.price.amountMinor) : 0;
    return { ...each, refundedShareMinor, refundedAmountMinor: refundedShareMinor };
  });
  const added = randomContent(random);
  return {
    orderLines: [...lines, ...added.orderLines.map((each) => ({ ...each, id: newLineId() }))],
    fees: [...fees.filter(() => random() < 0.7), ...added.fees],
  };
}

function totalOf({ orderLines, fees }: Content): number {
  const live = orderLines.filter(({ status }) => status === 'CONFIRMED');
  const amounts = live.map(({ price, refundedShareMinor }) => price.amountMinor - refundedShareMinor);
  return [...amounts, ...fees.map(({ price }) => price.amountMinor)].reduce((all, each) => all + each, 0);
}
