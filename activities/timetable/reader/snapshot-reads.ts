/** What areas of sales ask of one snapshot. Caller: timetable-rows-reader.ts, which chooses the snapshot. */
import type {
  DatedJourney,
  DirectConnection,
  FirstJourneys,
  JourneyOfLeg,
  JourneyPage,
  SoldStopPlace,
} from '../../shared/timetable.ts';
import type { ServiceJourneyRow } from '../planner-journey-rows.ts';
import type { StopPlaceRow } from '../planner-place-rows.ts';
import { datedJourneyOf } from './dated-journey-view.ts';
import { inOrder } from './day-list.ts';
import { closestRun, type JourneyRun, namesOf, runOfName, runOn } from './journey-runs.ts';
import { connectionsOf, type IsAt, ridesOf } from './pattern-rides.ts';
import { dayOf } from './service-days.ts';
import type { SnapshotRows } from './snapshot-rows.ts';

/** A row that another row names is not there: the snapshot's rows are being removed. */
export class RowsGoneError extends Error {
  constructor(snapshotId: string) {
    super(`Rows of the planner snapshot ${snapshotId} are missing`);
    this.name = 'RowsGoneError';
  }
}

export async function findJourneyOfLeg(rows: SnapshotRows, leg: JourneyOfLeg): Promise<DatedJourney | undefined> {
  const named = leg.datedServiceJourneyId === undefined ? undefined : await findRun(rows, leg.datedServiceJourneyId);
  if (leg.datedServiceJourneyId !== undefined && named === undefined) return undefined;
  const journey =
    named?.journey ?? (leg.serviceJourneyId === undefined ? undefined : await rows.findJourney(leg.serviceJourneyId));
  if (journey === undefined) return undefined;
  if (leg.serviceJourneyId !== undefined && leg.serviceJourneyId !== journey.id) return undefined;
  const pattern = await getPattern(rows, journey);
  const [isFrom, isTo] = [await isAtPlace(rows, leg.fromStopPlaceId), await isAtPlace(rows, leg.toStopPlaceId)];
  const boardings = ridesOf(pattern, isFrom, isTo).map(({ from }) => from);
  const run = closestRun(journey, pattern, leg.departure, boardings, named);
  return run && (await describe(rows, run));
}

export async function findDatedJourney(rows: SnapshotRows, id: string): Promise<DatedJourney | undefined> {
  const run = await findRun(rows, id);
  return run && (await describe(rows, run));
}

export async function listDatedJourneys(
  rows: SnapshotRows,
  serviceDay: string,
  page: number,
  perPage: number,
  first?: FirstJourneys,
): Promise<JourneyPage> {
  const day = dayOf(serviceDay);
  if (day === undefined) return { items: [], totalItems: 0 };
  const firstDated = first ? await rows.firstDated.listOn(day, first.datedServiceJourneyIds) : new Set<string>();
  const entries = inOrder(await rows.listDay(day), first, firstDated);
  const shown = entries.slice((page - 1) * perPage, page * perPage);
  const found = await rows.listJourneys([...new Set(shown.map(({ journeyId }) => journeyId))]);
  const journeys = new Map(found.map((row) => [row.id, row]));
  const items = await Promise.all(
    shown.map(async ({ journeyId, trip }) => {
      const journey = journeys.get(journeyId);
      const run = journey && runOn(journey, trip, day);
      if (run === undefined) throw new RowsGoneError(rows.snapshotId);
      return await describe(rows, run);
    }),
  );
  return { items, totalItems: entries.length };
}

export async function findConnections(
  rows: SnapshotRows,
  fromId: string,
  toId: string,
): Promise<readonly DirectConnection[]> {
  const key = `${fromId}\n${toId}`;
  const known = rows.connections.get(key);
  if (known) return known;
  const [isFrom, isTo] = [await isAtPlace(rows, fromId), await isAtPlace(rows, toId)];
  const patterns = await rows.listPatternsOf(fromId, toId);
  const rides = patterns.flatMap((pattern) => ridesOf(pattern, isFrom, isTo).map((ride) => ({ pattern, ride })));
  const found = connectionsOf(rides, await rows.lines.get());
  rows.connections.set(key, found, 1 + found.reduce((sum, { zoneIds }) => sum + zoneIds.length, 0));
  return found;
}

export function soldPlaceOf({ id, name, latitude, longitude, zoneIds }: StopPlaceRow): SoldStopPlace {
  return { id, name, latitude, longitude, zoneIds };
}

/** The run that the id names, however it is cancelled. */
async function findRun(rows: SnapshotRows, id: string): Promise<JourneyRun | undefined> {
  for (const name of namesOf(id)) {
    // Rows of journeys are mostly in memory, and no published id is known to look like one of ours.
    const own = name.own && (await rows.findJourney(name.own.journeyId));
    const journey = own ?? (await rows.findJourneyOfDated(name.id));
    const run = journey && runOfName(journey, name);
    if (run) return run;
  }
  return undefined;
}

export async function describe(rows: SnapshotRows, run: JourneyRun): Promise<DatedJourney> {
  const pattern = await getPattern(rows, run.journey);
  const [lines, stopPlaces] = await Promise.all([rows.lines.get(), rows.stopPlaces.get()]);
  return datedJourneyOf(run, { pattern, line: lines.get(run.journey.lineId), stopPlaces });
}

async function getPattern(rows: SnapshotRows, { patternId }: ServiceJourneyRow) {
  const pattern = await rows.findPattern(patternId);
  if (pattern === undefined) throw new RowsGoneError(rows.snapshotId);
  return pattern;
}

export async function isAtPlace(rows: SnapshotRows, placeId: string): Promise<IsAt> {
  const places = await rows.stopPlaces.get();
  return (stopPlaceId) => stopPlaceId === placeId || places.get(stopPlaceId)?.parentId === placeId;
}
