/**
 * Dated journeys of a dataset: a journey that has any runs on their days alone. Cancelled and replaced ones do not run.
 * Caller: `outline-builder.ts`. Ids are hashes, so that a million dated journeys take 25 MB.
 */
import { HashSet } from '../dataset/hash-set.ts';
import { IdHasher } from '../dataset/id-hash.ts';
import type { DatedServiceJourneyEntity } from '../entities/entity-types.ts';
import { isValid } from '../entities/validity.ts';
import { growingInt32, growingUint8, growingUint32 } from '../packed/growing-array.ts';
import { groupNumbers, ListTable } from '../packed/list-table.ts';
import type { JourneyTable } from './journey-table.ts';

export class DatedRuns {
  readonly #hasher = new IdHasher();
  readonly #replaced = new HashSet();
  readonly #ownHigh = growingUint32();
  readonly #ownLow = growingUint32();
  readonly #journeyHigh = growingUint32();
  readonly #journeyLow = growingUint32();
  readonly #days = growingInt32();
  readonly #isOff = growingUint8();

  /** `day`: its operating day, undefined when that is not known. */
  add(entity: DatedServiceJourneyEntity, day: number | undefined): void {
    const { id, serviceJourneyRef, serviceAlteration, replacedRefs, validity } = entity;
    const hasher = this.#hasher;
    if (serviceAlteration !== 'cancellation') {
      for (const ref of replacedRefs) {
        hasher.hash(ref);
        this.#replaced.add(hasher.high, hasher.low);
      }
    }
    if (serviceJourneyRef === undefined || day === undefined) return;
    hasher.hash(id);
    this.#ownHigh.push(hasher.high);
    this.#ownLow.push(hasher.low);
    hasher.hash(serviceJourneyRef);
    this.#journeyHigh.push(hasher.high);
    this.#journeyLow.push(hasher.low);
    this.#days.push(day);
    const isOff = serviceAlteration === 'cancellation' || serviceAlteration === 'replaced' || !isValid(validity, day);
    this.#isOff.push(isOff ? 1 : 0);
  }

  /** Visits every journey that has dated journeys, with the days on which it runs; after the last file. */
  forEachJourney(journeys: JourneyTable, visit: (row: number, days: readonly number[]) => void): void {
    const count = this.#days.length;
    if (count === 0) return;
    const rows = this.#rowsOfRuns(journeys);
    const runs = new ListTable(
      ...groupNumbers(journeys.length, (put) => {
        for (let run = 0; run < count; run++) if ((rows[run] as number) >= 0) put(rows[run] as number, run);
      }),
    );
    for (let row = 0; row < journeys.length; row++) {
      const own = runs.of(row);
      if (own.length === 0) continue;
      const days = new Set<number>();
      for (const run of own) if (this.#runs(run)) days.add(this.#days.get(run));
      visit(row, [...days]);
    }
  }

  #runs(run: number): boolean {
    return this.#isOff.get(run) === 0 && !this.#replaced.has(this.#ownHigh.get(run), this.#ownLow.get(run));
  }

  #rowsOfRuns(journeys: JourneyTable): Int32Array {
    const ids = new HashSet(journeys.length);
    const [high, low] = [journeys.column('idHigh'), journeys.column('idLow')];
    const rowOfMember = growingInt32();
    for (let row = 0; row < journeys.length; row++) {
      if (ids.add(high[row] as number, low[row] as number)) rowOfMember.push(row);
    }
    return Int32Array.from({ length: this.#days.length }, (_, run) => {
      const member = ids.find(this.#journeyHigh.get(run), this.#journeyLow.get(run));
      return member < 0 ? -1 : rowOfMember.get(member);
    });
  }
}
