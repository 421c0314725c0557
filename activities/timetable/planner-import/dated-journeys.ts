/**
 * DatedServiceJourneys of a dataset: the days of journeys that have them. Callers: the import of a dataset.
 *
 * A dated journey may be in another file than its journey, and one of a third file may replace it. So all files with
 * dated journeys are first read for these two facts alone. The usual case, a journey and its days in one file, costs a
 * hash per replacement.
 */
import { HashSet } from '../../../netex/dataset/hash-set.ts';
import { IdHasher } from '../../../netex/dataset/id-hash.ts';
import type { DatedServiceJourneyEntity } from '../../../netex/entities/entity-types.ts';
import { isValid } from '../../../netex/entities/validity.ts';
import type { TimetableBuilder } from '../../../planner/build/input.ts';
import type { ServiceDay } from '../../../planner/model/indices.ts';
import type { JourneyDays } from './journey-days.ts';
import { toAlteration } from './small-mappings.ts';

/** A dated journey with its day. */
export interface DatedRun {
  readonly id: string;
  readonly journeyId: string;
  readonly day: ServiceDay;
  readonly serviceAlteration: string | undefined;
  readonly replacedRefs: readonly string[];
}

export class DatedJourneys {
  readonly #hasher = new IdHasher();
  readonly #replaced = new HashSet();
  /** Runs of journeys in other files, by journey. */
  readonly #elsewhere = new Map<string, DatedRun[]>();

  /** First pass, for every file: the journeys that its dated journeys replace. A cancelled one replaces nothing. */
  noteReplaced(dated: readonly DatedServiceJourneyEntity[]): void {
    for (const { serviceAlteration, replacedRefs } of dated) {
      if (serviceAlteration === 'cancellation') continue;
      for (const ref of replacedRefs) {
        this.#hasher.hash(ref);
        this.#replaced.add(this.#hasher.high, this.#hasher.low);
      }
    }
  }

  /** First pass: dated journeys whose journey is in another file. */
  noteElsewhere(runs: readonly DatedRun[]): void {
    for (const run of runs) {
      const others = this.#elsewhere.get(run.journeyId);
      if (others) others.push(run);
      else this.#elsewhere.set(run.journeyId, [run]);
    }
  }

  /** Dated journeys with their days; those whose journey or day cannot be found are counted. */
  runsOf(dated: readonly DatedServiceJourneyEntity[], days: JourneyDays, builder?: TimetableBuilder): DatedRun[] {
    const runs: DatedRun[] = [];
    for (const { id, validity, serviceJourneyRef, operatingDayRef, serviceAlteration, replacedRefs } of dated) {
      const day = operatingDayRef === undefined ? undefined : days.findDay(operatingDayRef);
      if (serviceJourneyRef === undefined) builder?.reject('datedServiceJourney', 'names no journey', id);
      else if (day === undefined) builder?.reject('datedServiceJourney', 'its operating day is not known', id);
      else if (days.isInside(day) && isValid(validity, day)) {
        runs.push({ id, journeyId: serviceJourneyRef, day, serviceAlteration, replacedRefs });
      }
    }
    return runs;
  }

  /** The runs of journeys whose dated journeys are in other files. */
  findElsewhere(journeyId: string): readonly DatedRun[] | undefined {
    return this.#elsewhere.get(journeyId);
  }

  /** Call after all replacements are known. */
  isOff({ id, serviceAlteration }: DatedRun): boolean {
    return serviceAlteration === 'cancellation' || serviceAlteration === 'replaced' || this.#isReplaced(id);
  }

  #isReplaced(id: string): boolean {
    this.#hasher.hash(id);
    return this.#replaced.has(this.#hasher.high, this.#hasher.low);
  }

  /** Gives the entity to the builder, also when it does not run. */
  give(builder: TimetableBuilder, { id, day, journeyId, serviceAlteration, replacedRefs }: DatedRun): void {
    builder.addDatedServiceJourney({
      id,
      journeyId,
      day,
      alteration: toAlteration(serviceAlteration) ?? (this.#isReplaced(id) ? 'replaced' : undefined),
      replacesIds: replacedRefs.length === 0 ? undefined : replacedRefs,
    });
  }
}
