/** Amounts: exact integers, decimal texts, rounding half away from zero, parts that add up. */
import assert from 'node:assert/strict';
import {
  containedTax,
  formatAmount,
  fractionDigits,
  multiplyRounded,
  parseAmount,
  percentOf,
  splitAmount,
  sumOf,
} from '../../workflows/shared/money.ts';
import { priceWithTax, totalPrice } from '../../workflows/shared/price.ts';

describe('money', () => {
  for (const [text, minor] of [
    ['349.00', 34_900],
    ['0.5', 50],
    ['-12.30', -1_230],
    ['0', 0],
    ['-0.00', 0],
    ['90071992547409.91', 9_007_199_254_740_991],
  ] as const) {
    it(`reads ${text} NOK as ${minor} øre`, () => assert.equal(parseAmount(text, 'NOK'), minor));
  }

  for (const text of ['1.234', '01', '1,5', '', '.5', '1e3', '+1', '90071992547409.92', ' 1', '1.']) {
    it(`refuses "${text}"`, () => assert.equal(parseAmount(text, 'NOK'), undefined));
  }

  it('knows currencies with other fraction digits than two', () => {
    for (const [currency, text, minor, tooLong] of [
      ['JPY', '349', 349, '349.0'],
      ['VND', '-50000', -50_000, '1.00'],
      ['KWD', '1.234', 1_234, '1.2340'],
      ['BHD', '-0.005', -5, '0.0050'],
      ['CLF', '1.2345', 12_345, '1.23450'],
    ] as const) {
      assert.equal(parseAmount(text, currency), minor);
      assert.equal(formatAmount(minor, currency), text);
      assert.equal(parseAmount(tooLong, currency), undefined, `${tooLong} ${currency}`);
    }
    assert.equal(parseAmount('1.2', 'KWD'), 1_200);
    assert.equal(parseAmount('90071992547409.91', 'KWD'), undefined);
  });

  it('knows the digits of every currency that browsers and ISO 4217 agree on', () => {
    // ICU leaves out digits that are no longer used in shops; ISO 4217 keeps them.
    const icuDigits = (currency: string) =>
      new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 0;
    const currencies = Intl.supportedValuesOf('currency');
    const more = currencies.filter((currency) => fractionDigits(currency) < icuDigits(currency));
    assert.deepEqual(more, []);
  });

  it('writes exactly the fraction digits of the currency', () => {
    assert.deepEqual(
      [34_900, 5, -5, 0, -123_456].map((minor) => formatAmount(minor, 'NOK')),
      ['349.00', '0.05', '-0.05', '0.00', '-1234.56'],
    );
    assert.throws(() => formatAmount(0.5, 'NOK'), RangeError);
  });

  it('rounds half away from zero, also where a float would not be exact', () => {
    assert.deepEqual([multiplyRounded(5, 1, 2), multiplyRounded(-5, 1, 2), multiplyRounded(1, 1, 3)], [3, -3, 0]);
    assert.equal(multiplyRounded(9_007_199_254_740_991, 9_999, 10_000), 9_006_298_534_815_517);
  });

  it('computes contained tax and percentages', () => {
    assert.equal(containedTax(11_200, 1_200), 1_200);
    assert.equal(containedTax(-10_000, 1_200), -1_071);
    assert.equal(percentOf(10_000, 80), 8_000);
    assert.equal(percentOf(999, 12.5), 125);
  });

  it('splits so that parts add up, the remainder going to the last', () => {
    assert.deepEqual(splitAmount(100, [1, 1, 1]), [33, 33, 34]);
    assert.deepEqual(splitAmount(100, [0, 0]), [0, 100]);
    for (let amount = -50; amount < 500; amount += 7) {
      for (const weights of [[1], [3, 1, 2], [7, 11, 13, 17]])
        assert.equal(sumOf(splitAmount(amount, weights)), amount);
    }
  });

  it('adds prices, and names a rate only where all have it', () => {
    const low = priceWithTax(11_200, { code: 'VAT_LOW', basisPoints: 1_200 });
    const high = priceWithTax(12_500, { code: 'VAT_HIGH', basisPoints: 2_500 });
    assert.deepEqual(totalPrice([low, low]), { ...low, amountMinor: 22_400, taxMinor: 2_400 });
    assert.deepEqual(totalPrice([low, high]), { amountMinor: 23_700, taxMinor: 3_700 });
    assert.deepEqual(totalPrice([]), { amountMinor: 0, taxMinor: 0 });
  });
});
