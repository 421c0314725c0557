/** Amounts on the customer's page, by the digits of their currency, and times. */
import assert from 'node:assert/strict';
import { formatsOf } from '../../../../api/payment-page/web/formats.ts';

describe("amounts and times on the customer's page", () => {
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

  for (const [language, shown] of [
    ['nb', 'torsdag 17. desember kl.\u00a012:30'],
    ['nn', 'torsdag 17. desember kl.\u00a012:30'],
    ['en', 'Thursday 17 December at\u00a012:30'],
  ] as const)
    it(`break no line before a time: ${language}`, () => {
      const { dayAndTime } = formatsOf({ language, currency: 'NOK', timeZone: 'Europe/Oslo' });
      assert.equal(dayAndTime(new Date('2026-12-17T11:30:00Z')), shown);
    });
});
