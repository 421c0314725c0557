/** Tests ISO 8601 durations. */
import assert from 'node:assert/strict';
import { nominalSeconds, parseDuration, readDuration } from '../../workflows/shared/duration.ts';

describe('A duration', () => {
  for (const [text, days, seconds] of [
    ['P1D', 1, 0],
    ['P2W', 14, 0],
    ['P1W2D', 9, 0],
    ['PT0S', 0, 0],
    ['PT90M', 0, 5_400],
    ['P1DT12H', 1, 43_200],
    ['PT1H30M15S', 0, 5_415],
    ['-P1D', -1, 0],
    ['-PT30M', 0, -1_800],
  ] as const) {
    it(`of ${text}`, () => assert.deepEqual(readDuration(text), { days, seconds }));
  }

  for (const text of ['', 'P', 'PT', 'P1DT', '1D', 'P1M', 'P1Y', 'P1.5D', 'PT1.5H', 'P-1D', 'p1d', 'P1D ', 'P99999D']) {
    it(`is none of "${text}"`, () => {
      assert.equal(parseDuration(text), undefined);
      assert.throws(() => readDuration(text), RangeError);
    });
  }

  it('is compared with days of 24 hours', () => {
    assert.equal(nominalSeconds(readDuration('P1D')), nominalSeconds(readDuration('PT24H')));
    assert.ok(nominalSeconds(readDuration('-P1DT1H')) < nominalSeconds(readDuration('-P1D')));
  });
});
