/**
 * Positions of the stops of a file's journey patterns, and the distances between them. Each stop point and each pair
 * of neighbours is looked up once, however many journeys and rules ask.
 *
 * Callers: the rules on distances, speeds, modes and link geometry.
 */

import { distanceMetres } from '../geo/distance.ts';
import type { JourneyPattern, TimetableModel } from '../model/timetable-model.ts';
import type { StopFacts } from '../stop-register/stop-facts.ts';
import type { RuleRun } from './check.ts';
import { roundBeyond } from './round-beyond.ts';

/** A stop as the rules compare it: its facts, with the position read once. */
export interface PlacedStop {
  readonly facts: StopFacts;
  readonly id: string;
  /** NaN without a position. */
  readonly latitude: number;
  readonly longitude: number;
}

export interface PlacedStops {
  /** By index in `pattern.stops`; undefined when the stop point has no quay or the quay is unknown. */
  readonly stops: ReadonlyArray<PlacedStop | undefined>;
  /** Distance from the stop before, by index in `pattern.stops`; NaN when one of the two has no position. */
  readonly hopMetres: Float64Array;
}

const kept = new WeakMap<TimetableModel, PatternGeography>();

/** One shared object for all rules on the model. */
export function geographyOf(run: RuleRun, model: TimetableModel): PatternGeography {
  let geography = kept.get(model);
  if (!geography) {
    geography = new PatternGeography(run, model);
    kept.set(model, geography);
  }
  return geography;
}

class PatternGeography {
  readonly #run: RuleRun;
  readonly #model: TimetableModel;
  readonly #stops = new Map<string, PlacedStop | undefined>();
  readonly #patterns = new Map<JourneyPattern, PlacedStops>();

  constructor(run: RuleRun, model: TimetableModel) {
    this.#run = run;
    this.#model = model;
  }

  /** The quay that the stop point is assigned to, else the stop place. */
  findStop(scheduledStopPointRef: string | undefined): PlacedStop | undefined {
    if (scheduledStopPointRef === undefined) return undefined;
    let stop = this.#stops.get(scheduledStopPointRef);
    if (stop === undefined && !this.#stops.has(scheduledStopPointRef)) {
      stop = this.#placeStop(scheduledStopPointRef);
      this.#stops.set(scheduledStopPointRef, stop);
    }
    return stop;
  }

  stopsOf(pattern: JourneyPattern): PlacedStops {
    let found = this.#patterns.get(pattern);
    if (!found) {
      const stops = pattern.stops.map((point) => this.findStop(point.scheduledStopPointRef));
      const hopMetres = new Float64Array(stops.length).fill(Number.NaN);
      for (let place = 1; place < stops.length; place++)
        hopMetres[place] = metresBetween(stops[place - 1], stops[place]);
      found = { stops, hopMetres };
      this.#patterns.set(pattern, found);
    }
    return found;
  }

  #placeStop(scheduledStopPointRef: string): PlacedStop | undefined {
    const assignment = this.#model.findStopAssignment(scheduledStopPointRef);
    const id = assignment?.quayRef ?? assignment?.stopPlaceRef;
    const facts = id === undefined ? undefined : this.#run.findStop(id);
    if (id === undefined || facts === undefined) return undefined;
    return { facts, id, latitude: facts.latitude ?? Number.NaN, longitude: facts.longitude ?? Number.NaN };
  }
}

/** NaN when one of the two has no position. */
export function metresBetween(from: PlacedStop | undefined, to: PlacedStop | undefined): number {
  if (from === undefined || to === undefined) return Number.NaN;
  return distanceMetres(from.latitude, from.longitude, to.latitude, to.longitude);
}

/** `Jernbanetorget (NSR:Quay:7184)`, for messages. */
export function describeStop(run: RuleRun, stop: PlacedStop | undefined): string {
  if (stop === undefined) return 'an unknown stop';
  const { facts, id } = stop;
  const place = facts.parentId === undefined ? undefined : run.findStop(facts.parentId);
  const parent = place?.parentId === undefined ? undefined : run.findStop(place.parentId);
  const name = facts.name ?? place?.name ?? parent?.name;
  return name === undefined ? id : `${name} (${id})`;
}

/** `230 m`, `12.4 km`, `300 km`; gets more decimals when it would otherwise read as the limit. */
export function describeMetres(metres: number, limitMetres = Number.NaN): string {
  return metres < 1000
    ? `${roundBeyond(metres, limitMetres, 0)} m`
    : `${roundBeyond(metres / 1000, limitMetres / 1000, 1)} km`;
}
