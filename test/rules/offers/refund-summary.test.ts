/** Tests the sentences about refunds in each language. */
import assert from 'node:assert/strict';
import { isRefundable, summariseRefund } from '../../../workflows/offers/rules/refund-summary.ts';
import type { RefundRule } from '../../../workflows/shared/fares.ts';

const rule = (members: Partial<RefundRule>): RefundRule => ({
  ...{ id: 'r', untilBefore: 'PT0S', refundPercent: 100, feeAmountMinor: 0, unusedOnly: false },
  ...members,
});
const summary = (...rules: RefundRule[]) =>
  summariseRefund({ id: 's', currency: 'NOK', rules }, 'DEPARTURE').map(({ value }) => value);

describe('a summary of refunds', () => {
  it('calls refundable what some rule gives money back for', () => {
    const ruled = (...rules: RefundRule[]) => isRefundable({ id: 's', currency: 'NOK', rules });
    const nothing = rule({ refundPercent: 0 });
    assert.deepEqual(
      [ruled(), ruled(nothing), ruled(nothing, rule({})), isRefundable(undefined)],
      [...[false, false, true, false]],
    );
  });
  it('says that there is none', () =>
    assert.deepEqual(summary(), ['Ingen refusjon.', 'Ingen refusjon.', 'No refund.']));
  it('says until when', () =>
    assert.deepEqual(summary(rule({})), [
      'Frem til avgang: 100 % tilbake.',
      'Fram til avgang: 100 % tilbake.',
      'Until departure: 100 % back.',
    ]));
  it('says one sentence for each rule', () =>
    assert.deepEqual(
      summary(
        rule({ untilBefore: 'P1DT1H', unusedOnly: true }),
        rule({ fromBefore: 'PT24H', untilBefore: '-PT30M', refundPercent: 50.5, feeAmountMinor: 5_000 }),
      ),
      [
        'Frem til 1 dag og 1 time før avgang: 100 % tilbake, hvis billetten er ubrukt. ' +
          'Fra 24 timer før avgang frem til 30 minutter etter avgang: 50,5 % tilbake, minus 50,00 kr.',
        'Fram til 1 dag og 1 time før avgang: 100 % tilbake, om billetten er ubrukt. ' +
          'Frå 24 timar før avgang fram til 30 minutt etter avgang: 50,5 % tilbake, minus 50,00 kr.',
        'Until 1 day and 1 hour before departure: 100 % back, if the ticket is unused. ' +
          'From 24 hours before departure until 30 minutes after departure: 50.5 % back, minus NOK 50.00.',
      ],
    ));
  it('counts from the start of validity where there is no departure, in the currency', () => {
    const rules = [rule({ untilBefore: 'P2M', feeAmountMinor: 100 })];
    const texts = summariseRefund({ id: 's', currency: 'SEK', rules }, 'START_OF_VALIDITY').map(({ value }) => value);
    assert.deepEqual(texts, [
      'Frem til 2 måneder før billetten blir gyldig: 100 % tilbake, minus 1,00 SEK.',
      'Fram til 2 månader før billetten blir gyldig: 100 % tilbake, minus 1,00 SEK.',
      'Until 2 months before the ticket becomes valid: 100 % back, minus SEK 1.00.',
    ]);
  });
});
