/**
 * The journeys of one snapshot by day: a ride by its stretch and departure, and how far a codespace reaches. For comparisons with
 * what was sold; each read asks the database. Caller: published-builds.ts.
 */
import type { Connection } from 'mongoose';
import type { DatedJourney, RideSought, ServicePeriod } from '../../shared/timetable.ts';
import type { DaySetRow, ServiceJourneyRow } from '../planner-journey-rows.ts';
import { PLANNER_DAY_SETS, PLANNER_JOURNEYS } from '../planner-journey-store.ts';
import { isCancelled, runOn } from './journey-runs.ts';
import { KeptPromise } from './kept-promise.ts';
import { ridesOf } from './pattern-rides.ts';
import { dateOf, dayOf, isAmong, runStartMs } from './service-days.ts';
import { describe, isAtPlace } from './snapshot-reads.ts';
import type { SnapshotRows } from './snapshot-rows.ts';

interface Boarding {
  readonly timeZone: string;
  readonly positions: readonly number[];
}

/** All keys of the snapshot, and no document. */
const DAYS_INDEX = 'day_set';

export class SnapshotDays {
  readonly #connection: Connection;
  readonly #rows: SnapshotRows;
  readonly #daySets: KeptPromise<readonly DaySetRow[]>;
  readonly #periods = new Map<string, KeptPromise<ServicePeriod | undefined>>();

  constructor(connection: Connection, rows: SnapshotRows) {
    this.#connection = connection;
    this.#rows = rows;
    const { snapshotId } = rows;
    this.#daySets = new KeptPromise(async () => await PLANNER_DAY_SETS.open(connection).find({ snapshotId }).toArray());
  }

  async findRide(ride: RideSought): Promise<DatedJourney | undefined> {
    const day = dayOf(ride.serviceDay);
    const { boardings, lineIds } = await this.#boardingsOf(ride);
    if (day === undefined || boardings.size === 0) return undefined;
    const sets = (await this.#daySets.get()).filter(({ days }) => isAmong(days, day)).map(({ id }) => id);
    const { snapshotId } = this.#rows;
    const ofLines = { snapshotId, daySet: { $in: sets }, lineId: { $in: lineIds }, mode: ride.mode };
    const found = PLANNER_JOURNEYS.open(this.#connection).find(ofLines, { projection: { _id: 0 } });
    for await (const journey of found) {
      const boarding = boardings.get(journey.patternId);
      const trip = boarding === undefined ? -1 : tripAt(journey, boarding, day, ride.departure);
      const run = trip === -1 ? undefined : runOn(journey, trip, day);
      if (run && !isCancelled(run)) return await describe(this.#rows, run);
    }
    return undefined;
  }

  async findPeriod(codespace: string): Promise<ServicePeriod | undefined> {
    const known = this.#periods.get(codespace) ?? new KeptPromise(() => this.#readPeriod(codespace));
    this.#periods.set(codespace, known);
    return await known.get();
  }

  async #boardingsOf({ authorityId, fromStopPlaceId, toStopPlaceId }: RideSought) {
    const [isFrom, isTo] = [await isAtPlace(this.#rows, fromStopPlaceId), await isAtPlace(this.#rows, toStopPlaceId)];
    const patterns = await this.#rows.listPatternsOf(fromStopPlaceId, toStopPlaceId);
    const own = patterns.filter((pattern) => pattern.authorityId === authorityId);
    const boardings = new Map<string, Boarding>();
    for (const pattern of own) {
      const positions = ridesOf(pattern, isFrom, isTo).map(({ from }) => from);
      if (positions.length > 0) boardings.set(pattern.id, { timeZone: pattern.timeZone, positions });
    }
    return { boardings, lineIds: [...new Set(own.map(({ lineId }) => lineId))] };
  }

  async #readPeriod(codespace: string): Promise<ServicePeriod | undefined> {
    // Ids begin with the codespace and a colon; a semicolon follows it in the order of texts.
    const ids = { $gte: `${codespace}:`, $lt: `${codespace};` };
    const grouped = await PLANNER_JOURNEYS.open(this.#connection)
      .aggregate<{ readonly _id: number }>(
        [{ $match: { snapshotId: this.#rows.snapshotId, id: ids } }, { $group: { _id: '$daySet' } }],
        { hint: DAYS_INDEX },
      )
      .toArray();
    const sets = new Set(grouped.map(({ _id }) => _id));
    let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const { id, days } of await this.#daySets.get()) {
      if (!sets.has(id) || days.length === 0) continue;
      first = Math.min(first, days[0] as number);
      last = Math.max(last, days.at(-1) as number);
    }
    return last < first ? undefined : { first: dateOf(first), last: dateOf(last) };
  }
}

function tripAt({ trips }: ServiceJourneyRow, { timeZone, positions }: Boarding, day: number, departure: Date): number {
  return trips.findIndex(({ departures }) => {
    const start = runStartMs(timeZone, day, departures[0] ?? 0);
    return positions.some((at) => start + (departures[at] as number) * 1_000 === departure.getTime());
  });
}
