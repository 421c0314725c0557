/**
 * Opens the newest build of the timetable, so that a comparison reads one snapshot from its beginning to its end. Provided to areas
 * of sales by this area's manifest.
 */
import type { Connection } from 'mongoose';
import type { PublicKeys } from '../../../platform/keys/signing-keys.ts';
import { findPlannerPointer } from '../../shared/planner-snapshot.ts';
import type { PublishedBuild, PublishedTimetables } from '../../shared/timetable.ts';
import { SnapshotDays } from './snapshot-days.ts';
import { findDatedJourney, findJourneyOfLeg } from './snapshot-reads.ts';
import { SnapshotRows } from './snapshot-rows.ts';

export interface PublishedBuildsOptions {
  /** Asked for at each opening: not every process that has the interface reads. */
  readonly publicKeys: () => PublicKeys;
  readonly now?: () => Date;
}

export class PublishedBuilds implements PublishedTimetables {
  readonly #connection: Connection;
  readonly #options: PublishedBuildsOptions;
  /** What was read of the last one stays in memory. */
  #held: { readonly rows: SnapshotRows; readonly days: SnapshotDays } | undefined;

  constructor(connection: Connection, options: PublishedBuildsOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  async open(): Promise<PublishedBuild | undefined> {
    const { publicKeys, now = () => new Date() } = this.#options;
    const pointer = await findPlannerPointer(this.#connection, publicKeys(), now());
    if (!pointer) return undefined;
    const { rows, days } = this.#rowsOf(pointer.snapshotId);
    return {
      build: pointer.build,
      publishedAt: pointer.publishedAt,
      findJourney: async (leg) => await findJourneyOfLeg(rows, leg),
      findDatedJourney: async (id) => await findDatedJourney(rows, id),
      findRide: async (ride) => await days.findRide(ride),
      findPeriod: async (codespace) => await days.findPeriod(codespace),
    };
  }

  #rowsOf(snapshotId: string) {
    if (this.#held?.rows.snapshotId === snapshotId) return this.#held;
    const rows = new SnapshotRows(this.#connection, snapshotId);
    this.#held = { rows, days: new SnapshotDays(this.#connection, rows) };
    return this.#held;
  }
}
