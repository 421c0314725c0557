/**
 * Compares two outlines that were read with one vocabulary. The same outlines give the same differences, in the same
 * order. Callers: the activity that compares a version with the one before, the benchmark. Gives other work of the
 * process its turn between parts that take long.
 */
import { setImmediate } from 'node:timers/promises';
import { dayText } from '../model/calendar-day.ts';
import { compareDays, compareJourneys } from './compare-journeys.ts';
import { compareLines } from './compare-lines.ts';
import { compareStops } from './compare-stops.ts';
import { WINDOW_DAYS } from './day-sets.ts';
import type { DatasetDifferences, Period } from './differences.ts';
import { matchJourneys } from './match-journeys.ts';
import type { DatasetOutline, Vocabulary } from './outline.ts';
import { RunningJourneys } from './running-journeys.ts';

export async function compareOutlines(
  before: DatasetOutline,
  after: DatasetOutline,
  vocabulary: Vocabulary,
): Promise<DatasetDifferences> {
  const compared = commonDays(before, after, vocabulary);
  const { days } = vocabulary;
  const mask = days.addDays(compared);
  const old = new RunningJourneys(before.journeys, days, mask);
  const now = new RunningJourneys(after.journeys, days, mask);
  const columnOf = (journeys: unknown, name: Parameters<RunningJourneys['column']>[0]) =>
    (journeys === before.journeys ? old : now).column(name);
  const matching = await matchJourneys(old, now, columnOf, setImmediate);
  const context = { before, after, old, now, vocabulary };
  return {
    service: {
      before: periodOf(before.service),
      after: periodOf(after.service),
      compared: periodOf(ends(compared)),
    },
    lines: compareLines(before.lines, after.lines),
    stops: compareStops(before.stops, after.stops),
    journeys: compareJourneys(context, matching),
    ...compareDays(context, compared),
  };
}

/** Of the window, the days from the later first day of service to the earlier last one. */
function commonDays(before: DatasetOutline, after: DatasetOutline, { days }: Vocabulary): number[] {
  if (!before.service || !after.service) return [];
  const first = Math.max(days.firstDay, before.service.first, after.service.first);
  const last = Math.min(days.firstDay + WINDOW_DAYS - 1, before.service.last, after.service.last);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, day) => first + day);
}

function ends(days: readonly number[]): DatasetOutline['service'] {
  const [first, last] = [days[0], days.at(-1)];
  return first === undefined || last === undefined ? undefined : { first, last };
}

function periodOf(service: DatasetOutline['service']): Period | null {
  return service ? { from: dayText(service.first), to: dayText(service.last) } : null;
}
