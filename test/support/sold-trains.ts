/**
 * Trains with seats that a whole service sells: a catalogue for `CATALOGUE_FILE`, and their timetable, published as a
 * planner build does. For tests that sell over HTTP without an import.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signSnapshot } from '../../activities/shared/snapshot-signature.ts';
import { PlannerJourneyStore } from '../../activities/timetable/planner-journey-store.ts';
import { PlannerPointerStore } from '../../activities/timetable/planner-pointer-store.ts';
import { presentCatalogue } from '../../api/catalogue/presenters.ts';
import { parseSigningKeys } from '../../platform/keys/signing-keys.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import type { Seat } from '../../workflows/shared/seats.ts';
import { CHANNEL, MARKET, A as PLACE_A, B as PLACE_B, C as PLACE_C } from '../api/orders/small-market.ts';
import { createNetwork } from '../planner/support/network.ts';
import { temporaryDirectory } from './folders.ts';
import type { Service } from './service.ts';

export { CHANNEL };
export const PLACES = [PLACE_A, PLACE_B, PLACE_C] as const;
export const TRAINS = 6;
const SEATS_OF_CARRIAGE = 20;
const CARRIAGES = 3;
const FIRST_HOUR = 6;
const DAY_MS = 86_400_000;

/** Each is the one journey of its own line. */
export const trainId = (train: number): string => `TST:ServiceJourney:${train + 1}-1`;

/** The day after tomorrow: drafts with seats end at departure. */
const serviceDay = (): string => new Date(Date.now() + 2 * DAY_MS).toISOString().slice(0, 10);

export interface SearchedLeg {
  readonly from: number;
  readonly to: number;
  readonly train: number;
}

/** The legs of a search, as the planner would answer them. */
export function legOf({ from, to, train }: SearchedLeg) {
  const timeOf = (call: number) => new Date(Date.parse(`${serviceDay()}T00:00:00Z`) + hourOf(train, call) * 3_600_000);
  return {
    ...{ mode: 'rail', fromStopPlaceId: PLACES[from], toStopPlaceId: PLACES[to], serviceJourneyId: trainId(train) },
    ...{ expectedStartTime: timeOf(from).toISOString(), expectedEndTime: timeOf(to).toISOString() },
  };
}

/** One of the seats of each train, in turn. */
export function seatOf(index: number) {
  const at = index % (CARRIAGES * SEATS_OF_CARRIAGE);
  return {
    carriageNumber: String(1 + Math.floor(at / SEATS_OF_CARRIAGE)),
    seatNumber: String(1 + (at % SEATS_OF_CARRIAGE)),
  };
}

const hourOf = (train: number, call: number): number => FIRST_HOUR + 2 * train + call;

/** The path of a file that holds the catalogue. */
export function trainsCatalogueFile(): string {
  const path = join(temporaryDirectory('sold-trains'), 'catalogue.json');
  writeFileSync(path, JSON.stringify(trainsCatalogue()));
  return path;
}

export function trainsCatalogue() {
  const carriages = Array.from({ length: CARRIAGES }, (_, at) => ({
    carriageNumber: String(at + 1),
    seats: Array.from(
      { length: SEATS_OF_CARRIAGE },
      (_seat, seat): Seat => ({
        seatNumber: String(seat + 1),
        properties: { fareClass: 'STANDARD', accommodationFacility: 'SEATING', facilities: [] },
      }),
    ),
  }));
  const serviceJourneyIds = Array.from({ length: TRAINS }, (_, train) => trainId(train));
  return presentCatalogue({
    ...MARKET,
    seatPlans: [{ id: 'PLAN', carriages }],
    trains: [{ id: 'SEATED', seatPlanId: 'PLAN', seatReservation: 'COMPULSORY', serviceJourneyIds }],
  });
}

export interface PublishedTrains {
  /** Default: the first. */
  readonly build?: number;
  /** Trains that the operator has withdrawn. */
  readonly withdrawn?: readonly number[];
}

/** Rows first, then the pointer. Returns when the API sells them. */
export async function publishTrains(
  service: Service,
  { build = 1, withdrawn = [] }: PublishedTrains = {},
): Promise<void> {
  const connection = await connectMongo(service.mongoUri);
  const keys = parseSigningKeys(service.plannerSigningKeys, 'PLANNER_SIGNING_KEYS');
  const timetable = trains(withdrawn).open();
  const store = new PlannerJourneyStore(connection);
  await store.ensureIndexes();
  await store.add(timetable, new AbortController().signal);
  const digest = timetable.snapshotId;
  const statement = { build, snapshotId: digest, sha256: digest, sizeBytes: 1, inputHash: 'x' };
  await new PlannerPointerStore(connection, keys, () => new Date()).move(signSnapshot(keys, statement));
  await connection.close();
}

function trains(withdrawn: readonly number[]) {
  const day = serviceDay();
  const network = createNetwork({ from: day, to: day, timeZone: 'UTC' });
  for (const [at, name] of ['A', 'B', 'C'].entries()) network.stopPlace(name, [`${name}1 59.${9 + at * 10} 10.700`]);
  const time = (train: number, call: number) => `${String(hourOf(train, call)).padStart(2, '0')}:00`;
  for (let train = 0; train < TRAINS; train += 1) {
    if (withdrawn.includes(train)) continue;
    const journey = ['A1', 'B1', 'C1'].map((stop, call) => `${stop} ${time(train, call)}`).join(' - ');
    network.line(String(train + 1), [journey], { line: { mode: 'rail' }, journey: { mode: 'rail' } });
  }
  return network;
}
