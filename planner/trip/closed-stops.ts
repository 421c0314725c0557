/**
 * Finds the stops and routes that a request closes: banned and impassable quays, and for a wheelchair the stops known
 * to be inaccessible. The engine itself knows which trips are accessible. Caller: `plan-transit.ts`.
 */
import type { Quay } from '../model/entities.ts';
import type { StopIndex } from '../model/indices.ts';
import type { Timetable } from '../model/timetable.ts';
import type { Transit } from '../model/transit.ts';
import { findStops } from './resolve-location.ts';
import type { TripRequest } from './trip-types.ts';

/** 0: may not be used. Undefined: all may. */
type Mask = Uint8Array | undefined;

export class ClosedStops {
  readonly #timetable: Timetable;
  #inaccessible: readonly StopIndex[] | undefined;

  constructor(timetable: Timetable) {
    this.#timetable = timetable;
  }

  /** Stops where boarding, alighting and transfers are forbidden. */
  stopMask({ bannedQuays, impassableQuays, wheelchair }: TripRequest): Mask {
    const { transit } = this.#timetable;
    const lists = [this.#stopsOf(bannedQuays), this.#stopsOf(impassableQuays)];
    if (wheelchair) lists.push(this.#inaccessibleStops());
    let mask: Mask;
    for (const stops of lists) {
      for (const stop of stops) {
        mask ??= new Uint8Array(transit.stopCount).fill(1);
        mask[stop] = 0;
      }
    }
    return mask;
  }

  /** A copy of `mask` without the routes that call at an impassable quay. Others share the mask, so it is not changed. */
  routeMask(mask: Mask, { impassableQuays }: TripRequest): Mask {
    const stops = this.#stopsOf(impassableQuays);
    return stops.length === 0 ? mask : withoutRoutesAt(this.#timetable.transit, mask, stops);
  }

  #stopsOf(ids: readonly string[]): readonly StopIndex[] {
    return ids.flatMap((id) => findStops(this.#timetable.catalogue, id) ?? []);
  }

  /** Computed on first use: only requests with `wheelchair` need a check of all stops. */
  #inaccessibleStops(): readonly StopIndex[] {
    if (this.#inaccessible !== undefined) return this.#inaccessible;
    const { quays } = this.#timetable.catalogue;
    const found: StopIndex[] = [];
    for (let index = 0; index < quays.count; index += 1) {
      const stop = index as StopIndex;
      if (isInaccessible(this.#timetable, quays.at(stop))) found.push(stop);
    }
    this.#inaccessible = found;
    return found;
  }
}

/** Most registers state nothing about most stops, so only known values count. */
function isInaccessible({ catalogue }: Timetable, { accessibility, stopPlace }: Quay): boolean {
  if (accessibility !== 'noInformation' || stopPlace === undefined) return accessibility === 'notPossible';
  return catalogue.stopPlaces.at(stopPlace).accessibility === 'notPossible';
}

function withoutRoutesAt(transit: Transit, mask: Mask, stops: readonly StopIndex[]): Uint8Array {
  const { stopRoutesStart, stopRoutes } = transit;
  const left = mask?.slice() ?? new Uint8Array(transit.routeCount).fill(1);
  for (const stop of stops) {
    const end = stopRoutesStart[stop + 1] as number;
    for (let entry = stopRoutesStart[stop] as number; entry < end; entry += 1) left[stopRoutes[entry] as number] = 0;
  }
  return left;
}
