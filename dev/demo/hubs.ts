/**
 * Makes the places where modes meet: the central station, the town's quay, stations along the railway, island quays,
 * the depot. Callers: the module that draws the map.
 */
import { move, type Point } from './geometry.ts';
import type { Halt, Quay, StopPlace } from './model.ts';
import { at } from './random.ts';
import { haltOf, type PlacePlan, type StopPlaces, sides } from './stop-places.ts';

export const CENTRE: Point = { east: 0, north: 0 };
export const TOWN_QUAY: Point = { east: -0.72, north: 0.18 };
const DEPOT: Point = { east: 1.9, north: -1.6 };
const PLATFORMS = 'ABCDEFGHIJKLMNOPQRST';

export interface Hubs {
  readonly busTerminal: StopPlace;
  readonly tramCentre: Halt;
  readonly tramQuay: Halt;
  readonly centralStation: Halt;
  readonly longDistancePlatforms: Halt;
  readonly townQuayBus: Halt;
  readonly townFerry: Halt;
  readonly depot: Quay;
}

export function drawHubs(town: string, places: StopPlaces): Hubs {
  const busTerminal = places.add(
    { ...hub(`${town} bussterminal`, CENTRE), mode: 'bus', type: 'busStation' },
    [...PLATFORMS].map((publicCode, index) => ({
      point: move(move(CENTRE, 80, -0.06 + 0.012 * Math.floor(index / 2)), 170, index % 2 ? 0.012 : -0.012),
      bearing: index % 2 ? 260 : 80,
      publicCode,
    })),
  );
  const station = addRailStation(places, `${town} stasjon`, { east: 0.13, north: 0.06 }, 5, ['1', '2', '3', '4']);
  const tramCentre = addTramStop(places, `${town} torg`, { east: -0.06, north: 0.06 }, 290);
  places.addParent(`${town} sentralstasjon`, [busTerminal, station, tramCentre]);
  const townQuay = addQuayside(places, `${town} kai`, TOWN_QUAY);
  const depot = places.add(
    { ...hub('Verkstedmyra bussanlegg', DEPOT), mode: 'bus', type: 'onstreetBus', weighting: 'interchangeAllowed' },
    [{ point: DEPOT, bearing: 90 }],
  );
  return {
    busTerminal,
    tramCentre: haltOf(tramCentre),
    tramQuay: haltOf(townQuay.tram),
    centralStation: haltOf(station, 0, 1),
    longDistancePlatforms: haltOf(station, 2, 3),
    townQuayBus: haltOf(townQuay.bus),
    townFerry: haltOf(townQuay.ferry),
    depot: at(depot.quays, 0),
  };
}

/** Returns the platform pair of a line in the terminal. Lines share platforms if there are more lines than pairs. */
export function platformsOf(terminal: StopPlace, line: number): Halt {
  const pairs = terminal.quays.length / 2;
  return haltOf(terminal, (line % pairs) * 2, (line % pairs) * 2 + 1);
}

export function addRailStation(
  places: StopPlaces,
  name: string,
  point: Point,
  bearing: number,
  tracks: readonly string[] = ['1', '2'],
): StopPlace {
  return places.add(
    { ...hub(name, point), mode: 'rail', submode: 'regionalRail', type: 'railStation' },
    tracks.map((publicCode, index) => ({
      point: move(point, bearing + 90, 0.006 * (index - (tracks.length - 1) / 2)),
      bearing: index % 2 ? (bearing + 180) % 360 : bearing,
      publicCode,
    })),
  );
}

export function addTramStop(places: StopPlaces, name: string, point: Point, bearing: number): StopPlace {
  return places.add(
    {
      ...hub(name, point),
      mode: 'tram',
      submode: 'localTram',
      type: 'onstreetTram',
      weighting: 'recommendedInterchange',
    },
    sides(point, bearing, 0.006, ['1', '2']),
  );
}

/** Adds a berth with a bus stop beside it, under one parent. The town's quay has a tram stop too. */
export function addIslandQuay(places: StopPlaces, name: string, point: Point): { bus: Halt; ferry: Halt } {
  const ferry = addBerth(places, `${name} kai`, point);
  const bus = addKerb(places, `${name} kai`, point);
  places.addParent(`${name} kai`, [ferry, bus]);
  return { bus: haltOf(bus), ferry: haltOf(ferry) };
}

function addQuayside(places: StopPlaces, name: string, point: Point): Record<'ferry' | 'bus' | 'tram', StopPlace> {
  const ferry = addBerth(places, name, point);
  const bus = addKerb(places, name, point);
  const tram = addTramStop(places, name, move(point, 60, 0.11), 290);
  places.addParent(name, [ferry, bus, tram]);
  return { ferry, bus, tram };
}

function addBerth(places: StopPlaces, name: string, point: Point): StopPlace {
  return places.add(
    { ...hub(name, point), mode: 'water', submode: 'localCarFerry', type: 'ferryStop', wheelchair: 'unknown' },
    [{ point, bearing: 270 }],
  );
}

function addKerb(places: StopPlaces, name: string, point: Point): StopPlace {
  const kerb = move(point, 100, 0.07);
  return places.add({ ...hub(name, kerb), mode: 'bus', type: 'onstreetBus' }, sides(kerb, 90, 0.009, ['1', '2']));
}

function hub(name: string, point: Point): PlacePlan {
  return {
    name,
    mode: undefined,
    submode: undefined,
    type: undefined,
    weighting: 'preferredInterchange',
    wheelchair: 'true',
    point,
  };
}
