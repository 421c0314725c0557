import assert from 'node:assert/strict';
import { ruleCatalogue } from '../../../netex/rules/catalogue.ts';
import { splitExample } from '../../../netex/rules/example-parts.ts';

const shown = (example: string) =>
  splitExample(example)
    .map(({ text, netex }) => (netex ? `[${text}]` : text))
    .join('');

describe('the example of a rule', () => {
  it('is split into NeTEx and prose', () => {
    for (const expected of [
      'A zip of spreadsheets',
      '[<Line id="ABC:Line:1"><Name>The ring</Name>…</Line>] without PublicCode',
      '[<ServiceJourneyInterchange …>] without [<FromJourneyRef …/>]',
      '[<DepartureTime>08:10:00</DepartureTime>] at one stop, [<ArrivalTime>08:05:00</ArrivalTime>] at the next',
      '[…<DepartureTime>11:00:00</DepartureTime></TimetabledPassingTime>]',
    ]) {
      assert.equal(shown(expected.replace(/[[\]]/g, '')), expected);
    }
  });

  it('is complete when joined again, and differs between rules on missing elements', () => {
    for (const { code, example } of ruleCatalogue) {
      const parts = splitExample(example);
      assert.equal(parts.map(({ text }) => text).join(''), example, code);
      for (const { text, netex } of parts) if (!netex) assert.doesNotMatch(text, /[<>]/, code);
    }
    const missing = ruleCatalogue.filter(({ example }) => example.includes('</Line> without '));
    assert.equal(new Set(missing.map(({ example }) => example)).size, missing.length);
  });
});
