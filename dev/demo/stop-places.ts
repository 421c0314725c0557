/**
 * Makes stop places and their quays, numbered in the order of drawing. It writes nothing. Callers: the modules that
 * draw hubs and streets of stops.
 */
import { move, type Point, toPosition } from './geometry.ts';
import type { Halt, Quay, StopPlace } from './model.ts';
import { at, type Random } from './random.ts';
import type { Zones } from './zones.ts';

const FIRST_NUMBER = 900_001;
/** Half the width of a street. Quays of the two directions face each other. */
const STREET_KM = 0.009;

export interface QuayPlan {
  readonly point: Point;
  readonly bearing: number;
  readonly publicCode?: string;
}

export type PlacePlan = Pick<StopPlace, 'name' | 'mode' | 'submode' | 'type' | 'weighting' | 'wheelchair' | 'point'>;

export class StopPlaces {
  readonly all: StopPlace[] = [];
  readonly #zones: Zones;
  #quays = 0;

  constructor(zones: Zones) {
    this.#zones = zones;
  }

  add(plan: PlacePlan, quays: readonly QuayPlan[]): StopPlace {
    const place: StopPlace = {
      ...plan,
      number: FIRST_NUMBER + this.all.length,
      position: toPosition(plan.point),
      zone: this.#zones.zoneOf(plan.point),
      quays: [],
      parent: undefined,
    };
    this.all.push(place);
    for (const quay of quays) {
      place.quays.push({
        number: FIRST_NUMBER + this.#quays++,
        place,
        position: toPosition(quay.point),
        publicCode: quay.publicCode,
        bearing: Math.round(quay.bearing) % 360,
      });
    }
    return place;
  }

  /**
   * Adds two quays across a street. `bearing` is the direction out of town, and `there` is the quay in that direction.
   */
  addStreetStop(name: string, point: Point, bearing: number, random: Random): Halt {
    const place = this.add(
      {
        name,
        mode: 'bus',
        submode: undefined,
        type: 'onstreetBus',
        weighting: 'interchangeAllowed',
        wheelchair: random.chance(0.6) ? 'true' : random.chance(0.5) ? 'false' : 'unknown',
        point,
      },
      sides(point, bearing, STREET_KM),
    );
    return haltOf(place);
  }

  /** Adds a parent of several modes in the middle of its children. */
  addParent(name: string, children: readonly StopPlace[]): StopPlace {
    const east = children.reduce((sum, child) => sum + child.point.east, 0) / children.length;
    const north = children.reduce((sum, child) => sum + child.point.north, 0) / children.length;
    const parent = this.add(
      {
        name,
        mode: undefined,
        submode: undefined,
        type: undefined,
        weighting: 'preferredInterchange',
        wheelchair: 'true',
        point: { east, north },
      },
      [],
    );
    for (const child of children) child.parent = parent;
    return parent;
  }
}

/** Traffic keeps right, so the quay of a direction is on its right side. */
export function sides(point: Point, bearing: number, halfWidthKm: number, codes?: [string, string]): QuayPlan[] {
  const back = (bearing + 180) % 360;
  return [
    { point: move(point, bearing + 90, halfWidthKm), bearing, ...(codes && { publicCode: codes[0] }) },
    { point: move(point, back + 90, halfWidthKm), bearing: back, ...(codes && { publicCode: codes[1] }) },
  ];
}

export function haltOf(place: StopPlace, thereIndex = 0, backIndex = 1): Halt {
  return { there: at(place.quays, thereIndex), back: quayOr(place, backIndex) };
}

/** A place with a single quay uses it in both directions. */
function quayOr(place: StopPlace, index: number): Quay {
  return place.quays[index] ?? at(place.quays, 0);
}

/** Returns the same stops in reverse order, for the way back. */
export function reversed(halts: readonly Halt[]): Halt[] {
  return halts.map((halt) => ({ there: halt.back, back: halt.there })).reverse();
}
