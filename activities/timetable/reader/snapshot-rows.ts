/**
 * The rows of one snapshot, as the timetable reader asks for them. Rows never change, so what is asked for often is kept
 * in memory: the places, lines and zones whole, patterns, journeys and lists of days up to a limit. Caller: the reader.
 */
import type { Connection, mongo } from 'mongoose';
import { LruCache } from '../../../platform/lru-cache.ts';
import type { CollectionDefinition } from '../../../platform/mongo/collection.ts';
import type { DirectConnection } from '../../shared/timetable.ts';
import type { PatternRow, ServiceJourneyRow } from '../planner-journey-rows.ts';
import {
  PLANNER_AUTHORITIES,
  PLANNER_FARE_ZONES,
  PLANNER_JOURNEYS,
  PLANNER_LINES,
  PLANNER_PATTERNS,
  PLANNER_STOP_PLACES,
} from '../planner-journey-store.ts';
import type { LineRow, NamedRow, StopPlaceRow } from '../planner-place-rows.ts';
import { type DayEntry, readDay } from './day-list.ts';
import { FirstDated } from './first-dated.ts';
import { KeptPromise } from './kept-promise.ts';
import { ReadQueue } from './read-queue.ts';

/** A pattern of 30 calls takes some 5 kB. */
const PATTERNS = { entries: 4_000, calls: 120_000 };
/** A trip's call takes some 32 bytes; a frequency journey has as many as hundreds of others. */
const JOURNEYS = { entries: 4_000, calls: 400_000 };
const DATED = 20_000;
/** Some 100 bytes each. */
const DAYS = { entries: 4, journeys: 250_000 };
/** A read of a country's day holds some tens of megabytes for a second or two. */
const MOST_WAITING_DAYS = 8;
const CONNECTIONS = { entries: 4_000, zones: 200_000 };

export class SnapshotRows {
  readonly snapshotId: string;
  readonly stopPlaces: KeptPromise<ReadonlyMap<string, StopPlaceRow>>;
  readonly lines: KeptPromise<ReadonlyMap<string, LineRow>>;
  readonly fareZones: KeptPromise<ReadonlyMap<string, NamedRow>>;
  readonly authorities: KeptPromise<ReadonlyMap<string, NamedRow>>;
  /** By both places. */
  readonly connections = new LruCache<readonly DirectConnection[]>(CONNECTIONS.entries, CONNECTIONS.zones);
  readonly firstDated: FirstDated;
  readonly #connection: Connection;
  readonly #patterns = new LruCache<PatternRow>(PATTERNS.entries, PATTERNS.calls);
  readonly #journeys = new LruCache<ServiceJourneyRow>(JOURNEYS.entries, JOURNEYS.calls);
  /** By dated journey. */
  readonly #journeyIds = new LruCache<string>(DATED, DATED);
  readonly #daysBeingRead = new Map<number, Promise<readonly DayEntry[]>>();
  readonly #dayReads = new ReadQueue(MOST_WAITING_DAYS);
  readonly #days = new LruCache<readonly DayEntry[]>(DAYS.entries, DAYS.journeys);

  constructor(connection: Connection, snapshotId: string) {
    this.#connection = connection;
    this.snapshotId = snapshotId;
    this.firstDated = new FirstDated(connection, snapshotId);
    const all = <Row extends { readonly id: string }>(definition: CollectionDefinition<Row>) =>
      new KeptPromise(() => readAll(definition.open(connection), snapshotId));
    this.stopPlaces = all(PLANNER_STOP_PLACES);
    this.lines = all(PLANNER_LINES);
    this.fareZones = all(PLANNER_FARE_ZONES);
    this.authorities = all(PLANNER_AUTHORITIES);
  }

