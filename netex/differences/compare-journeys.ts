/** Totals of journeys by line, journeys by day, and the days of lines. Caller: `compare-outlines.ts`. */
import { dayText } from '../model/calendar-day.ts';
import { DaysOfLines } from './day-sets.ts';
import type { DatasetDifferences, DayList, JourneyTotals, LineDays, LineJourneys } from './differences.ts';
import { bySize, listed } from './listed.ts';
import type { Matching } from './match-journeys.ts';
import type { DatasetOutline, Vocabulary } from './outline.ts';
import type { RunningJourneys } from './running-journeys.ts';

export interface Compared {
  readonly before: DatasetOutline;
  readonly after: DatasetOutline;
  readonly old: RunningJourneys;
  readonly now: RunningJourneys;
  readonly vocabulary: Vocabulary;
}

/** Days of a line that are listed. */
const DAYS_LISTED = 31;

type Counts = { -readonly [Key in keyof JourneyTotals]: number };

const NOTHING: JourneyTotals = {
  before: 0,
  after: 0,
  added: 0,
  removed: 0,
  retimed: 0,
  rerouted: 0,
  onOtherDays: 0,
};
const COUNTED = Object.keys(NOTHING) as (keyof JourneyTotals)[];

export function compareJourneys(compared: Compared, matching: Matching): DatasetDifferences['journeys'] {
  const lines = new Map<number, Counts>();
  const { old, now } = compared;
  const [oldLines, newLines] = [old.column('line'), now.column('line')];
  const count = (line: number, what: keyof JourneyTotals) => {
    let counts = lines.get(line);
    if (counts === undefined) {
      counts = { ...NOTHING };
      lines.set(line, counts);
    }
    counts[what]++;
  };
  for (const row of old.rows) count(oldLines[row] as number, 'before');
  for (const row of now.rows) count(newLines[row] as number, 'after');
  for (const row of matching.removed) count(oldLines[row] as number, 'removed');
  for (const row of matching.added) count(newLines[row] as number, 'added');
  const differs = (columns: readonly Parameters<RunningJourneys['column']>[0][]) => {
    const both = columns.map((name) => [old.column(name), now.column(name)] as const);
    return (left: number, right: number) => both.some(([one, other]) => one[left] !== other[right]);
  };
  const isRerouted = differs(['stopsHigh', 'stopsLow', 'direction']);
  const isRetimed = differs(['timesHigh', 'timesLow']);
  const isOnOtherDays = differs(['days']);
  for (const [left, right] of matching.pairs) {
    const line = newLines[right] as number;
    if (isRerouted(left, right)) count(line, 'rerouted');
    else if (isRetimed(left, right)) count(line, 'retimed');
    if (isOnOtherDays(left, right)) count(line, 'onOtherDays');
  }
  const totals: Counts = { ...NOTHING };
  const changed: LineJourneys[] = [];
  for (const [line, counts] of lines) {
    for (const what of COUNTED) totals[what] += counts[what];
    if (changesOf(counts) > 0) changed.push({ ...nameLine(compared, line), ...counts });
  }
  return { ...totals, matchedBy: matching.matchedBy, lines: listed(changed.sort(bySize<LineJourneys>(changesOf))) };
}

function changesOf({ added, removed, retimed, rerouted, onOtherDays }: JourneyTotals): number {
  return added + removed + retimed + rerouted + onOtherDays;
}

export function compareDays(
  compared: Compared,
  comparedDays: readonly number[],
): Pick<DatasetDifferences, 'days' | 'calendars'> {
  const { old, now, vocabulary } = compared;
  const [before, after] = [journeysByDay(old, vocabulary), journeysByDay(now, vocabulary)];
  const all = comparedDays.map((day) => ({
    day: dayText(day),
    before: before.get(day) ?? 0,
    after: after.get(day) ?? 0,
  }));
  const changed = all.filter((day) => day.before !== day.after).length;
  return { days: { changed, ...listed(all) }, calendars: compareDaysOfLines(compared) };
}

function journeysByDay(running: RunningJourneys, { days: sets }: Vocabulary): Map<number, number> {
  const perSet = new Map<number, number>();
  for (const row of running.rows) {
    const set = running.days[row] as number;
    perSet.set(set, (perSet.get(set) ?? 0) + 1);
  }
  const perDay = new Map<number, number>();
  for (const [set, journeys] of perSet) {
    for (const day of sets.daysOf(set)) perDay.set(day, (perDay.get(day) ?? 0) + journeys);
  }
  return perDay;
}

function compareDaysOfLines(compared: Compared): DatasetDifferences['calendars'] {
  const { vocabulary, before, after } = compared;
  const [old, now] = [daysOfLines(compared.old, vocabulary), daysOfLines(compared.now, vocabulary)];
  const items: LineDays[] = [];
  let [gained, lost] = [0, 0];
  for (const line of new Set([...before.lines.keys(), ...after.lines.keys()])) {
    const [more, fewer] = [now.without(old, line), old.without(now, line)];
    if (more.length + fewer.length === 0) continue;
    if (more.length > 0) gained++;
    if (fewer.length > 0) lost++;
    items.push({ ...nameLine(compared, line), gained: listDays(more), lost: listDays(fewer) });
  }
  const sizeOf = (item: LineDays) => item.gained.total + item.lost.total;
  return { gained, lost, ...listed(items.sort(bySize<LineDays>(sizeOf))) };
}

function daysOfLines(running: RunningJourneys, { days, lines }: Vocabulary): DaysOfLines {
  const found = new DaysOfLines(days, lines.size);
  const line = running.column('line');
  for (const row of running.rows) found.add(line[row] as number, running.days[row] as number);
  return found;
}

function listDays(days: readonly number[]): DayList {
  return { total: days.length, days: days.slice(0, DAYS_LISTED).map(dayText) };
}

function nameLine({ before, after }: Compared, line: number) {
  const { id = '', name, publicCode } = after.lines.get(line) ?? before.lines.get(line) ?? {};
  return { lineId: id, name: name ?? null, publicCode: publicCode ?? null };
}
