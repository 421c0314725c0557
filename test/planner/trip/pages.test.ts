/** Pages show each journey once and omit none, in both directions. */
import assert from 'node:assert/strict';
import { createSearchEngine } from '../../../planner/search/search-engine.ts';
import { planTrip } from '../../../planner/trip/plan-trip.ts';
import { RELAX_SECONDS } from '../../../planner/trip/trip-limits.ts';
import { TripSearchFailure } from '../../../planner/trip/trip-search-failure.ts';
import type { TripAnswer, TripPattern, TripRequest } from '../../../planner/trip/trip-types.ts';
import { createNetwork, type Network } from '../support/network.ts';
import { plan, requestOf, routes } from './plan.ts';

const DAY = 86_400;
const START = '2026-11-24 00:00';

function createRandom(start: number): (below: number) => number {
  let state = start;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** A direct line and two connecting lines, each with slow and fast journeys at random times of the day. */
function randomNetwork(seed: number): Network {
  const random = createRandom(seed);
  const network = createNetwork({ from: '2026-11-22', to: '2026-11-27' });
  network.stops('A 59.9 10.7', 'B 60.1 10.7', 'Z 60.3 10.7');
  const journeys = (from: string, to: string, count: number): string[] =>
    Array.from({ length: count }, () => {
      const departure = random(24 * 60);
      return `${from} ${clock(departure)} - ${to} ${clock(departure + 10 + random(90))}`;
    });
  const some = 3 + random(25);
  network.line('1', journeys('A', 'Z', some));
  return network.line('2', journeys('A', 'B', some * 2)).line('3', journeys('B', 'Z', some * 2));
}

const keyOf = ({ departure, arrival, cost, legs }: TripPattern): string =>
  [departure, arrival, legs.length, cost].join(' ');

type CursorName = 'nextCursor' | 'previousCursor';

/** Follows cursors until their windows are outside the time from `start` to `end`. */
function followPages(network: Network, first: TripRequest, cursorName: CursorName, start: number, end: number) {
  const [timetable, seen]: [ReturnType<Network['open']>, TripPattern[]] = [network.open(), []];
  const pages: TripAnswer[] = [];
  const engine = createSearchEngine(timetable);
  let request = first;
  for (let page = 0; page < 500; page += 1) {
    const answer: TripAnswer = planTrip(timetable, engine, request);
    assert.ok(answer.patterns.length <= request.count);
    seen.push(...answer.patterns);
    pages.push(answer);
    const cursor = answer[cursorName];
    assert.ok(cursor !== undefined, 'a page without a cursor');
    request = { ...request, cursor };
    const isOver = cursorName === 'nextCursor' ? answer.windowStart >= end : answer.windowEnd <= start;
    if (isOver) return { seen, pages, cursor };
  }
  throw new Error('the pages do not end');
}

function isBetter(a: TripPattern, b: TripPattern): boolean {
  const noWorse =
    a.departure >= b.departure && a.arrival <= b.arrival && a.legs.length <= b.legs.length && a.cost <= b.cost;
  return noWorse && keyOf(a) !== keyOf(b);
}

/** True when a is better than b, or sets a bound that excludes b. */
function beats(a: TripPattern, b: TripPattern, arriveBy: boolean): boolean {
  if (a.legs.length > b.legs.length) return false;
  const isBound = arriveBy
    ? a.arrival <= b.arrival && b.departure < a.departure - RELAX_SECONDS
    : a.departure >= b.departure && b.arrival > a.arrival + RELAX_SECONDS;
  return isBound || isBetter(a, b);
}

describe('pages of trips', () => {
  for (const arriveBy of [false, true]) {
    it(`never repeat and never skip, ${arriveBy ? 'arrive by' : 'depart after'}`, () => {
      for (let seed = 1; seed <= 40; seed += 1) {
        const network = randomNetwork(seed);
        const [start, end] = [network.at(START), network.at(START) + DAY];
        const whole = requestOf('A', 'Z', arriveBy ? end : start, { arriveBy, windowSeconds: DAY, count: 250 });
        const expected = planTrip(network.open(), createSearchEngine(network.open()), whole).patterns;
        const windowSeconds = [undefined, 1_800, 7_200][seed % 3];
        for (const cursorName of ['nextCursor', 'previousCursor'] as const) {
          const time = cursorName === 'nextCursor' ? start : end;
          const first = requestOf('A', 'Z', time, { arriveBy, windowSeconds, count: 1 + (seed % 4) });
          const { seen } = followPages(network, first, cursorName, start, end);
          const keys = seen.map(keyOf);
          assert.equal(new Set(keys).size, keys.length, `seed ${seed} ${cursorName}: repeated`);
          const timeOf = (pattern: TripPattern): number => (arriveBy ? pattern.arrival - 1 : pattern.departure);
          const ofDay = seen.filter((pattern) => timeOf(pattern) >= start && timeOf(pattern) < end);
          const shown = new Set(ofDay.map(keyOf));
          // Windows of pages extend past the day. A journey beaten by one there is rightly left out.
          const beyond = seen.filter((pattern) => !ofDay.includes(pattern));
          const due = expected.filter((pattern) => !beyond.some((other) => beats(other, pattern, arriveBy)));
          const missing = due.map(keyOf).filter((key) => !shown.has(key));
          assert.deepEqual(missing, [], `seed ${seed} ${cursorName}: skipped`);
          assert.ok(due.length >= expected.length - 3);
          // An additional journey on a page is beaten by a journey of another window.
          const listed = new Set(expected.map(keyOf));
          const isWithin = ({ departure, arrival }: TripPattern): boolean => departure >= start && arrival <= end;
          const extra = ofDay.filter((pattern) => !listed.has(keyOf(pattern)) && isWithin(pattern));
          const kept = extra.filter((pattern) => !expected.some((other) => beats(other, pattern, arriveBy)));
          assert.deepEqual(kept.map(keyOf), [], `seed ${seed} ${cursorName}: not in the whole day's answer`);
        }
      }
    });
  }

  for (const arriveBy of [false, true]) {
    it(`are full, and together equal one long search, ${arriveBy ? 'arrive by' : 'depart after'}`, () => {
      for (let seed = 1; seed <= 40; seed += 1) {
        const network = randomNetwork(seed);
        const [start, end] = [network.at(START), network.at(START) + DAY];
        const whole = requestOf('A', 'Z', arriveBy ? end : start, { arriveBy, windowSeconds: DAY, count: 250 });
        const expected = planTrip(network.open(), createSearchEngine(network.open()), whole).patterns;
        for (const cursorName of ['nextCursor', 'previousCursor'] as const) {
          const first = requestOf('A', 'Z', cursorName === 'nextCursor' ? start : end, {
            arriveBy,
            count: 1 + (seed % 4),
          });
          const { seen, pages } = followPages(network, first, cursorName, start, end);
          const timeOf = (pattern: TripPattern): number => (arriveBy ? pattern.arrival - 1 : pattern.departure);
          const ofDay = seen.filter((pattern) => timeOf(pattern) >= start && timeOf(pattern) < end);
          assert.deepEqual(ofDay.map(keyOf).sort(), expected.map(keyOf).sort(), `seed ${seed} ${cursorName}`);
          const short = pages
            .slice(0, -1)
            .filter(({ patterns, windowUsedSeconds }) => patterns.length < first.count && windowUsedSeconds < DAY);
          assert.deepEqual(
            short.map(({ patterns }) => patterns.length),
            [],
            `seed ${seed} ${cursorName}: short pages`,
          );
        }
      }
    });
  }

  it('lead back over the same journeys', () => {
    const network = randomNetwork(7);
    const start = network.at('2026-11-24 06:00');
    const first = requestOf('A', 'Z', start, { windowSeconds: 3_600, count: 3 });
    const there = followPages(network, first, 'nextCursor', start, start + DAY / 2);
    const back = followPages(network, { ...first, cursor: there.cursor }, 'previousCursor', start, start + DAY / 2);
    const within = (pattern: TripPattern): boolean => pattern.departure >= start && pattern.departure < start + DAY / 2;
    assert.deepEqual(new Set(back.seen.filter(within).map(keyOf)), new Set(there.seen.filter(within).map(keyOf)));
  });

  it('continue in a newer timetable', () => {
    const [old, fresh] = [createNetwork(), createNetwork()];
    for (const network of [old, fresh]) network.stops('A 59.9 10.7', 'Z 60.3 10.7');
    old.line('1', ['A 08:00 - Z 08:30', 'A 08:20 - Z 08:50', 'A 09:30 - Z 10:00']);
    fresh.line('1', ['A 07:00 - Z 07:30', 'A 08:00 - Z 08:30', 'A 08:25 - Z 08:55', 'A 09:30 - Z 10:00']);
    const page = { count: 1, windowSeconds: 3_600 };
    const first = plan(old, 'A', 'Z', '2026-11-23 07:55', page);
    assert.deepEqual(routes(old, first), ['1-1']);
    const next = plan(fresh, 'A', 'Z', '2026-11-23 07:55', { ...page, cursor: first.nextCursor });
    assert.deepEqual(routes(fresh, next), ['1-3']);
    const emptied = createNetwork().stops('A 59.9 10.7', 'Z 60.3 10.7').line('1', ['A 09:30 - Z 10:00']);
    const last = plan(emptied, 'A', 'Z', '2026-11-23 07:55', { ...page, cursor: first.nextCursor });
    assert.deepEqual(routes(emptied, last), ['1-1']);
  });

  it('belong to their request', () => {
    const network = randomNetwork(1);
    const cursor = plan(network, 'A', 'Z', START).nextCursor ?? '';
    const isRefusal = (error: unknown): boolean => error instanceof TripSearchFailure && error.code === 'invalidCursor';
    const others = [{ walkSpeed: 1 }, { bannedQuays: ['TST:Quay:B'] }, { filters: [{ select: [], not: [] }] }];
    for (const other of others) assert.throws(() => plan(network, 'A', 'Z', START, { ...other, cursor }), isRefusal);
    for (const [from, to] of [
      ['Z', 'A'],
      ['A', 'B'],
    ] as const)
      assert.throws(() => plan(network, from, to, START, { cursor }), isRefusal);
    const fine = { cursor, count: 1, windowSeconds: 7_200 };
    assert.ok(plan(network, 'A', 'Z', '2026-11-25 00:00', fine).nextCursor !== undefined);
  });

  it('refuse malformed cursors', () => {
    const network = randomNetwork(1);
    const given = plan(network, 'A', 'Z', START).nextCursor ?? '';
    const encode = (text: string): string => Buffer.from(text).toString('base64url');
    const wrong = [
      '',
      'x',
      '%%%',
      given.slice(0, -6),
      `${given}QQ`,
      'A'.repeat(10_000),
      encode('abc hash 9 1 0 5 5'),
      encode('abc hash 2 1 0 5 100000000 1 1 1 1'),
      encode('abc hash 2 1 0 NaN NaN'),
      encode('abc hash 2 1 0 9 5'),
      encode('abc hash 2 7 0 5 5'),
    ];
    const refused = (more: Partial<TripRequest>) => (): TripAnswer => plan(network, 'A', 'Z', START, more);
    const isRefusal = (error: unknown): boolean => error instanceof TripSearchFailure && error.code === 'invalidCursor';
    for (const cursor of wrong) assert.throws(refused({ cursor }), isRefusal, cursor);
    assert.throws(refused({ cursor: given, arriveBy: true }), isRefusal);
    for (const more of ['=', '\n', ' ']) assert.throws(refused({ cursor: `${given}${more}` }), isRefusal, more);
  });
});
