import assert from 'node:assert/strict';
import { TimetableExtract } from '../../../netex/dataset/timetable/timetable-extract.ts';
import { NOTHING_KNOWN, TimetableExtractBuilder } from '../../../netex/dataset/timetable/timetable-extract-builder.ts';
import { WantedCalls } from '../../../netex/dataset/timetable/wanted-calls.ts';

const interchange = (from: string, to: string) => ({
  id: 'i',
  line: 1,
  column: 1,
  fromJourneyRef: from,
  toJourneyRef: to,
  fromPointRef: 'S',
  toPointRef: 'S',
  fromVisitNumber: undefined,
  toVisitNumber: undefined,
});

/** A journey that calls at stop S this often, minute by minute, and interchanges from it. */
function wantedOf(calls: number, interchanges: number, dates = 0): WantedCalls & { unpacked: number } {
  const builder = new TimetableExtractBuilder();
  const stop = { scheduledStopPointRef: 'S', forBoarding: undefined, forAlighting: undefined };
  const minutes = Int32Array.from({ length: calls }, (_, index) => index * 60);
  const parts = {
    ...NOTHING_KNOWN,
    stops: builder.packStops(Array.from({ length: calls }, () => stop)),
    ...builder.packTimes(minutes, minutes, calls),
  };
  builder.addJourney('journey', parts);
  for (let date = 0; date < dates; date++) builder.addJourney(`date ${date}`, parts);
  for (let number = 0; number < interchanges; number++)
    builder.addInterchange(interchange('journey', number < dates ? `date ${number}` : 'journey'));
  const extract = new TimetableExtract(builder.build());
  const wanted = Object.assign(new WantedCalls(extract.words('interchanges')), { unpacked: 0 });
  const visitCalls = extract.visitCalls.bind(extract);
  extract.visitCalls = (...args) => {
    wanted.unpacked++;
    visitCalls(...args);
  };
  wanted.takeJourneys(extract);
  return wanted;
}

describe('calls of interchanges', () => {
  it('are found for a journey that calls at a stop several times', () => {
    const { callsKnown, isCalledAt, isAllowed, times } = wantedOf(3, 1).feeder(0);
    assert.deepEqual({ callsKnown, isCalledAt, isAllowed }, { callsKnown: true, isCalledAt: true, isAllowed: true });
    assert.deepEqual(times, [0, 60, 120]);
  });

  it('are not distinguished for a journey that never leaves its stop, for any number of interchanges', () => {
    const wanted = wantedOf(3000, 2000);
    for (const end of [wanted.feeder(0), wanted.consumer(1999)]) {
      assert.deepEqual([end.isCalledAt, end.isAllowed, end.times], [true, true, []]);
    }
  });

  it('are unpacked once for a journey and all its dates', () => {
    const wanted = wantedOf(100, 400, 400);
    assert.equal(wanted.consumer(399).isCalledAt, true);
    assert.equal(wanted.unpacked, 1);
  });
});