  async findPattern(id: string): Promise<PatternRow | undefined> {
    const known = this.#patterns.get(id);
    if (known) return known;
    const found = await PLANNER_PATTERNS.open(this.#connection).findOne(this.#row(id), WITHOUT_KEYS);
    if (found) this.#patterns.set(id, found, found.quayIds.length);
    return found ?? undefined;
  }

  async findJourney(id: string): Promise<ServiceJourneyRow | undefined> {
    return this.#journeys.get(id) ?? (await this.listJourneys([id]))[0];
  }

  async findJourneyOfDated(datedId: string): Promise<ServiceJourneyRow | undefined> {
    const journeyId = this.#journeyIds.get(datedId);
    if (journeyId !== undefined) return await this.findJourney(journeyId);
    const filter = { snapshotId: this.snapshotId, 'dated.id': datedId };
    const found = await PLANNER_JOURNEYS.open(this.#connection).findOne(filter, WITHOUT_KEYS);
    if (!found) return undefined;
    this.#journeyIds.set(datedId, found.id, 1);
    this.#journeys.set(found.id, found, weightOf(found));
    return found;
  }

  /** Those that exist, in any order. */
  async listJourneys(ids: readonly string[]): Promise<readonly ServiceJourneyRow[]> {
    const filter = { snapshotId: this.snapshotId, id: { $in: [...ids] } };
    const found = await PLANNER_JOURNEYS.open(this.#connection).find(filter, WITHOUT_KEYS).toArray();
    for (const row of found) this.#journeys.set(row.id, row, weightOf(row));
    return found;
  }

  /** Those of these that exist, in any order. Keeps none: they may be many, and nobody asks for them again. */
  async listJourneyIds(of: readonly string[]): Promise<readonly string[]> {
    const journeys = PLANNER_JOURNEYS.open(this.#connection);
    const found: string[] = [];
    for (let at = 0; at < of.length; at += ROWS_AT_ONCE) {
      const filter = { snapshotId: this.snapshotId, id: { $in: of.slice(at, at + ROWS_AT_ONCE) } };
      for await (const { id } of journeys.find(filter, { projection: { _id: 0, id: 1 } })) found.push(id);
    }
    return found;
  }

  /** Patterns that call at both places, or below them. */
  async listPatternsOf(placeId: string, otherId: string): Promise<readonly PatternRow[]> {
    const filter = { snapshotId: this.snapshotId, places: { $all: [placeId, otherId] } };
    return await PLANNER_PATTERNS.open(this.#connection).find(filter, WITHOUT_KEYS).toArray();
  }

  /** Journeys that run on the day, by line and first departure. Throws 503 when too many other days are asked for. */
  async listDay(day: number): Promise<readonly DayEntry[]> {
    const known = this.#days.get(String(day));
    if (known) return known;
    // A country's day takes a second or two: all who ask meanwhile wait for one read.
    const reading = this.#daysBeingRead.get(day) ?? this.#readDay(day);
    this.#daysBeingRead.set(day, reading);
    return await reading;
  }

  async #readDay(day: number): Promise<readonly DayEntry[]> {
    try {
      const read = await this.#dayReads.run(async () => await readDay(this.#connection, this.snapshotId, day));
      this.#days.set(String(day), read, read.length);
      return read;
    } finally {
      this.#daysBeingRead.delete(day);
    }
  }

  #row(id: string) {
    return { snapshotId: this.snapshotId, id };
  }
}

/** A larger batch would keep other requests of the process waiting while it is read. */
const ROWS_AT_ONCE = 2_000;
const WITHOUT_KEYS = { projection: { _id: 0, snapshotId: 0 } };

const weightOf = ({ trips }: ServiceJourneyRow): number => trips.length * (trips[0]?.departures.length ?? 0);

async function readAll<Row extends { readonly id: string }>(
  collection: mongo.Collection<Row>,
  snapshotId: string,
): Promise<ReadonlyMap<string, Row>> {
  const rows = new Map<string, Row>();
  const filter = { snapshotId } as unknown as mongo.Filter<Row>;
  for await (const row of collection.find<Row>(filter, { ...WITHOUT_KEYS, batchSize: ROWS_AT_ONCE })) {
    rows.set(row.id, row);
  }
  return rows;
}
