/** A reader of small networks: publishes the rows of a network as the planner build does, and moves the pointer to it. */
import type { Connection } from 'mongoose';
import { signSnapshot } from '../../../../activities/shared/snapshot-signature.ts';
import { PlannerJourneyStore } from '../../../../activities/timetable/planner-journey-store.ts';
import { PlannerPointerStore } from '../../../../activities/timetable/planner-pointer-store.ts';
import { TimetableRowsReader } from '../../../../activities/timetable/reader/timetable-rows-reader.ts';
import type { Timetable } from '../../../../planner/index.ts';
import type { SigningKeys } from '../../../../platform/keys/signing-keys.ts';
import { SIGNING_KEYS } from '../../../support/planner-keys.ts';

export class PublishedRows {
  readonly store: PlannerJourneyStore;
  readonly reader: TimetableRowsReader;
  readonly #connection: Connection;
  #nowMs: number;
  #build = 0;

  constructor(connection: Connection, now = new Date('2026-11-23T06:00:00Z')) {
    this.#connection = connection;
    this.#nowMs = now.getTime();
    this.store = new PlannerJourneyStore(connection);
    this.reader = new TimetableRowsReader(connection, {
      publicKeys: () => SIGNING_KEYS.publicKeys,
      now: () => new Date(this.#nowMs),
    });
  }

  /** Rows first, then the pointer, as the workflow does. */
  async publish(timetable: Timetable, keys: SigningKeys = SIGNING_KEYS): Promise<void> {
    await this.store.ensureIndexes();
    await this.store.add(timetable, new AbortController().signal);
    this.#build += 1;
    const digest = timetable.snapshotId;
    const statement = { build: this.#build, snapshotId: digest, sha256: digest, sizeBytes: 1, inputHash: 'x' };
    await new PlannerPointerStore(this.#connection, keys, () => new Date(this.#nowMs)).move(
      signSnapshot(keys, statement),
    );
  }

  /** The reader looks at the pointer again after a second. */
  letPointerBeReadAgain(): void {
    this.#nowMs += 1_001;
  }
}
