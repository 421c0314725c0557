/** Amounts on the customer's page, by the digits of their currency. */
import assert from 'node:assert/strict';
import { formatsOf } from '../../../../api/payment-page/web/formats.ts';

describe("amounts on the customer's page", () => {
  for (const [currency, amountMinor, shown] of [
    ['NOK', 34_900, 'NOK 349.00'],
    ['JPY', 34_900, 'JP¥34,900'],
    ['KWD', 34_900, 'KWD 34.900'],
    ['IQD', 1_234, 'IQD 1.234'],
  ] as const)
    it(`show ${amountMinor} smallest units of ${currency}`, () => {
      const { money } = formatsOf({ language: 'en', currency, timeZone: 'Europe/Oslo' });
      assert.equal(money(amountMinor).replaceAll(/\s/gu, ' '), shown);
    });
});
