/** Joins journeys to their patterns, and passing times to the patterns' stops, after the whole file has been read. */
import type { ById } from './by-id.ts';
import type { CollectedJourney, CollectedRun } from './journey-collector.ts';
import type { NumberedNames } from './kept-names.ts';
import type { PassingTimes } from './passing-times.ts';
import type { JourneyPattern } from './timetable-model.ts';

/**
 * In the passing times, replaces numbers of stop names by indexes into the pattern's stops; -1 for a stop of another
 * pattern.
 */
export function joinJourneys(
  journeys: readonly CollectedJourney[],
  times: PassingTimes,
  patterns: readonly JourneyPattern[],
  byId: ById<JourneyPattern>,
  stopNames: NumberedNames,
): void {
  const homes = new StopHomes(patterns, stopNames);
  for (const journey of journeys) {
    const pattern = joinToPattern(journey, byId);
    const end = journey.firstTime + journey.timeCount;
    for (let index = journey.firstTime; index < end; index++) {
      times.stop[index] = homes.placeIn(pattern, times.stop[index] as number);
    }
    times.sortByStop(journey.firstTime, journey.timeCount);
  }
}

export function joinToPattern(run: CollectedRun, byId: ById<JourneyPattern>): JourneyPattern | undefined {
  run.pattern = byId.find(run.journeyPatternRef, run.journeyPatternVersion);
  return run.pattern;
}

/** Index of each stop in its pattern. An id occurs in one pattern, or in several versions of one. */
class StopHomes {
  readonly #patterns: Array<JourneyPattern | undefined>;
  readonly #places: Int32Array;
  /** By number, for ids that occur in further patterns. */
  readonly #further = new Map<number, Map<JourneyPattern, number>>();

  constructor(patterns: readonly JourneyPattern[], stopNames: NumberedNames) {
    this.#patterns = new Array<JourneyPattern | undefined>(stopNames.size).fill(undefined);
    this.#places = new Int32Array(stopNames.size);
    for (const pattern of patterns) {
      for (const [place, { id }] of pattern.stops.entries()) {
        const number = stopNames.find(id);
        if (number >= 0) this.#add(number, pattern, place);
      }
    }
  }

  placeIn(pattern: JourneyPattern | undefined, number: number): number {
    if (!pattern || number < 0) return -1;
    if (this.#patterns[number] === pattern) return this.#places[number] as number;
    return this.#further.get(number)?.get(pattern) ?? -1;
  }

  #add(number: number, pattern: JourneyPattern, place: number): void {
    const home = this.#patterns[number];
    if (home === undefined) {
      this.#patterns[number] = pattern;
      this.#places[number] = place;
    } else if (home !== pattern) {
      const further = this.#further.get(number) ?? new Map<JourneyPattern, number>();
      if (!further.has(pattern)) further.set(pattern, place);
      this.#further.set(number, further);
    }
  }
}
