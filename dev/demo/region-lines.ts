/**
 * Plans lines on the roads beyond the town: regional buses, express coaches, a line that runs only when booked.
 * Callers: the region.
 */

import { move } from './geometry.ts';
import { platformsOf } from './hubs.ts';
import type { Booking, Halt, LineSpec } from './model.ts';
import { at } from './random.ts';
import { line, REGION_OPERATOR, type Road } from './roads.ts';
import { everyDay, regional } from './services.ts';
import { drawStreetStops } from './street-stops.ts';
import type { TownMap } from './town-lines.ts';

const PHONE_BOOKING: Booking = { minimumBookingPeriod: 'PT2H', note: 'Bestill senest to timer før avgang.' };
const EVENING_BOOKING: Booking = {
  bookWhen: 'untilPreviousDay',
  latestBookingTime: '20:00:00',
  note: 'Bestill senest kvelden før.',
};

export function planRegionLines(map: TownMap, roads: readonly Road[]): LineSpec[] {
  return [...planRegionalBuses(map, roads), ...planCoaches(map, roads), planBookedLine(map, at(roads, 5))];
}

const outside = (halts: readonly Halt[]): string => at(halts, -1).there.place.name;

function planRegionalBuses(map: TownMap, roads: readonly Road[]): LineSpec[] {
  return roads.map((road, index) => {
    const number = 100 + index;
    const spoke = at(map.spokes, index);
    const inTown = [2, 5, 8, 11].map((stop) => at(spoke.halts, stop));
    const base: LineSpec = {
      number,
      publicCode: String(number),
      name: `${map.town} - ${outside(road.halts)}`,
      mode: 'bus',
      submode: 'regionalBus',
      operator: REGION_OPERATOR,
      group: 'Region',
      colour: '2E7D32',
      halts: [platformsOf(map.hubs.busTerminal, number), ...inTown, ...road.halts],
      services: regional(index),
      blocks: 'Block',
      depot: map.hubs.depot,
      turnMinutes: 12,
      notices: index === 3 ? [4] : [],
      wheelchair: index % 3 ? 'true' : 'unknown',
    };
    if (index === 3) return { ...base, bookedStops: { count: 2, booking: PHONE_BOOKING } };
    return index === 4 ? { ...base, bookedJourney: EVENING_BOOKING } : base;
  });
}

/** Express coaches use stops of the roads, then a few of their own further out. */
function planCoaches(map: TownMap, roads: readonly Road[]): LineSpec[] {
  return [10, 5].map((roadIndex, index) => {
    const road = at(roads, roadIndex);
    let point = at(road.points, -1);
    const beyond = Array.from({ length: 4 }, () => {
      point = move(point, road.bearing + map.random.between(-10, 10), map.random.between(14, 19));
      return map.places.addStreetStop(`${map.names.place()} rasteplass`, point, (road.bearing + 360) % 360, map.random);
    });
    const halts = [platformsOf(map.hubs.busTerminal, 9), ...[2, 14, 26].map((stop) => at(road.halts, stop)), ...beyond];
    return line(401 + index, `NX${index + 1}`, `Ekspressbuss ${map.town} - ${outside(halts)}`, halts, {
      mode: 'coach',
      submode: 'nationalCoach',
      operator: 'Ekspressen-Nord',
      group: 'Ekspress',
      colour: 'A6192E',
      services: everyDay(360 + index * 40, 1300, 120),
      wheelchair: 'true',
      notices: [2],
    });
  });
}

/** Plans a line up a side valley from a village. It runs only when booked. */
function planBookedLine(map: TownMap, road: Road): LineSpec {
  const plan = {
    from: at(road.points, 9),
    bearing: road.bearing + 70,
    stops: 8,
    shortestKm: 0.6,
    longestKm: 1.2,
    wobble: 15,
    name: () => map.names.place(),
  };
  const halts = [at(road.halts, 9), ...drawStreetStops(plan, map.places, map.random).halts];
  return line(180, 'B80', `Bestillingsrute ${outside(halts)}`, halts, {
    mode: 'bus',
    submode: 'localBus',
    operator: REGION_OPERATOR,
    group: 'Region',
    colour: '7A7A7A',
    services: everyDay(480, 1140, 120),
    flexible: PHONE_BOOKING,
    wheelchair: 'true',
    notices: [4],
  });
}
