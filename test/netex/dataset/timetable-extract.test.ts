import assert from 'node:assert/strict';
import { DaySet } from '../../../netex/dataset/timetable/day-set.ts';
import { type Call, TimetableExtract, WORDS_PER_JOURNEY } from '../../../netex/dataset/timetable/timetable-extract.ts';
import { TimetableExtractBuilder } from '../../../netex/dataset/timetable/timetable-extract-builder.ts';
import { ABSENT } from '../../../netex/model/passing-times.ts';
import { seededRandom } from '../../support/zip-samples.ts';

const stop = (number: number, forAlighting?: boolean, forBoarding?: boolean) => ({
  scheduledStopPointRef: `ABC:ScheduledStopPoint:${number}`,
  forAlighting,
  forBoarding,
});

function callsOf(extract: TimetableExtract, journey: number): { stop: number; call: Call }[] {
  const [, , stopsAt = 0, timesAt = 0, , start = 0] = extract.words('journeys').subarray(journey * WORDS_PER_JOURNEY);
  const calls: { stop: number; call: Call }[] = [];
  extract.visitCalls(stopsAt, timesAt, start | 0, (place, call) => calls.push({ stop: place, call }));
  return calls;
}

describe('the extract of a timetable', () => {
  it('returns calls and times, also before midnight and after many hours', () => {
    const builder = new TimetableExtractBuilder();
    const stops = builder.packStops([stop(1, false), stop(2), stop(1, true, false), stop(3)]);
    const arrivals = Int32Array.of(ABSENT, 600, ABSENT, 200_000);
    const departures = Int32Array.of(-300, 660, ABSENT, ABSENT);
    builder.addJourney('ABC:ServiceJourney:1', { stops, ...builder.packTimes(arrivals, departures, 4), days: 0 });
    assert.deepEqual(callsOf(new TimetableExtract(builder.build()), 0), [
      { stop: 0, call: { flags: 2, arrival: -300, departure: -300 } },
      { stop: 1, call: { flags: 3, arrival: 600, departure: 660 } },
      { stop: 0, call: { flags: 1, arrival: undefined, departure: undefined } },
      { stop: 2, call: { flags: 3, arrival: 200_000, departure: undefined } },
    ]);
  });

  it('takes 24 bytes for each further journey with known running times', () => {
    const sizeOf = (journeys: number): number => {
      const builder = new TimetableExtractBuilder();
      const days = builder.packDays(new DaySet([20_000, 20_001]));
      for (let number = 0; number < journeys; number++) {
        const stops = builder.packStops(Array.from({ length: 40 }, (_, place) => stop(place)));
        const times = Int32Array.from({ length: 40 }, (_, place) => 300 * number + 60 * place);
        builder.addJourney(`ABC:ServiceJourney:${number}`, { stops, ...builder.packTimes(times, times, 40), days });
      }
      return builder.build().length;
    };
    assert.equal(sizeOf(101) - sizeOf(100), 24);
    assert.ok(sizeOf(1) < 700, `${sizeOf(1)}`);
  });

  it('is opened from the middle of a buffer; other bytes are refused', () => {
    const builder = new TimetableExtractBuilder();
    builder.addLine('ABC:Line:1', 'Ringen\tog\nmer', 7, 3);
    const bytes = builder.build();
    const moved = new Uint8Array(bytes.length + 3);
    moved.set(bytes, 3);
    const extract = new TimetableExtract(moved.subarray(3));
    assert.deepEqual(extract.readLines([0]), [{ id: 'ABC:Line:1', name: 'Ringen og mer', line: 7, column: 3 }]);
    assert.equal(extract.lineCount, 1);
    assert.throws(() => new TimetableExtract(bytes.subarray(0, -1)), /cut short/);
    assert.throws(() => new TimetableExtract(new Uint8Array(64)), /no timetable extract/);
    assert.equal(new TimetableExtract(new Uint8Array()).wasRead, false);
  });
});

describe('a set of days', () => {
  it('is the same after packing, and intersects another set like plain sets', () => {
    const random = seededRandom(20261121);
    for (let round = 0; round < 300; round++) {
      const days = () => {
        const span = 1 + random(400);
        return Array.from({ length: random(60) }, () => 20_000 + random(span + 1));
      };
      const [some, others] = [days(), days()];
      const builder = new TimetableExtractBuilder();
      const at = [some, others].map((list) => builder.packDays(new DaySet(list)));
      const extract = new TimetableExtract(builder.build());
      const [one, other] = at.map((place) => extract.readDays(place));
      assert.ok(one && other);
      assert.deepEqual(
        [...one],
        [...new Set(some)].sort((a, b) => a - b),
      );
      for (const later of [-2, -1, 0, 1, 30]) {
        const expected = some.some((day) => others.includes(day + later));
        assert.equal(one.meets(other, later), expected, `${some} and ${others}, ${later} days later`);
      }
    }
  });

  it('leaves out days that are far away', () => {
    assert.deepEqual([...new DaySet([-5, 20_000, 3_000_000])], [20_000]);
    assert.deepEqual([...new DaySet([47_481, 47_482])], [47_481]);
    assert.equal(new DaySet([]).size, 0);
  });
});
