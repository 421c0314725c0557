/**
 * Plans lines along the coast and over the water: the railway, ferries, an express boat, the islands' buses. Callers:
 * the region.
 */

import { move, type Point } from './geometry.ts';
import { addIslandQuay, addRailStation } from './hubs.ts';
import type { Halt, LineSpec } from './model.ts';
import { at } from './random.ts';
import { line, REGION_OPERATOR, type Road } from './roads.ts';
import { everyDay, ferries, trains } from './services.ts';
import { haltOf, reversed } from './stop-places.ts';
import { drawStreetStops } from './street-stops.ts';
import type { TownMap } from './town-lines.ts';

export const NIGHT_TRAIN = 208;
/** At each station on the way, so that it arrives in the morning. */
const NIGHT_DWELL_MINUTES = 50;

export function planCoastLines(map: TownMap, roads: readonly Road[]): LineSpec[] {
  const railway = planRailway(map, at(roads, 0), at(roads, -1));
  return [...railway, ...planSea(map), planNightTrain(at(railway, -1))];
}

/** One train each way every night, by the stations of the long-distance train. */
function planNightTrain(express: LineSpec): LineSpec {
  const { halts, mode, submode, operator, group, wheelchair } = express;
  return line(NIGHT_TRAIN, 'N8', 'Nattoget', halts, {
    ...{ mode, submode, operator, group, wheelchair },
    colour: '14213D',
    services: everyDay(22 * 60 + 45, 22 * 60 + 45, 60),
    dwellMinutes: NIGHT_DWELL_MINUTES,
  });
}

/**
 * Draws stations beside the coast roads, each under one parent with the road's bus stop, then four separate ones
 * further out.
 */
function drawStations(map: TownMap, road: Road): Halt[] {
  const beside = [4, 11, 18, 25, 32].map((index) => {
    const bus = at(road.halts, index).there.place;
    const name = `${map.names.place()} stasjon`;
    const station = addRailStation(
      map.places,
      name,
      move(at(road.points, index), road.bearing + 90, 0.14),
      road.bearing,
    );
    map.places.addParent(name, [station, bus]);
    return haltOf(station);
  });
  let point = at(road.points, -1);
  const beyond = Array.from({ length: 4 }, () => {
    point = move(point, road.bearing + map.random.between(-6, 6), map.random.between(8, 11));
    return haltOf(addRailStation(map.places, `${map.names.place()} stasjon`, point, road.bearing));
  });
  return [...beside, ...beyond];
}

function planRailway(map: TownMap, northRoad: Road, southRoad: Road): LineSpec[] {
  const north = drawStations(map, northRoad);
  const south = drawStations(map, southRoad);
  const few = (halts: readonly Halt[]): Halt[] => halts.filter((_, index) => index % 4 === 0);
  const base = {
    mode: 'rail' as const,
    operator: 'Kystbanen',
    group: 'Tog',
    dwellMinutes: 1,
    turnMinutes: 15,
    wheelchair: 'true' as const,
    notices: [2],
  };
  const whole = [...reversed(north), map.hubs.centralStation, ...south];
  const express = [...reversed(few(north)), map.hubs.longDistancePlatforms, ...few(south)];
  return [
    line(201, 'R1', 'Kystbanen', whole, {
      ...base,
      submode: 'regionalRail',
      colour: 'D6006E',
      services: trains(0),
      blocks: 'TrainBlock',
    }),
    line(202, 'L2', 'Lokaltog sør', [map.hubs.centralStation, ...south.slice(0, 5)], {
      ...base,
      submode: 'local',
      colour: 'F2A900',
      services: trains(1),
      blocks: 'TrainBlock',
    }),
    line(207, 'F7', 'Nordkystekspressen', express, {
      ...base,
      submode: 'longDistance',
      colour: '5B2C83',
      services: everyDay(395, 1200, 240),
      dated: true,
      notices: [2, 6],
    }),
  ];
}

function planSea(map: TownMap): LineSpec[] {
  const islands = [
    { name: map.names.place(), point: { east: -7.6, north: 4.4 }, bearing: 300 },
    { name: map.names.place(), point: { east: -11.2, north: -6.5 }, bearing: 250 },
  ];
  const quays = islands.map((island) => addIslandQuay(map.places, island.name, island.point));
  const [first, second] = [at(quays, 0), at(quays, 1)];
  const far = addIslandQuay(map.places, map.names.place(), { east: -4, north: -27 });
  const town = map.hubs.townFerry;
  const base = { mode: 'water' as const, operator: 'Skjergardsferga', group: 'Ferje', wheelchair: 'unknown' as const };
  const car = { ...base, submode: 'localCarFerry', colour: '00629B', notices: [5] };
  const boat = { ...base, submode: 'highSpeedPassengerService', colour: '00A3E0', dwellMinutes: 3 };
  return [
    line(301, 'F1', `Ferje ${map.town} - ${at(islands, 0).name}`, [town, first.ferry], {
      ...car,
      services: ferries(60),
    }),
    line(302, 'F2', `Ferje ${at(islands, 0).name} - ${at(islands, 1).name}`, [first.ferry, second.ferry], {
      ...car,
      services: ferries(100),
    }),
    line(
      303,
      'H3',
      `Hurtigbåt ${map.town} - ${far.ferry.there.place.name}`,
      [town, first.ferry, second.ferry, far.ferry],
      { ...boat, services: everyDay(415, 1130, 235, 'Boat') },
    ),
    ...islands.map((island, index) => planIslandBus(map, index, island, at(quays, index).bus)),
  ];
}

function planIslandBus(
  map: TownMap,
  index: number,
  island: { name: string; point: Point; bearing: number },
  quay: Halt,
): LineSpec {
  const name = (): string => map.names.place();
  const plan = {
    from: island.point,
    bearing: island.bearing,
    stops: 16,
    shortestKm: 0.5,
    longestKm: 0.95,
    wobble: 14,
    name,
  };
  const halts = [quay, ...drawStreetStops(plan, map.places, map.random).halts];
  return line(120 + index, String(120 + index), `${island.name} kai - ${at(halts, -1).there.place.name}`, halts, {
    mode: 'bus',
    submode: 'localBus',
    operator: REGION_OPERATOR,
    group: 'Region',
    colour: '2E7D32',
    services: ferries(index ? 100 : 60).map((service) => ({ ...service, from: service.from + 30 + 8 * index })),
    wheelchair: 'true',
    turnMinutes: 8,
    blocks: 'Block',
  });
}
