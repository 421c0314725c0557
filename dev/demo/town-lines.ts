/**
 * Plans the town's buses and trams: roads out of the centre like spokes, lines across the town, feeders, rings, night
 * and school lines. Callers: the region.
 */

import { move } from './geometry.ts';
import { addTramStop, CENTRE, type Hubs, platformsOf } from './hubs.ts';
import type { Halt, LineSpec, Service } from './model.ts';
import type { Names } from './names.ts';
import { at, type Random } from './random.ts';
import { halfHourly, nightly, townAllDay, townDense, townQuiet } from './services.ts';
import { haltOf, reversed, type StopPlaces } from './stop-places.ts';
import { drawStreetStops, type StreetStops } from './street-stops.ts';

export interface Spoke extends StreetStops {
  readonly bearing: number;
}

export interface TownMap {
  readonly town: string;
  readonly hubs: Hubs;
  readonly spokes: readonly Spoke[];
  readonly names: Names;
  readonly places: StopPlaces;
  readonly random: Random;
}

const SPOKES = 12;
const BLUE = '0B5FA5';
const COLOURS = ['C8102E', '00843D', 'F28C00', '6D2077', '009CA6', '8A5A2B', 'B5007C', '4B6F00'];
export const BUS_OPERATOR = 'Nordhamn-Bybuss';

export function drawSpokes(places: StopPlaces, names: Names, random: Random): Spoke[] {
  return Array.from({ length: SPOKES }, (_, index) => {
    const bearing = -5 + (index * 190) / (SPOKES - 1);
    const plan = { from: CENTRE, bearing, stops: 12, shortestKm: 0.4, longestKm: 0.52, wobble: 9, name: names.street };
    return { bearing, ...drawStreetStops(plan, places, random) };
  });
}

export function planTownLines(map: TownMap): LineSpec[] {
  const across = planAcross(map);
  const feeders = planFeeders(map);
  return [...across, ...feeders, ...planRings(map), ...planNight(across), ...planSchool(feeders), ...planTrams(map)];
}

function branch(map: TownMap, spoke: Spoke, fromIndex: number, turn: number, stops: number): readonly Halt[] {
  const plan = {
    from: at(spoke.points, fromIndex),
    bearing: spoke.bearing + turn,
    stops,
    shortestKm: 0.36,
    longestKm: 0.5,
    wobble: 12,
    name: map.names.street,
  };
  return drawStreetStops(plan, map.places, map.random).halts;
}

function townLine(number: number, halts: readonly Halt[], services: readonly Service[]) {
  return {
    number,
    publicCode: String(number),
    name: `${at(halts, 0).there.place.name} - ${at(halts, -1).there.place.name}`,
    mode: 'bus' as const,
    submode: 'localBus',
    operator: BUS_OPERATOR,
    group: 'Bybuss',
    colour: at(COLOURS, number % COLOURS.length),
    halts,
    services,
    wheelchair: 'true' as const,
  };
}

/** Lines 1–12 run from the end of one spoke through the centre to the end of the opposite one. */
function planAcross(map: TownMap): LineSpec[] {
  return map.spokes.map((spoke, index) => {
    const number = index + 1;
    const opposite = at(map.spokes, (index + 6) % map.spokes.length);
    const arm = [...spoke.halts, ...branch(map, spoke, -1, -32, 6)];
    const otherArm = [...opposite.halts, ...branch(map, opposite, -1, 32, 6)];
    const hub = arm.length;
    const halts = [...reversed(arm), platformsOf(map.hubs.busTerminal, number), ...otherArm];
    const services = number <= 4 ? townDense(index) : townAllDay(index);
    const base = { ...townLine(number, halts, services), hub, dwellMinutes: 2, turnMinutes: 7 };
    const notices = number === 1 ? [1] : [];
    return { ...base, blocks: 'Block', depot: map.hubs.depot, notices };
  });
}

/** Lines 13–20 follow a spoke and then turn into a side valley. The last begins at the quay. */
function planFeeders(map: TownMap): LineSpec[] {
  return Array.from({ length: 8 }, (_, index) => {
    const number = 13 + index;
    const spoke = at(map.spokes, Math.floor(index * 1.5));
    const stem = [platformsOf(map.hubs.busTerminal, number), ...spoke.halts.slice(0, 5)];
    const halts = [...stem, ...branch(map, spoke, 4, index % 2 ? 62 : -62, 9)];
    if (number === 20) halts.unshift(map.hubs.townQuayBus);
    const restricted = number === 14 ? { restricted: 'first-journey' as const } : {};
    return { ...townLine(number, halts, townQuiet(index)), ...restricted, blocks: 'Block', depot: map.hubs.depot };
  });
}

/** Lines 21–24 run along arcs around the town and never through the centre. */
function planRings(map: TownMap): LineSpec[] {
  return Array.from({ length: 4 }, (_, index) => {
    const from = -8 + index * 47;
    const halts = Array.from({ length: 11 }, (_, stop) => {
      const point = move(CENTRE, from + stop * 5, 4.75 + map.random.between(-0.05, 0.05));
      return map.places.addStreetStop(map.names.street(), point, (from + stop * 5 + 90 + 360) % 360, map.random);
    });
    return { ...townLine(21 + index, halts, halfHourly(index)), wheelchair: 'unknown' };
  });
}

function planNight(across: readonly LineSpec[]): LineSpec[] {
  return [0, 3, 7, 10].map((source, index) => {
    const day = at(across, source);
    const night = { number: 31 + index, publicCode: `N${index + 1}`, name: `Natt ${day.name}`, submode: 'nightBus' };
    const { hub, dwellMinutes } = day;
    const paused = hub === undefined || dwellMinutes === undefined ? {} : { hub, dwellMinutes };
    return { ...townLine(31 + index, day.halts, nightly(index)), ...night, ...paused, colour: '1A1A1A' };
  });
}

/** Plans a school line for everyone, and a works line that is not public. */
function planSchool(feeders: readonly LineSpec[]): LineSpec[] {
  const school = at(feeders, 2);
  const works = at(feeders, 5);
  const once = (dayType: Service['dayType'], from: number): Service => ({ dayType, from, to: from, every: 60 });
  return [
    {
      ...townLine(41, school.halts.slice(2), [once('SchoolDay', 465), once('SchoolDay', 845)]),
      name: 'Skolerute indre by',
      publicCode: 'S1',
      submode: 'schoolBus',
      notices: [3],
    },
    {
      ...townLine(42, works.halts.slice(0, 9), [once('Weekday', 380), once('Weekday', 920)]),
      name: 'Arbeidsrute Verkstedmyra',
      publicCode: 'A1',
      restricted: 'line',
    },
  ];
}

function planTrams(map: TownMap): LineSpec[] {
  return [48, 128].map((bearing, index) => {
    let point = { east: -0.06, north: 0.06 };
    const outward = Array.from({ length: 12 - index * 2 }, () => {
      point = move(point, bearing + map.random.between(-8, 8), map.random.between(0.46, 0.6));
      return haltOf(addTramStop(map.places, map.names.street(), point, bearing));
    });
    const quay = map.hubs.tramQuay;
    const halts = [quay, map.hubs.tramCentre, ...outward];
    return {
      ...townLine(51 + index, halts, townDense(index + 2)),
      publicCode: `T${index + 1}`,
      name: `Trikk ${at(halts, 0).there.place.name} - ${at(halts, -1).there.place.name}`,
      mode: 'tram',
      submode: 'localTram',
      group: 'Trikk',
      colour: BLUE,
      blocks: 'Block',
      turnMinutes: 5,
      notices: [1],
    };
  });
}
