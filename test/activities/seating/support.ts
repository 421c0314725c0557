/** A train with a seat plan, a seat keeper on a database of its own, and the books that its seats must satisfy. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { CarriageSeatKeeper } from '../../../activities/seating/seat-keeper.ts';
import { ARRANGEMENTS, CARRIAGES } from '../../../activities/seating/seating-model.ts';
import { type Fares, indexTrains } from '../../../activities/shared/fares.ts';
import type { HoldCall, SeatRequest, Stretch } from '../../../activities/shared/seating.ts';
import type { DatedJourney } from '../../../activities/shared/timetable.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import type {
  OrderId,
  OrderLineId,
  OrganisationId,
  ReservationId,
  TravellerId,
} from '../../../workflows/shared/ids.ts';
import type { Carriage, Seat } from '../../../workflows/shared/seats.ts';
import { useMongo } from '../../support/stack.ts';

export const NOW = new Date('2026-11-23T06:00:00Z');
export const DEPARTURE = new Date('2026-11-24T07:00:00Z');
export const JOURNEY = 'TST:ServiceJourney:1@2026-11-24';
export const OTHER_JOURNEY = 'TST:ServiceJourney:2@2026-11-24';

export function seat(seatNumber: string, more: Partial<Seat['properties']> = {}, compartmentNumber?: string): Seat {
  const properties = { fareClass: 'STANDARD', accommodationFacility: 'SEATING', facilities: [], ...more } as const;
  return { seatNumber, ...(compartmentNumber !== undefined && { compartmentNumber }), properties };
}

/** `seats('1', 40)`: carriage 1 with the seats 1 to 40. */
export function carriage(carriageNumber: string, count: number, more: Partial<Seat['properties']> = {}): Carriage {
  return { carriageNumber, seats: Array.from({ length: count }, (_, at) => seat(String(at + 1), more)) };
}

export function stretch(fromPosition: number, toPosition: number, more: Partial<Stretch> = {}): Stretch {
  return {
    datedServiceJourneyId: JOURNEY,
    serviceJourneyId: 'TST:ServiceJourney:1',
    lineId: 'TST:Line:1',
    fromStopPlaceId: `TST:StopPlace:${fromPosition}`,
    toStopPlaceId: `TST:StopPlace:${toPosition}`,
    fromPosition,
    toPosition,
    departure: DEPARTURE,
    ...more,
  };
}

export interface RequestOptions extends Partial<Omit<SeatRequest, 'places'>> {
  readonly places?: number;
  readonly reservationIds?: readonly ReservationId[];
}

export function request(of: Stretch, { places = 1, reservationIds, ...more }: RequestOptions = {}): SeatRequest {
  const ids = reservationIds ?? Array.from({ length: places }, () => randomUUID() as ReservationId);
  return {
    orderLineId: randomUUID() as OrderLineId,
    stretch: of,
    wish: { accommodation: 'SEATING', facilities: [] },
    wholeCompartment: false,
    places: ids.map((reservationId) => ({ reservationId, travellerId: randomUUID() as TravellerId })),
    ...more,
  };
}

export function call(requests: readonly SeatRequest[], more: Partial<HoldCall> = {}): HoldCall {
  const orderId = randomUUID().slice(0, 8).toUpperCase() as OrderId;
  return { organisationId: 1 as OrganisationId, orderId, workId: randomUUID(), heldAt: NOW, requests, ...more };
}

export interface Train {
  readonly connection: Connection;
  readonly keeper: CarriageSeatKeeper;
  /** Those of other processes. */
  readonly others: readonly CarriageSeatKeeper[];
  /** Reservations that orders have. */
  readonly reserved: Set<ReservationId>;
  setPlan(carriages: readonly Carriage[]): void;
  /** The timetable has it from now on, instead of those before with its ids. */
  setJourney(datedServiceJourneyIds: readonly string[], journey: DatedJourney): void;
  /** Asking for this order fails. */
  breakOrder(orderId: OrderId | undefined): void;
  advance(ms: number): void;
  /** Fails when two stretches of a seat overlap, or when carriages and arrangements disagree. */
  checkBooks(): Promise<{ readonly stretches: number; readonly arrangements: number }>;
}

