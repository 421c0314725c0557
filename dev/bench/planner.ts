/**
 * Our planner beside the rival's on the same feeds, date, query text and machine, both warm: `npm run bench:planner [--
 * ny|pa] [pairs]`. First the parity check of `planner/parity.ts`, on both sides. Then the table. One
 * serves while the other stands still; both have all cores.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../stack/ports.ts';
import { sharedFolder } from './archives.ts';
import { residentMegabytes } from './memory.ts';
import { type FeedStops, readFeedStops } from './planner/feed-stops.ts';
import { askAll, type Figures, measure } from './planner/figures.ts';
import type { Timed } from './planner/graphql-client.ts';
import { compareAnswers, type Exception, patternsOf, windowEndOf } from './planner/parity.ts';
import {
  ASKED_PATTERNS,
  boardQuestion,
  DEFAULT_WALK_SPEED,
  drawBoards,
  drawPairs,
  inOlderDialect,
  type Question,
  type TripQuestion,
  tripQuestion,
} from './planner/questions.ts';
import { startRivalPlanner } from './planner/rival-planner.ts';
import { type Feed, serveFeeds } from './planner/served-feed.ts';

interface Case {
  readonly name: string;
  readonly feeds: readonly Feed[];
  readonly dateTime: string;
  readonly pairs: string | undefined;
}

const transit = (name: string): string => join(sharedFolder, 'transit', name);
const CASES: Readonly<Record<string, Case>> = {
  ny: {
    name: 'New York medium',
    feeds: [{ path: transit('new-york-medium.gtfs.zip'), codespace: 'nyc' }],
    dateTime: '2026-10-20T08:00:00-04:00',
    pairs: transit('new-york-medium.pairs.json'),
  },
  pa: {
    name: 'Porto Alegre',
    feeds: [
      { path: transit('porto-alegre-bus.gtfs.zip'), codespace: 'pab' },
      { path: transit('porto-alegre-rail.gtfs.zip'), codespace: 'par' },
    ],
    // All journeys of a day in the buses' feed run between half past eleven and four. Before that hour a planner finds
    // nothing.
    dateTime: '2019-05-14T13:00:00-03:00',
    pairs: undefined,
  },
};
/** Walk factor of the rival in the parity check: it walks the straight line, this planner 1.3 times as far. */
const RIVAL_WALK_SPEED = DEFAULT_WALK_SPEED / 1.3;
/** Rounds that are thrown away; boards are so quick that compilers take longer to notice them. */
const WARM_UPS = { trips: 2, boards: 10 };
const SHOWN_EXCEPTIONS = 20;

interface Side {
  readonly trips: Figures;
  /** Of ours in the older dialect; the rival has one dialect. */
  readonly olderTrips?: Figures;
  readonly boards: Figures;
  readonly memory: number;
  readonly readySeconds: number;
}

async function readStops(feeds: readonly Feed[]): Promise<FeedStops> {
  const [calls, quayIds] = [new Map<string, number>(), new Map<string, string>()];
  for (const { path, codespace } of feeds) {
    const stops = await readFeedStops(path, codespace);
    for (const [id, count] of stops.calls) calls.set(id, count);
    for (const [id, quay] of stops.quayIds) quayIds.set(id, quay);
  }
  return { calls, quayIds };
}

function choosePairs({ pairs }: Case, { calls }: FeedStops, count: number): { from: string; to: string }[] {
  if (pairs === undefined) return drawPairs(calls, count);
  return (JSON.parse(readFileSync(pairs, 'utf8')) as { from: string; to: string }[]).slice(0, count);
}

async function measureSide(
  url: string,
  pid: number,
  readySeconds: number,
  questions: { trips: readonly Question[]; boards: readonly Question[] },
): Promise<Side> {
  const trips = await measure(url, questions.trips, WARM_UPS.trips);
  const boards = await measure(url, questions.boards, WARM_UPS.boards);
  return { trips, boards, memory: residentMegabytes(pid) ?? Number.NaN, readySeconds };
}

function onProgress(exceptions: readonly Exception[], pairs: number): void {
  const count = (kind: Exception['kind']): number => exceptions.filter((one) => one.kind === kind).length;
  console.log(
    `parity: ${pairs} pairs, ${count('missing')} of the rival's patterns without one of ours that is as good,`,
  );
  console.log(`      ${count('dominated')} of our patterns worse than one of the rival's`);
  console.log(`      (${count('afterWindow')} more than one that leaves after the window we looked at,`);
  console.log(
    `      ${count('cheaper')} more, shown for their cost beside others of ours that are as good as the rival's)`,
  );
  const clock = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 19);
  const show = (pattern: Exception['ours']): string =>
    pattern === undefined
      ? 'none'
      : `${clock(pattern.departure)}-${clock(pattern.arrival)} UTC, ${pattern.rides} rides`;
  for (const { pair, kind, rival, ours } of exceptions.slice(0, SHOWN_EXCEPTIONS)) {
    console.log(`  ${kind} ${pair}: rival ${show(rival)}; ours ${show(ours)}`);
  }
}

