/** The journeys of one dataset that run on a compared day, with those days alone. Callers: the comparison. */
import { type DaySets, NO_DAYS } from './day-sets.ts';
import type { JourneyColumn, JourneyTable } from './journey-table.ts';

export class RunningJourneys {
  readonly journeys: JourneyTable;
  readonly rows: readonly number[];
  /** Number of the set of compared days, by row. */
  readonly days: Int32Array;

  constructor(journeys: JourneyTable, sets: DaySets, mask: number) {
    this.journeys = journeys;
    const masked = new Map<number, number>();
    const all = journeys.column('days');
    this.days = Int32Array.from(all, (set) => {
      let common = masked.get(set);
      if (common === undefined) {
        common = sets.addCommon(set, mask);
        masked.set(set, common);
      }
      return common;
    });
    const rows: number[] = [];
    for (let row = 0; row < journeys.length; row++) if (this.days[row] !== NO_DAYS) rows.push(row);
    this.rows = rows;
  }

  column(name: JourneyColumn): ArrayLike<number> {
    return name === 'days' ? this.days : this.journeys.column(name);
  }
}
