/**
 * Makes stop places and their quays, numbered in the order they are drawn.
 * Callers: the modules that draw hubs and corridors. Writes nothing.
 */
import { move, type Point, toPosition } from './geometry.ts';
import type { Halt, Quay, StopPlace } from './model.ts';
import { at, type Random } from './random.ts';
import type { Zones } from './zones.ts';

const FIRST_NUMBER = 900_001;
/** Half the width of a street: quays of the two directions stand across from each other. */
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

  /** Two quays across a street; `bearing` is the way out of town, and `there` the quay used that way. */
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

  /** A parent of several modes in the middle of its children. */
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

/** Traffic keeps right: the quay of a direction stands on its right side. */
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

/** A place with one quay is served from it both ways. */
function quayOr(place: StopPlace, index: number): Quay {
  return place.quays[index] ?? at(place.quays, 0);
}

/** The same stops from the other end. */
export function reversed(halts: readonly Halt[]): Halt[] {
  return halts.map((halt) => ({ there: halt.back, back: halt.there })).reverse();
}
