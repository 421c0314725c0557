/** Holds, sells and frees seats for orders. Provided to other areas by the manifest. */
import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { freeCompartments } from '../../workflows/seating/rules/compartments.ts';
import { freeSeats, suits } from '../../workflows/seating/rules/seat-fit.ts';
import type { OrderId, ReservationId } from '../../workflows/shared/ids.ts';
import { DAY_MS } from '../../workflows/shared/spans.ts';
import type { FareReader } from '../shared/fares.ts';
import type { OrderAccess } from '../shared/orders.ts';
import type {
  HoldCall,
  SeatArrangement,
  SeatCount,
  SeatHold,
  SeatKeeper,
  SeatWish,
  StretchOfJourney,
} from '../shared/seating.ts';
import type { TimetableReader } from '../shared/timetable.ts';
import { ArrangementStore } from './arrangement-store.ts';
import { CarriageLists } from './carriage-lists.ts';
import { CarriageStore } from './carriage-store.ts';
import { HoldAttempt } from './hold-attempt.ts';
import type { SeatStores } from './hold-journey.ts';
import { notesOf } from './hold-notes.ts';
import { sweepHolds } from './hold-sweep.ts';
import { noSeat } from './no-seat.ts';
import { listCarriages } from './seat-plans.ts';
import { findRun, isKnown, withRuns } from './seated-runs.ts';
import { runsOf } from './seating-model.ts';
import { TakenByCarriage } from './taken-seats.ts';
import { Turns } from './turns.ts';

export interface SeatKeeperOptions {
  readonly connection: Connection;
  /** Asked for when they are needed: not every process that keeps seats has them. */
  readonly fares: () => FareReader;
  readonly timetable: () => Pick<TimetableReader, 'findDatedJourney'>;
  readonly orders: () => Pick<OrderAccess, 'listReserved'>;
  readonly now?: () => Date;
}

/** After that the carriages of a journey may be forgotten. */
const SOLD_AFTER_DEPARTURE_MS = DAY_MS;

export class CarriageSeatKeeper implements SeatKeeper {
  readonly #stores: SeatStores;
  readonly #turns = new Turns();
  readonly #options: SeatKeeperOptions;

  constructor(options: SeatKeeperOptions) {
    const { connection } = options;
    const carriages = new CarriageStore(connection);
    const lists = new CarriageLists(carriages);
    this.#stores = { carriages, lists, arrangements: new ArrangementStore(connection) };
    this.#options = options;
  }

  async hold(given: HoldCall): Promise<readonly SeatArrangement[]> {
    this.#refusePast(given);
    const attempt = randomUUID();
    const replaced = given.requests.flatMap(({ replaces }) => replaces ?? []);
    const requests = await withRuns(this.#options.timetable(), given.requests);
    const call = { ...given, requests };
    const notes = notesOf(call, attempt, await this.#stores.arrangements.arrangementIds(replaced));
    if (notes.length === 0) return [];
    const [stores, turns, fares] = [this.#stores, this.#turns, this.#options.fares()];
    return await new HoldAttempt({ stores, turns, fares, call, notes, attempt }).run();
  }

  async show(orderId: OrderId, reservationIds: readonly ReservationId[]): Promise<void> {
    const found = await this.#stores.arrangements.find(reservationIds);
    await this.#stores.arrangements.show(found.filter((each) => each.orderId === orderId));
  }

  async confirm(orderId: OrderId, reservationIds: readonly ReservationId[]): Promise<void> {
    if (reservationIds.length === 0 || (await this.#stores.arrangements.confirm(orderId, reservationIds))) return;
    const found = await this.#stores.arrangements.find(reservationIds);
    const lost = found.filter((each) => each.orderId === orderId && each.status !== 'CONFIRMED');
    // Those of journeys long past may be forgotten.
    if (lost.length > 0) throw new Error(`The order ${orderId} has sold ${lost.length} seats that are no longer held`);
  }

  async giveBack(orderId: OrderId, holds: readonly SeatHold[]): Promise<void> {
    const given = await this.#stores.arrangements.surrender(orderId, holds);
    for (const [attempt, ofAttempt] of Map.groupBy(given, (each) => each.attempt)) {
      const reservationIds = ofAttempt.map(({ _id }) => _id);
      await this.#stores.carriages.release({ runIds: runsOf(ofAttempt), reservationIds, attempt });
    }
    await this.#stores.arrangements.markReleased(given);
  }

  async release(orderId: OrderId, reservationIds: readonly ReservationId[]): Promise<void> {
    const found = await this.#stores.arrangements.find(reservationIds);
    const own = found.filter((each) => each.orderId === orderId);
    if (own.length === 0) return;
    await this.#stores.carriages.release({
      runIds: runsOf(own),
      reservationIds: own.map(({ _id }) => _id),
    });
    await this.#stores.arrangements.markReleased(own);
  }

  async count(stretch: StretchOfJourney, wish: SeatWish, wholeCompartment = false): Promise<SeatCount> {
    const carriages = await listCarriages(this.#options.fares(), stretch);
    const total = carriages.flatMap(({ seats }) => seats).filter((seat) => suits(seat, wish)).length;
    if (total === 0) return { free: 0, total };
    const { run } = await findRun(this.#options.timetable(), stretch.datedServiceJourneyId);
    if (!isKnown(run)) return { free: 0, total };
    const taken = new TakenByCarriage(await this.#stores.carriages.list(run.runId), run).carriages;
    const positions = { from: stretch.fromPosition, to: stretch.toPosition };
    if (wholeCompartment) {
      const compartments = freeCompartments(carriages, taken, { stretch: positions, wish });
      return { free: compartments[0] ?? 0, total, compartments };
    }
    const free = carriages.map((carriage) => freeSeats(carriage, taken, positions, wish).length);
    return { free: free.reduce((sum, count) => sum + count, 0), total };
  }

  async sweep(): Promise<void> {
    const orders = this.#options.orders();
    await sweepHolds({ ...this.#stores, orders, now: this.#now() });
  }

  #now(): Date {
    return this.#options.now?.() ?? new Date();
  }

  #refusePast({ requests }: HoldCall): void {
    const earliest = this.#now().getTime() - SOLD_AFTER_DEPARTURE_MS;
    if (requests.some(({ stretch }) => stretch.departure.getTime() < earliest)) throw noSeat();
  }
}
