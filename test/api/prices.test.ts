/** Prices of requests and answers, by the digits of their currency. */
import assert from 'node:assert/strict';
import { presentPrice, readAmount, readPrice } from '../../api/shared/prices.ts';
import { priceWithTax } from '../../workflows/shared/price.ts';

describe('prices on the wire', () => {
  for (const [currency, amount, taxAmount, amountMinor, taxMinor] of [
    ['NOK', '112.00', '12.00', 11_200, 1_200],
    ['JPY', '112', '12', 112, 12],
    ['KWD', '1.120', '0.120', 1_120, 120],
  ] as const)
    it(`are read and written in ${currency}`, () => {
      const price = readPrice({ amount, taxRate: 12, taxCode: 'VAT_LOW' }, currency, '/price');
      assert.deepEqual(price, { amountMinor, taxMinor, taxBasisPoints: 1_200, taxCode: 'VAT_LOW' });
      assert.deepEqual(price, priceWithTax(amountMinor, { code: 'VAT_LOW', basisPoints: 1_200 }));
      assert.deepEqual(presentPrice(price, currency), { amount, currency, taxAmount, taxRate: 12, taxCode: 'VAT_LOW' });
    });

  it('have no more digits than their currency', () => {
    for (const [text, currency] of [
      ['1.5', 'JPY'],
      ['1.234', 'NOK'],
      ['1.2345', 'KWD'],
    ] as const)
      assert.throws(() => readAmount(text, currency, '/price/amount'), { code: 'VALIDATION_FAILED' }, text);
  });

  it('are so small that many of them add up exactly', () => {
    assert.equal(readAmount('10000000000.00', 'NOK', '/amount'), 1_000_000_000_000);
    for (const text of ['10000000000.01', '-10000000000.01', '90071992547409.91'])
      assert.throws(() => readAmount(text, 'NOK', '/amount'), { code: 'VALIDATION_FAILED' }, text);
  });
});