export async function openTrain(carriages: readonly Carriage[]): Promise<Train> {
  const mongo = await useMongo();
  const connection = await connectMongo(mongo.uri(`seating_${randomUUID().slice(0, 8)}`));
  await Promise.all([CARRIAGES.ensureIndexes(connection), ARRANGEMENTS.ensureIndexes(connection)]);
  const reserved = new Set<ReservationId>();
  let [plan, nowMs] = [carriages, NOW.getTime()];
  const fares = () => ({ current: async () => faresOf(plan), lately: async () => faresOf(plan) });
  let broken: OrderId | undefined;
  const listReserved = async (orderId: OrderId) => {
    if (orderId === broken) throw new Error('The order cannot be read');
    return reserved;
  };
  const orders = () => ({ listReserved });
  const journeys = new Map<string, DatedJourney>();
  const timetable = () => ({
    findDatedJourney: async (id: string) =>
      id.includes('unknown') ? undefined : (journeys.get(id) ?? plainJourney(id)),
  });
  const open = () => new CarriageSeatKeeper({ connection, fares, timetable, orders, now: () => new Date(nowMs) });
  return {
    connection,
    keeper: open(),
    others: Array.from({ length: 7 }, open),
    reserved,
    setPlan: (next) => {
      plan = next;
    },
    setJourney: (ids, journey) => {
      for (const id of ids) journeys.set(id, journey);
    },
    breakOrder: (orderId) => {
      broken = orderId;
    },
    advance: (ms) => {
      nowMs += ms;
    },
    checkBooks: () => checkBooks(connection),
  };
}

/** What the timetable has of a journey that a test says nothing of: it calls at 40 places. */
export function plainJourney(datedServiceJourneyId: string): DatedJourney {
  const [serviceJourneyId = '', serviceDay = '2026-11-24'] = datedServiceJourneyId.split('@');
  return {
    ...{ datedServiceJourneyId, serviceJourneyId, serviceDay, isCancelled: false, mode: 'rail' },
    ...{ lineId: 'TST:Line:1', authorityId: 'TST:Authority:1' },
    calls: Array.from({ length: 40 }, (_, position) => ({
      ...{ position, quayId: `TST:Quay:${position}`, stopPlaceId: `TST:StopPlace:${position}`, stopName: 'Stop' },
      departure: new Date(DEPARTURE.getTime() + position * 600_000),
      ...{ forBoarding: true, forAlighting: true, zoneIds: [], distanceMetres: position * 1_000 },
    })),
  };
}

function faresOf(carriages: readonly Carriage[]): Fares {
  const train = { id: 'train', seatPlanId: 'plan', seatReservation: 'COMPULSORY', lineIds: ['TST:Line:1'] } as const;
  return {
    catalogueVersion: 1,
    timeZone: 'Europe/Oslo',
    userTypes: [],
    entitlements: [],
    products: new Map(),
    prices: new Map(),
    refundRuleSets: new Map(),
    changeRuleSets: new Map(),
    seatPlans: new Map([['plan', { id: 'plan', carriages }]]),
    trains: indexTrains([train]),
  };
}

async function checkBooks(connection: Connection) {
  const carriages = await CARRIAGES.open(connection).find().toArray();
  const live = await ARRANGEMENTS.open(connection)
    .find({ status: { $ne: 'RELEASED' } })
    .toArray();
  const taken = carriages.flatMap(({ runId, carriageNumber, stretches }) =>
    stretches.map((each) => ({ ...each, seat: `${runId}/${carriageNumber}/${each.seatNumber}` })),
  );
  for (const [at, one] of taken.entries()) {
    for (const other of taken.slice(at + 1)) {
      const overlaps = one.seat === other.seat && one.from < other.to && other.from < one.to;
      assert.ok(!overlaps, `${one.seat} is sold twice: [${one.from}, ${one.to}) and [${other.from}, ${other.to})`);
    }
  }
  for (const { _id, runId, carriageNumber, seatNumber, fromPosition, toPosition } of live) {
    const seatOf = `${runId}/${carriageNumber}/${seatNumber}`;
    const own = taken.filter(({ seat: each, holders }) => each === seatOf && holders.includes(_id));
    assert.deepEqual(
      own.map(({ from, to }) => [from, to]),
      [[fromPosition, toPosition]],
      `the seat of ${_id}`,
    );
  }
  const ids = new Set(live.map(({ _id }) => _id));
  for (const { seat: each, holders } of taken) {
    assert.ok(
      holders.every((id) => ids.has(id)),
      `${each} is held for nobody`,
    );
  }
  return { stretches: taken.length, arrangements: live.length };
}