/** A planner that answers little has little to do. */
function tellPatterns(ours: readonly Timed[], rival: readonly Timed[]): void {
  const mean = (answers: readonly Timed[]): string =>
    (answers.reduce((sum, { data }) => sum + patternsOf(data).length, 0) / answers.length).toFixed(1);
  console.log(`      patterns an answer: ours ${mean(ours)}, rival ${mean(rival)}`);
}

function printTable(ours: Side, rival: Side): void {
  const row = (name: string, of: (side: Side) => number, unit: string, more = false): void => {
    const [own, other] = [of(ours), of(rival)];
    const times = more ? own / other : other / own;
    const cells = [own, other].map((value) => `${value.toFixed(value < 10 ? 2 : 0)} ${unit}`.padStart(14));
    console.log(`${name.padEnd(22)}${cells.join('')}${`${times.toFixed(1)}×`.padStart(9)}`);
  };
  console.log(`${''.padEnd(22)}${'ours'.padStart(14)}${'rival'.padStart(14)}`);
  for (const what of ['trips', 'boards'] as const) {
    for (const point of ['p50', 'p95', 'p99'] as const) row(`${what} ${point}`, (side) => side[what][point], 'ms');
    row(`${what} two clients`, (side) => side[what].throughput, '/s', true);
  }
  const { olderTrips } = ours;
  if (olderTrips !== undefined)
    for (const point of ['p50', 'p95', 'p99'] as const)
      row(`trips ${point}, v2`, (side) => (side.olderTrips ?? side.trips)[point], 'ms');
  row('memory', (side) => side.memory, 'MB');
  row('ready', (side) => side.readySeconds, 's');
}

async function run(one: Case, count: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'samferd-bench-'));
  const { calls, quayIds } = await readStops(one.feeds);
  const quay = (id: string): string => quayIds.get(id) ?? id;
  const pairs = choosePairs(one, { calls, quayIds }, count);
  const boards = drawBoards(calls, count);
  const tripsBy = (name: (id: string) => string, walkSpeed: number): TripQuestion[] =>
    pairs.map(({ from, to }) => tripQuestion(name(from), name(to), one.dateTime, walkSpeed));
  const boardsBy = (name: (id: string) => string): Question[] =>
    boards.map((id) => boardQuestion(name(id), one.dateTime));
  const same = (id: string): string => id;
  console.log(`${one.name}, ${one.dateTime}, ${pairs.length} pairs of stops, ${boards.length} boards`);
  const feeds = one.feeds.map(({ path }) => path);
  try {
    const rival = await startRivalPlanner(join(directory, 'rival'), feeds, await freePort());
    const rivalQuestions = { trips: tripsBy(same, DEFAULT_WALK_SPEED), boards: boardsBy(same) };
    const rivalSide = await measureSide(rival.url, rival.pid, rival.readySeconds, rivalQuestions);
    const rivalAnswers = await askAll(rival.url, tripsBy(same, RIVAL_WALK_SPEED)).finally(rival.stop);
    const served = await serveFeeds(directory, one.feeds);
    try {
      const questions = { trips: tripsBy(quay, DEFAULT_WALK_SPEED), boards: boardsBy(quay) };
      const ours = await askAll(served.url, questions.trips);
      const exceptions = pairs.flatMap(({ from, to }, index) =>
        compareAnswers(`${from} → ${to}`, {
          ours: patternsOf(ours[index]?.data),
          rival: patternsOf(rivalAnswers[index]?.data),
          windowEnd: windowEndOf(ours[index]?.data, one.dateTime),
          asked: ASKED_PATTERNS,
        }),
      );
      onProgress(exceptions, pairs.length);
      tellPatterns(ours, rivalAnswers);
      const readySeconds = await served.restart();
      const side = await measureSide(served.url, served.pid(), readySeconds, questions);
      const olderTrips = await measure(served.urlV2, questions.trips.map(inOlderDialect), WARM_UPS.trips);
      printTable({ ...side, olderTrips }, rivalSide);
    } finally {
      await served.stop();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const [which = 'ny', count = '200'] = process.argv.slice(2);
const chosen = CASES[which];
if (chosen === undefined) {
  console.error(`There is no feed ${which}: one of ${Object.keys(CASES).join(', ')}`);
  process.exitCode = 2;
} else {
  await run(chosen, Number(count));
}
