/**
 * Makes stop places and quays from stops. A station is a stop place with its platforms as quays; with several modes
 * it is the parent of one stop place for each. A stop without a station is a stop place with one quay. Caller: the
 * timetable.
 */
import type { ChangeLog } from '../feed/change-log.ts';
import { PLATFORM, STATION, type Stop } from '../feed/feed.ts';
import { IdNames } from './id-names.ts';
import { sharedMode } from './modes.ts';
import type { StopPositions } from './stop-positions.ts';
import type { QuayPlan, StopPlacePlan } from './timetable.ts';

export interface StopPlan {
  readonly places: readonly StopPlacePlan[];
  /** By index of the stop. */
  readonly quayKeys: readonly (string | undefined)[];
  /** By index of the station, or of the stop without a station: all stop places with quays that were made from it. */
  readonly placeKeys: ReadonlyMap<number, readonly string[]>;
}

export interface StopUse {
  readonly stops: readonly Stop[];
  readonly positions: StopPositions;
  /** By index of the stop: modes of the journeys that call there. */
  readonly modes: ReadonlyMap<number, ReadonlySet<string>>;
}

export function planStopPlaces(use: StopUse, changes: ChangeLog): StopPlan {
  const { stops, modes } = use;
  const numbers = new Map(stops.map(({ id }, index) => [id, index]));
  const quayNames = new IdNames('stops');
  const placeNames = new IdNames('stops');
  const keys = stops.map(({ id }) => quayNames.take(id));
  const placeKeysOfStops = stops.map(({ id }) => placeNames.take(id));
  const platforms = new Map<number, number[]>();
  const quayKeys: (string | undefined)[] = stops.map(() => undefined);
  stops.forEach((stop, number) => {
    const isQuay = stop.kind === PLATFORM || (stop.kind === STATION && modes.has(number));
    if (!isQuay && stop.kind !== STATION) return;
    const station = stop.kind === STATION ? number : stationOf(stop, numbers, stops, changes);
    const list = platforms.get(station ?? number) ?? [];
    platforms.set(station ?? number, list);
    if (!isQuay) return;
    quayKeys[number] = keys[number];
    list.push(number);
  });
  const places: StopPlacePlan[] = [];
  const placeKeys = new Map<number, string[]>();
  for (const [stop, quays] of [...platforms].sort(([a], [b]) => a - b)) {
    const made = new PlaceMaker(use, stop, placeKeysOfStops[stop] ?? '', placeNames);
    const plans = made.make(quays.map((quay) => made.quay(quay, keys[quay] ?? '')));
    places.push(...plans);
    placeKeys.set(
      stop,
      plans.filter((plan) => plan.quays.length > 0).map(({ key }) => key),
    );
  }
  return { places, quayKeys, placeKeys };
}

function stationOf(
  stop: Stop,
  numbers: ReadonlyMap<string, number>,
  stops: readonly Stop[],
  changes: ChangeLog,
): number | undefined {
  if (stop.parentId === undefined) return undefined;
  const station = numbers.get(stop.parentId);
  if (station !== undefined && stops[station]?.kind === STATION) return station;
  changes.note('stops whose parent is no station: they stand alone', stop.id);
  return undefined;
}

class PlaceMaker {
  readonly #use: StopUse;
  readonly #stop: number;
  readonly #key: string;
  readonly #names: IdNames;

  constructor(use: StopUse, stop: number, key: string, names: IdNames) {
    this.#use = use;
    this.#stop = stop;
    this.#key = key;
    this.#names = names;
  }

  quay(stop: number, key: string): QuayPlan {
    return { stop, key, ...this.#positionOfStop(stop) };
  }

  make(quays: readonly QuayPlan[]): StopPlacePlan[] {
    const groups = new Map<string | undefined, QuayPlan[]>();
    const unused: QuayPlan[] = [];
    for (const quay of quays) {
      const modes = this.#use.modes.get(quay.stop);
      if (!modes) {
        unused.push(quay);
        continue;
      }
      const mode = sharedMode(modes);
      const group = groups.get(mode) ?? [];
      groups.set(mode, group);
      group.push(quay);
    }
    const [largest] = [...groups.values()].sort((a, b) => b.length - a.length);
    if (!largest) return [this.#place({ mode: undefined, quays: unused })];
    largest.push(...unused);
    if (groups.size === 1) return [...groups].map(([mode, group]) => this.#place({ mode, quays: group }));
    const children = [...groups].map(([mode, group]) =>
      this.#place({ mode, quays: group, key: this.#names.take(`${this.#key}-${mode ?? 'several'}`) }),
    );
    return [this.#place({ mode: undefined, quays: [], isParent: true }), ...children];
  }

  #place(plan: {
    mode: string | undefined;
    quays: readonly QuayPlan[];
    key?: string;
    isParent?: boolean;
  }): StopPlacePlan {
    const { mode, quays, key = this.#key, isParent = false } = plan;
    const parentKey = key === this.#key ? undefined : this.#key;
    return { key, stop: this.#stop, mode, parentKey, isParent, ...this.#positionOf(quays), quays };
  }

  #positionOfStop(stop: number): { latitude: number; longitude: number } {
    const { latitude, longitude } = this.#use.positions;
    return { latitude: latitude[stop] ?? Number.NaN, longitude: longitude[stop] ?? Number.NaN };
  }

  /** The station's position, else the middle of its platforms. */
  #positionOf(quays: readonly QuayPlan[]): { latitude: number; longitude: number } {
    const own = this.#positionOfStop(this.#stop);
    if (!Number.isNaN(own.latitude) || quays.length === 0) return own;
    const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    return { latitude: mean(quays.map((quay) => quay.latitude)), longitude: mean(quays.map((quay) => quay.longitude)) };
  }
}
