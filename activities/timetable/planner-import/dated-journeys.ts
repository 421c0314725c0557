/**
 * DatedServiceJourneys of a dataset: on which days a journey that has them runs. Callers: the import of a dataset.
 *
 * A dated journey may stand in another file than its journey, and may be replaced by one of a third. So all files with dated
 * journeys are read once beforehand for these two facts alone; what is usual, a journey and its days in one file, costs
 * a hash per replacement.
 */
import { HashSet } from '../../../netex/dataset/hash-set.ts';
import { IdHasher } from '../../../netex/dataset/id-hash.ts';
import type { DatedServiceJourneyEntity } from '../../../netex/entities/entity-types.ts';
import type { TimetableBuilder } from '../../../planner/build/input.ts';
import type { ServiceDay } from '../../../planner/model/indices.ts';
import { isValid, type JourneyDays } from './journey-days.ts';
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
  /** Of journeys in other files, by journey. */
  readonly #elsewhere = new Map<string, DatedRun[]>();

  /** Beforehand, of every file: what its dated journeys replace. One that is cancelled replaces nothing. */
  noteReplaced(dated: readonly DatedServiceJourneyEntity[]): void {
    for (const { serviceAlteration, replacedRefs } of dated) {
      if (serviceAlteration === 'cancellation') continue;
      for (const ref of replacedRefs) {
        this.#hasher.hash(ref);
        this.#replaced.add(this.#hasher.high, this.#hasher.low);
      }
    }
  }

  /** Beforehand: dated journeys whose journey is in another file. */
  noteElsewhere(runs: readonly DatedRun[]): void {
    for (const run of runs) {
      const others = this.#elsewhere.get(run.journeyId);
      if (others) others.push(run);
      else this.#elsewhere.set(run.journeyId, [run]);
    }
  }

  /** With their days; those without a journey or a day that can be found are counted. */
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

  /** Of journeys whose dated journeys stand in other files. */
  findElsewhere(journeyId: string): readonly DatedRun[] | undefined {
    return this.#elsewhere.get(journeyId);
  }

  /** To be asked when all replacements have been noted. */
  isOff({ id, serviceAlteration }: DatedRun): boolean {
    return serviceAlteration === 'cancellation' || serviceAlteration === 'replaced' || this.#isReplaced(id);
  }

  #isReplaced(id: string): boolean {
    this.#hasher.hash(id);
    return this.#replaced.has(this.#hasher.high, this.#hasher.low);
  }

  /** Gives the entity to the builder: also one that does not run. */
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
