/** The differences of two drawn timetables, from their values alone: by keys, day for day, without hashes or columns. */
import { dayText } from '../../../netex/model/calendar-day.ts';
import type { DrawnJourney, DrawnLine, DrawnTimetable } from '../support/drawn-timetable.ts';
import { FROM_DAY } from './drawn-changes.ts';

export function expectedDifferences(before: DrawnTimetable, after: DrawnTimetable) {
  const [old, now] = [serviceOf(before), serviceOf(after)];
  const isCompared = (day: number) =>
    day >= FROM_DAY && day >= Math.max(old.first, now.first) && day <= Math.min(old.last, now.last);
  const [left, right] = [running(before, isCompared), running(after, isCompared)];
  const totals = {
    before: left.size,
    after: right.size,
    added: 0,
    removed: 0,
    retimed: 0,
    rerouted: 0,
    onOtherDays: 0,
  };
  for (const [key, run] of right) {
    const was = left.get(key);
    if (!was) totals.added++;
    else {
      if (was.journey.stops.join() !== run.journey.stops.join()) totals.rerouted++;
      else if (was.journey.times.join() !== run.journey.times.join()) totals.retimed++;
      if (was.days.join() !== run.days.join()) totals.onOtherDays++;
    }
  }
  for (const key of left.keys()) if (!right.has(key)) totals.removed++;
  return { lines: lineChanges(before, after), stops: stopChanges(before, after), totals, days: days(left, right) };
}

interface Run {
  readonly journey: DrawnJourney;
  readonly days: readonly number[];
}

function running({ lines, dayTypes }: DrawnTimetable, isCompared: (day: number) => boolean): Map<string, Run> {
  const runs = new Map<string, Run>();
  for (const journey of lines.flatMap(({ journeys }) => journeys)) {
    const days = (dayTypes.get(journey.dayType) ?? []).filter(isCompared);
    if (days.length > 0) runs.set(journey.key, { journey, days });
  }
  return runs;
}

function serviceOf({ lines, dayTypes }: DrawnTimetable) {
  const all = lines.flatMap(({ journeys }) => journeys.flatMap(({ dayType }) => dayTypes.get(dayType) ?? []));
  return { first: Math.min(...all), last: Math.max(...all) };
}

/** Only days with a difference. */
function days(left: ReadonlyMap<string, Run>, right: ReadonlyMap<string, Run>): Record<string, [number, number]> {
  const count = (runs: ReadonlyMap<string, Run>, day: number) =>
    [...runs.values()].filter((run) => run.days.includes(day)).length;
  const all = new Set([...left.values(), ...right.values()].flatMap((run) => run.days));
  const found: Record<string, [number, number]> = {};
  for (const day of [...all].sort()) {
    const [before, after] = [count(left, day), count(right, day)];
    if (before !== after) found[dayText(day)] = [before, after];
  }
  return found;
}

function lineChanges(before: DrawnTimetable, after: DrawnTimetable): string[] {
  const textOf = ({ name, publicCode, mode }: DrawnLine) => `${name} ${publicCode} ${mode}`;
  const [old, now] = [before, after].map(({ lines }) => new Map(lines.map((line) => [line.id, textOf(line)])));
  return changesOf(old as Map<string, string>, now as Map<string, string>);
}

function stopChanges(before: DrawnTimetable, after: DrawnTimetable): string[] {
  const [old, now] = [before, after].map(({ lines, stops }) => {
    const called = new Set(lines.flatMap(({ journeys }) => journeys.flatMap((journey) => journey.stops)));
    const told = stops.filter(({ id }) => called.has(id));
    return new Map(told.map(({ id, name, latitude }) => [id, `${name} ${latitude}`]));
  });
  return changesOf(old as Map<string, string>, now as Map<string, string>);
}

function changesOf(old: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  const ids = [...new Set([...old.keys(), ...now.keys()])].sort();
  return ids.flatMap((id) => {
    if (!old.has(id)) return [`added ${id}`];
    if (!now.has(id)) return [`removed ${id}`];
    return old.get(id) === now.get(id) ? [] : [`changed ${id}`];
  });
}
