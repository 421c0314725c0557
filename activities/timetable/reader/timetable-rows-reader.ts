/**
 * Reads the published timetable for areas of sales out of the rows of the snapshot in use. Provided to them by this
 * area's manifest. Never reads the snapshot itself: an API process need not hold a country's timetable.
 */
import type { Connection } from 'mongoose';
import { FreshRead } from '../../../platform/fresh-read.ts';
import type { PublicKeys } from '../../../platform/keys/signing-keys.ts';
import { findPlannerPointer } from '../../shared/planner-snapshot.ts';
import type {
  DatedJourney,
  DirectConnection,
  FirstJourneys,
  JourneyOfLeg,
  JourneyPage,
  NamedPlace,
  SoldStopPlace,
  TimetableReader,
} from '../../shared/timetable.ts';
import {
  findConnections,
  findDatedJourney,
  findJourneyOfLeg,
  listDatedJourneys,
  RowsGoneError,
  soldPlaceOf,
} from './snapshot-reads.ts';
import { SnapshotRows } from './snapshot-rows.ts';

export interface TimetableReaderOptions {
  /** Asked for once, at the first read: not every process that has the interface reads. */
  readonly publicKeys: () => PublicKeys;
  readonly now?: () => Date;
}

/** How long a read may be of the snapshot before. */
const POINTER_KEPT_MS = 1_000;

export class TimetableRowsReader implements TimetableReader {
  readonly #connection: Connection;
  readonly #options: TimetableReaderOptions;
  readonly #fresh = new FreshRead(() => this.#readPointer());
  #held: { readonly rows: SnapshotRows | undefined; readonly until: number } | undefined;
  #publicKeys: PublicKeys | undefined;

  constructor(connection: Connection, options: TimetableReaderOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  async findJourney(leg: JourneyOfLeg): Promise<DatedJourney | undefined> {
    return await this.#read(undefined, (rows) => findJourneyOfLeg(rows, leg));
  }

  async findDatedJourney(datedServiceJourneyId: string): Promise<DatedJourney | undefined> {
    return await this.#read(undefined, (rows) => findDatedJourney(rows, datedServiceJourneyId));
  }

  async listDatedJourneys(
    serviceDay: string,
    page: number,
    perPage: number,
    first?: FirstJourneys,
  ): Promise<JourneyPage> {
    const none = { items: [], totalItems: 0 };
    return await this.#read<JourneyPage>(none, (rows) => listDatedJourneys(rows, serviceDay, page, perPage, first));
  }

  async findStopPlaces(ids: readonly string[]): Promise<readonly SoldStopPlace[]> {
    return await this.#read([], async ({ stopPlaces }) => {
      const places = await stopPlaces.get();
      return ids.flatMap((id) => places.get(id) ?? []).map(soldPlaceOf);
    });
  }

  async findConnections(fromStopPlaceId: string, toStopPlaceId: string): Promise<readonly DirectConnection[]> {
    return await this.#read<readonly DirectConnection[]>([], (rows) =>
      findConnections(rows, fromStopPlaceId, toStopPlaceId),
    );
  }

  async listStopPlaces(): Promise<readonly SoldStopPlace[]> {
    return await this.#read([], async ({ stopPlaces }) => [...(await stopPlaces.get()).values()].map(soldPlaceOf));
  }

  async listFareZones(): Promise<readonly NamedPlace[]> {
    return await this.#read([], async ({ fareZones }) => [...(await fareZones.get()).values()].map(namedPlaceOf));
  }

  async listAuthorities(): Promise<readonly NamedPlace[]> {
    return await this.#read([], async ({ authorities }) => [...(await authorities.get()).values()].map(namedPlaceOf));
  }

  async listLineIds(): Promise<readonly string[]> {
    return await this.#read([], async ({ lines }) => [...(await lines.get()).keys()]);
  }

  async listServiceJourneyIds(of: readonly string[]): Promise<readonly string[]> {
    return await this.#read<readonly string[]>([], (rows) => rows.listJourneyIds(of));
  }

  /**
   * The rows of an older snapshot are removed a day after its replacement. A process that has slept for so long finds less
   * than there is; it looks again in the snapshot in use, once.
   */
  async #read<Answer>(nothing: Answer, read: (rows: SnapshotRows) => Promise<Answer>): Promise<Answer> {
    const rows = await this.#inUse();
    const answer = rows === undefined ? nothing : await findUnlessGone(rows, read);
    if (answer !== GONE && !isNothing(answer)) return answer;
    const newest = await this.#inUse('READ_AGAIN');
    if (newest !== undefined && newest !== rows) return await read(newest);
    if (answer === GONE) throw new RowsGoneError(rows?.snapshotId ?? '');
    return answer;
  }

  /** Undefined before the first build. Throws UntrustedPointerError. */
  async #inUse(pointer: 'KEPT' | 'READ_AGAIN' = 'KEPT'): Promise<SnapshotRows | undefined> {
    if (pointer === 'KEPT' && this.#held && this.#now().getTime() < this.#held.until) return this.#held.rows;
    // When the time is over, all who ask at once would read it.
    return await this.#fresh.get();
  }

  async #readPointer(): Promise<SnapshotRows | undefined> {
    const at = this.#now();
    this.#publicKeys ??= this.#options.publicKeys();
    const found = await findPlannerPointer(this.#connection, this.#publicKeys, at);
    const known = this.#held?.rows;
    const rows =
      known?.snapshotId === found?.snapshotId ? known : found && new SnapshotRows(this.#connection, found.snapshotId);
    this.#held = { rows, until: at.getTime() + POINTER_KEPT_MS };
    return rows;
  }

  #now(): Date {
    return this.#options.now?.() ?? new Date();
  }
}

const GONE = Symbol('rows gone');

async function findUnlessGone<Answer>(
  rows: SnapshotRows,
  read: (rows: SnapshotRows) => Promise<Answer>,
): Promise<Answer | typeof GONE> {
  try {
    return await read(rows);
  } catch (error) {
    if (error instanceof RowsGoneError) return GONE;
    throw error;
  }
}

function isNothing(answer: unknown): boolean {
  if (answer === undefined) return true;
  if (Array.isArray(answer)) return answer.length === 0;
  return typeof answer === 'object' && answer !== null && 'totalItems' in answer && answer.totalItems === 0;
}

function namedPlaceOf({ id, name }: NamedPlace): NamedPlace {
  return { id, name };
}
