/** The terminal shows what the service asks for, by the digits of the currency. */
import assert from 'node:assert/strict';
import { call, type Simulator, sessionRequest, startSimulatorFor } from '../../support/provider-simulator.ts';

describe('Amounts on the terminal of the payment provider simulator', () => {
  let simulator: Simulator;
  before(async () => {
    simulator = await startSimulatorFor('simulator-amounts');
  });
  after(async () => await simulator?.stop());

  for (const [currency, amountMinor, shown] of [
    ['NOK', 34_900, '349.00'],
    ['JPY', 34_900, '34,900'],
    ['KWD', 34_900, '34.900'],
    ['IQD', 1_234, '1.234'],
    ['HUF', 1_234, '12.34'],
  ] as const)
    it(`are exact in ${currency}`, async () => {
      const request = sessionRequest({ amountMinor, currency, language: 'eng' });
      const { json } = await call(simulator.url, '/sessions', request);
      const page = await (await fetch(json.terminalUri)).text();
      const [, amount = ''] = /<dd class="amount">([^<]*)<\/dd>/.exec(page) ?? [];
      assert.equal(amount.replaceAll(/[^\d.,]/gu, ''), shown);
    });
});
