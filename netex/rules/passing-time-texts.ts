/** Words findings about wrong passing times. Callers: passing-time-order.ts. */
import { clockText } from '../model/clock-time.ts';
import { ABSENT, type PassingTimes } from '../model/passing-times.ts';
import type { ServiceJourney } from '../model/timetable-model.ts';
import { CLOCK, leftAt, reachedAt, WINDOW } from './passing-time-kinds.ts';

function stopText(journey: ServiceJourney, times: PassingTimes, index: number): string {
  const stop = times.stop[index] as number;
  const ref = journey.pattern?.stops[stop]?.scheduledStopPointRef;
  const number = stop < 0 ? index - journey.firstTime + 1 : stop + 1;
  return ref === undefined ? `stop ${number}` : `stop ${number} (${ref})`;
}

function timeText(times: PassingTimes, index: number, kind: number, clock: number): string {
  if (kind === CLOCK) return clockText(clock);
  const earliest = clockText(times.earliestDeparture[index] as number);
  return `between ${earliest} and ${clockText(times.latestArrival[index] as number)}`;
}

export function incompleteText(journey: ServiceJourney, times: PassingTimes, index: number): string {
  const { earliestDeparture, latestArrival } = times;
  const sides = Number(earliestDeparture[index] !== ABSENT) + Number(latestArrival[index] !== ABSENT);
  const where = `ServiceJourney ${journey.id} at ${stopText(journey, times, index)}`;
  const windowed = 'expected both EarliestDepartureTime and LatestArrivalTime';
  if (sides === 1) return `${where} has one side of a time window only; ${windowed}.`;
  if (times.arrival[index] !== ABSENT || times.departure[index] !== ABSENT) {
    return `${where}, which is an area, has no time window; ${windowed}.`;
  }
  return `${where} has no time; expected an arrival, a departure or both.`;
}

export function turnedText(journey: ServiceJourney, times: PassingTimes, index: number, kind: number): string {
  const where = `ServiceJourney ${journey.id} at ${stopText(journey, times, index)}`;
  if (kind === WINDOW) {
    const latest = clockText(times.latestArrival[index] as number);
    return `${where} has the latest arrival ${latest}, before the earliest departure ${clockText(times.earliestDeparture[index] as number)}; expected it no earlier.`;
  }
  const departure = clockText(times.departure[index] as number);
  return `${where} departs at ${departure}, before it arrives at ${clockText(times.arrival[index] as number)}; expected the departure no earlier, or a day offset after midnight.`;
}

export function backwardsText(
  journey: ServiceJourney,
  times: PassingTimes,
  from: number,
  fromKind: number,
  to: number,
  toKind: number,
): string {
  const left = timeText(times, from, fromKind, leftAt(times, from, fromKind));
  const reached = timeText(times, to, toKind, reachedAt(times, to, toKind));
  return `ServiceJourney ${journey.id} leaves ${stopText(journey, times, from)} ${fromKind === CLOCK ? `at ${left}` : left} and is at ${stopText(journey, times, to)} ${toKind === CLOCK ? `at ${reached}` : reached}; expected a later time, or a day offset after midnight.`;
}

export function standstillText(journey: ServiceJourney, times: PassingTimes, from: number, to: number): string {
  const time = clockText(reachedAt(times, to, CLOCK));
  return `ServiceJourney ${journey.id} leaves ${stopText(journey, times, from)} and reaches ${stopText(journey, times, to)} at the same time, ${time}.`;
}
