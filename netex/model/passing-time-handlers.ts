/**
 * Reads passing times, which are most of a file: nothing here makes an object for one. Times and offsets wait for the
 * end of the element, since an offset may precede its time.
 *
 * Callers: JourneyCollector.
 */
import type { ElementHandler } from '../rules/check.ts';
import { addDays, parseClockTime, parseDayOffset } from './clock-time.ts';
import type { Handlers } from './handlers.ts';
import type { NumberedNames } from './kept-names.ts';
import { ABSENT, type PassingTimes } from './passing-times.ts';

const ARRIVAL = 0;
const DEPARTURE = 1;
const LATEST_ARRIVAL = 2;
const EARLIEST_DEPARTURE = 3;

/** `open` returns the list for a completed passing time; undefined outside journeys. */
export function passingTimeHandlers(stopNames: NumberedNames, open: () => PassingTimes | undefined): Handlers {
  let stop = -1;
  let isCalledAt = true;
  const times = new Int32Array(4);
  const days = new Int32Array(4);
  const clock =
    (which: number): ElementHandler =>
    (element) => {
      times[which] = parseClockTime(element.text);
    };
  const offset =
    (which: number): ElementHandler =>
    (element) => {
      days[which] = parseDayOffset(element.text);
    };
  const given = (which: number): number => addDays(times[which] as number, days[which] as number);
  const refersToStop: ElementHandler = ({ parent, attributes }) => {
    if (parent?.name === 'TimetabledPassingTime' && attributes.ref !== undefined)
      stop = stopNames.number(attributes.ref);
  };
  return {
    start: {
      TimetabledPassingTime() {
        stop = -1;
        isCalledAt = true;
        // Single assignments: a call of `fill` costs more than everything after it.
        times[ARRIVAL] = times[DEPARTURE] = times[LATEST_ARRIVAL] = times[EARLIEST_DEPARTURE] = ABSENT;
        days[ARRIVAL] = days[DEPARTURE] = days[LATEST_ARRIVAL] = days[EARLIEST_DEPARTURE] = 0;
      },
      StopPointInJourneyPatternRef: refersToStop,
      PointInJourneyPatternRef: refersToStop,
      // A vehicle only passes here: no stop for passengers.
      TimingPointInJourneyPatternRef() {
        isCalledAt = false;
      },
    },
    end: {
      ArrivalTime: clock(ARRIVAL),
      ArrivalDayOffset: offset(ARRIVAL),
      DepartureTime: clock(DEPARTURE),
      DepartureDayOffset: offset(DEPARTURE),
      LatestArrivalTime: clock(LATEST_ARRIVAL),
      LatestArrivalDayOffset: offset(LATEST_ARRIVAL),
      EarliestDepartureTime: clock(EARLIEST_DEPARTURE),
      EarliestDepartureDayOffset: offset(EARLIEST_DEPARTURE),
      TimetabledPassingTime({ line, column }) {
        const kept = isCalledAt ? open() : undefined;
        if (!kept) return;
        const index = kept.size;
        kept.add(stop, line, column);
        kept.arrival[index] = given(ARRIVAL);
        kept.departure[index] = given(DEPARTURE);
        kept.latestArrival[index] = given(LATEST_ARRIVAL);
        kept.earliestDeparture[index] = given(EARLIEST_DEPARTURE);
      },
    },
  };
}
