/** Dropping access and egress stops changes no answer. */
import assert from 'node:assert/strict';
import type { StopIndex } from '../../../planner/model/indices.ts';
import type { Timetable } from '../../../planner/model/timetable.ts';
import { createSearchEngine } from '../../../planner/search/search-engine.ts';
import type { FoundJourney, Ride } from '../../../planner/search/search-types.ts';
import { stopsWithinReach, type WalkedStop } from '../../../planner/trip/access-stops.ts';
import { findLocation } from '../../../planner/trip/resolve-location.ts';
import { toSearchRequest } from '../../../planner/trip/search-request.ts';
import { UsefulStops } from '../../../planner/trip/useful-stops.ts';
import { createNetwork, type Network } from '../support/network.ts';
import { location, requestOf } from './plan.ts';

const COLUMNS = 14;
const ROWS = 8;
const REACH_SECONDS = 1_200;
const at = (row: number, column: number): string => `r${row}c${column}`;
const clock = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(11, 19);

/**
 * A grid of streets a quarter of an hour's walk long, with lines in both directions along rows and columns, and one
 * between random corners.
 */
function grid(seed: number, hopSeconds: number): Network {
  let state = seed;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const network = createNetwork();
  const corners: string[] = [];
  for (let row = 0; row < ROWS; row += 1) {
    for (let column = 0; column < COLUMNS; column += 1) {
      const [latitude, longitude] = [59.9 + row * 0.0035, 10.7 + column * 0.006];
      network.quay(`${at(row, column)} ${latitude + random(10) / 1e4} ${longitude + random(10) / 1e4}`);
      corners.push(at(row, column));
    }
  }
  const addLine = (name: string, stops: readonly string[]): void => {
    const journeys = Array.from({ length: 4 }, (_, index) => {
      let time = 8 * 3_600 + index * 900 + random(600);
      const calls = stops.map((stop) => {
        time += 60 + random(hopSeconds);
        return `${stop} ${clock(time)}`;
      });
      return calls.join(' - ');
    });
    network.line(name, journeys);
  };
  for (let row = 0; row < ROWS; row += 1) {
    const stops = Array.from({ length: COLUMNS }, (_, column) => at(row, column));
    addLine(`east-${row}`, stops);
    addLine(`west-${row}`, stops.toReversed());
  }
  for (let column = 0; column < COLUMNS; column += 3) {
    addLine(
      `north-${column}`,
      Array.from({ length: ROWS }, (_, row) => at(row, column)),
    );
  }
  addLine(
    'crooked',
    Array.from({ length: 12 }, () => corners[random(corners.length)] ?? 'r0c0').filter(
      (stop, index, all) => all.indexOf(stop) === index,
    ),
  );
  return network;
}

const keyOf = ({ departure, arrival, rides, cost }: FoundJourney): string =>
  [departure, arrival, rides.length, cost].join(' ');

/**
 * True when a ride back towards the origin, or past the destination, extends the reach of a walk. Such journeys may be
 * lost.
 */
function stretchesReach(
  { transit }: Timetable,
  { rides }: FoundJourney,
  near: readonly WalkedStop[],
  far: readonly WalkedStop[],
): boolean {
  const walkTo = (reached: readonly WalkedStop[], ride: Ride, position: number): number =>
    reached.find(({ stop }) => stop === transit.stopAt(ride.route, position))?.walkSeconds ?? Number.POSITIVE_INFINITY;
  const [first, last] = [rides[0], rides.at(-1)];
  assert.ok(first && last);
  return (
    walkTo(near, first, first.alightPosition) <= walkTo(near, first, first.boardPosition) ||
    walkTo(far, last, last.boardPosition) <= walkTo(far, last, last.alightPosition)
  );
}

describe('useful access stops', () => {
  it('give the same answers as all stops within reach', () => {
    let [all, kept] = [0, 0];
    for (let seed = 1; seed <= 6; seed += 1) {
      // Walking is quicker than some slow lines, so stops further away are needed.
      const network = grid(seed, seed % 2 === 0 ? 120 : 400);
      const timetable = network.open();
      const engine = createSearchEngine(timetable);
      const useful = new UsefulStops(timetable.transit);
      for (const [from, to] of [
        ['59.9120 10.7100', '59.9150 10.7750'],
        ['59.9010 10.7210', '59.9240 10.7700'],
      ] as const) {
        const reach = (place: string): WalkedStop[] => {
          const found = findLocation(timetable.catalogue, location(place));
          assert.ok(found);
          return stopsWithinReach(timetable, found, {
            walkSpeed: 1.33,
            maximumSeconds: REACH_SECONDS,
            stopMask: undefined,
          });
        };
        const [near, far] = [reach(from), reach(to)];
        const rules = { walkReluctance: 200, routeMask: undefined };
        const fewer = {
          access: useful.of(near, { ...rules, side: 'access' }),
          egress: useful.of(far, { ...rules, side: 'egress' }),
        };
        all += near.length + far.length;
        kept += fewer.access.length + fewer.egress.length;
        const answers = [{ access: near, egress: far }, fewer].map((ends) => {
          const masks = { routes: undefined, trips: undefined };
          const request = toSearchRequest(requestOf(from, to, 0), {
            ...ends,
            via: [],
            masks,
            closedRuns: undefined,
            stopMask: undefined,
          });
          const time = network.at('2026-11-23 08:00');
          // From the nearer stop, a journey may leave after the end of the window, so that end is not compared.
          const { journeys } = engine.search({ ...request, time, windowSeconds: 7_200 });
          const early = journeys.filter(({ departure }) => departure < time + 7_200 - REACH_SECONDS);
          return early.filter((journey) => !stretchesReach(timetable, journey, near, far)).map(keyOf);
        });
        assert.ok((answers[0]?.length ?? 0) > 0);
        assert.deepEqual(answers[1], answers[0], `seed ${seed}`);
      }
    }
    assert.ok(kept < all * 0.75, `${kept} of ${all} stops kept`);
  });

  it('are all stops where they are few, and none without departures', () => {
    const network = createNetwork();
    network.stops(...Array.from({ length: 20 }, (_, index) => `S${index} 59.9 ${10.7 + index / 1_000}`));
    network.line('1', ['S0 08:00 - S1 08:05']);
    const walked = (count: number): WalkedStop[] =>
      Array.from({ length: count }, (_, index) => ({
        stop: network.stop(`S${index}`) as StopIndex,
        walkSeconds: index,
        metres: index,
      }));
    const useful = new UsefulStops(network.open().transit);
    const rules = { side: 'access', walkReluctance: 200, routeMask: undefined } as const;
    assert.equal(useful.of(walked(5), rules).length, 5);
    assert.deepEqual(
      useful.of(walked(20), rules).map(({ stop }) => stop),
      [network.stop('S0')],
    );
  });
});
