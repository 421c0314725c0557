/**
 * Finds each journey of the older dataset again in the newer one. By ids, when they are stable. Some producers give
 * every journey a new id each time, or number them anew; then by line, direction, stops and times. Pure.
 *
 * Caller: `compare-outlines.ts`, which passes only journeys that run on a compared day.
 */
import { HashSet } from '../dataset/hash-set.ts';
import type { JourneyColumn, JourneyTable } from './journey-table.ts';

/** A journey between the same ends that leaves at most so much earlier or later may be the same one, retimed. */
const RETIMED_WITHIN_SECONDS = 1_800;

/** Rows of one dataset that are to be matched. */
export interface Candidates {
  readonly journeys: JourneyTable;
  readonly rows: readonly number[];
}

export interface Matching {
  readonly matchedBy: 'ids' | 'times';
  readonly pairs: ReadonlyArray<readonly [before: number, after: number]>;
  readonly removed: readonly number[];
  readonly added: readonly number[];
}

type Pair = readonly [number, number];

/** Columns with the compared days of each journey in place of all its days. */
export type ColumnsOf = (journeys: JourneyTable, name: JourneyColumn) => ArrayLike<number>;

export async function matchJourneys(
  before: Candidates,
  after: Candidates,
  columnOf: ColumnsOf,
  pause: () => Promise<unknown>,
): Promise<Matching> {
  const byId = pairIds(before, after);
  await pause();
  if (areStable(before, after, byId)) {
    const isSameLine = sameIn(before, after, ['line']);
    const pairs = byId.filter(isSameLine);
    return { matchedBy: 'ids', pairs, ...rest(before, after, pairs) };
  }
  const rounds: Array<{ readonly same: readonly JourneyColumn[]; readonly near?: boolean }> = [
    { same: ['line', 'direction', 'stopsHigh', 'stopsLow', 'timesHigh', 'timesLow', 'days'] },
    { same: ['line', 'direction', 'stopsHigh', 'stopsLow', 'timesHigh', 'timesLow'] },
    { same: ['line', 'direction', 'firstStop', 'lastStop', 'days'], near: true },
    { same: ['line', 'direction', 'firstStop', 'lastStop'], near: true },
  ];
  const pairs: Pair[] = [];
  let [left, right] = [before.rows, after.rows];
  for (const { same, near = false } of rounds) {
    const sides = [
      { journeys: before.journeys, rows: left },
      { journeys: after.journeys, rows: right },
    ] as const;
    const found = pairUp(sides[0], sides[1], same, near, columnOf);
    for (const pair of found) pairs.push(pair);
    const unmatched = rest(sides[0], sides[1], found);
    [left, right] = [unmatched.removed, unmatched.added];
    await pause();
  }
  return { matchedBy: 'times', pairs, removed: left, added: right };
}

function pairIds(before: Candidates, after: Candidates): Pair[] {
  const known = new HashSet(before.rows.length);
  const rowOfMember: number[] = [];
  const [high, low] = [before.journeys.column('idHigh'), before.journeys.column('idLow')];
  for (const row of before.rows) {
    if (known.add(high[row] as number, low[row] as number)) rowOfMember.push(row);
  }
  const [newHigh, newLow] = [after.journeys.column('idHigh'), after.journeys.column('idLow')];
  const isTaken = new Uint8Array(rowOfMember.length);
  const pairs: Pair[] = [];
  for (const row of after.rows) {
    const member = known.find(newHigh[row] as number, newLow[row] as number);
    if (member < 0 || isTaken[member] === 1) continue;
    isTaken[member] = 1;
    pairs.push([rowOfMember[member] as number, row]);
  }
  return pairs;
}

/**
 * At least half of the journeys of the smaller dataset keep their id, and with it line, direction and both ends. Numbers
 * that are given anew agree only by chance.
 */
function areStable(before: Candidates, after: Candidates, pairs: readonly Pair[]): boolean {
  const agree = pairs.filter(sameIn(before, after, ['line', 'direction', 'firstStop', 'lastStop']));
  return agree.length * 2 >= Math.min(before.rows.length, after.rows.length);
}

function sameIn(before: Candidates, after: Candidates, names: readonly JourneyColumn[]): (pair: Pair) => boolean {
  const columns = names.map((name) => [before.journeys.column(name), after.journeys.column(name)] as const);
  return ([old, now]) => columns.every(([left, right]) => left[old] === right[now]);
}

function rest(before: Candidates, after: Candidates, pairs: readonly Pair[]) {
  const [old, now] = [new Uint8Array(before.journeys.length), new Uint8Array(after.journeys.length)];
  for (const [left, right] of pairs) [old[left], now[right]] = [1, 1];
  return {
    removed: before.rows.filter((row) => old[row] === 0),
    added: after.rows.filter((row) => now[row] === 0),
  };
}

/** Sorts both sides by the columns, then by departure, and walks along them. */
function pairUp(
  before: Candidates,
  after: Candidates,
  same: readonly JourneyColumn[],
  near: boolean,
  columnOf: ColumnsOf,
): Pair[] {
  const sideOf = ({ journeys, rows }: Candidates) => {
    const columns = same.map((name) => columnOf(journeys, name));
    const departures = journeys.column('departure');
    const sorted = rows.toSorted((a, b) => {
      return compare(columns, a, columns, b) || (departures[a] as number) - (departures[b] as number) || a - b;
    });
    return { columns, departures, sorted };
  };
  const [old, now] = [sideOf(before), sideOf(after)];
  const pairs: Pair[] = [];
  for (let [i, j] = [0, 0]; i < old.sorted.length && j < now.sorted.length; ) {
    const [left, right] = [old.sorted[i] as number, now.sorted[j] as number];
    const later = (old.departures[left] as number) - (now.departures[right] as number);
    const order = compare(old.columns, left, now.columns, right) || (near ? beyond(later) : 0);
    if (order === 0) pairs.push([left, right]);
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
  return pairs;
}

function compare(left: readonly ArrayLike<number>[], a: number, right: readonly ArrayLike<number>[], b: number) {
  for (let column = 0; column < left.length; column++) {
    const difference = (left[column]?.[a] as number) - (right[column]?.[b] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

function beyond(seconds: number): number {
  return Math.abs(seconds) <= RETIMED_WITHIN_SECONDS ? 0 : seconds;
}
