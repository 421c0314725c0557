/**
 * Holds and sells seats for orders. A reservation is noted before its seat is held, and shown once it is: a crash between
 * leaves a note that the sweep finds.
 */
import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { freeSeats, suits } from '../../workflows/seating/rules/seat-fit.ts';
import type { OrderId, ReservationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { FareReader } from '../shared/fares.ts';
import type { OrderAccess } from '../shared/orders.ts';
import type {
  HoldCall,
  SeatArrangement,
  SeatCount,
  SeatKeeper,
  SeatWish,
  StretchOfJourney,
} from '../shared/seating.ts';
import { ArrangementStore } from './arrangement-store.ts';
import { toArrangement } from './arrangement-view.ts';
import { CarriageStore } from './carriage-store.ts';
import { type HeldSeats, holdJourney, noSeat } from './hold-journey.ts';
import { sweepHolds } from './hold-sweep.ts';
import { partiesOf } from './parties.ts';
import { listCarriages } from './seat-plans.ts';
import { TakenByCarriage } from './taken-seats.ts';

export interface SeatKeeperOptions {
  readonly connection: Connection;
  /** Asked for when they are needed: not every process that keeps seats has them. */
  readonly fares: () => FareReader;
  readonly orders: () => Pick<OrderAccess, 'listReserved'>;
  readonly now?: () => Date;
}

/** After that the carriages of a journey may be forgotten. */
const SOLD_AFTER_DEPARTURE_MS = 86_400_000;

export class CarriageSeatKeeper implements SeatKeeper {
  readonly #carriages: CarriageStore;
  readonly #arrangements: ArrangementStore;
  readonly #options: SeatKeeperOptions;

  constructor(options: SeatKeeperOptions) {
    this.#carriages = new CarriageStore(options.connection);
    this.#arrangements = new ArrangementStore(options.connection);
    this.#options = options;
  }

  async hold(call: HoldCall): Promise<readonly SeatArrangement[]> {
    this.#refusePast(call);
    const attempt = randomUUID();
    const ids = idsOf(call);
    if (ids.length === 0) return [];
    let wanted = call;
    if ((await this.#arrangements.begin(call, attempt)) === 'FOUND') wanted = await this.#unfinished(call, attempt);
    // A repeat may find all of them.
    if (idsOf(wanted).length > 0) await this.#holdNoted(wanted, attempt);
    return await this.#describe(ids);
  }

  async #holdNoted(wanted: HoldCall, attempt: string): Promise<void> {
    try {
      const held = await this.#holdAll(wanted, attempt);
      if (!(await this.#arrangements.finish(attempt, held))) throw takenOver();
      await this.#arrangements.hide(replacementsOf(wanted));
    } catch (error) {
      // The sweep frees what stays when the database is away.
      await this.#forget(wanted, attempt).catch(() => undefined);
      throw error;
    }
  }

  async confirm(orderId: OrderId, reservationIds: readonly ReservationId[]): Promise<void> {
    if (reservationIds.length === 0 || (await this.#arrangements.confirm(orderId, reservationIds))) return;
    const found = await this.#arrangements.find(reservationIds);
    const lost = found.filter((each) => each.orderId === orderId && each.status !== 'CONFIRMED');
    // Those of journeys long past may be forgotten.
    if (lost.length > 0) throw new Error(`The order ${orderId} has sold ${lost.length} seats that are no longer held`);
  }

  async release(orderId: OrderId, reservationIds: readonly ReservationId[]): Promise<void> {
    const found = await this.#arrangements.find(reservationIds);
    const own = found.filter((each) => each.orderId === orderId);
    if (own.length === 0) return;
    const journeys = new Set(own.map(({ datedServiceJourneyId }) => datedServiceJourneyId));
    await this.#carriages.release({
      datedServiceJourneyIds: [...journeys],
      reservationIds: own.map(({ _id }) => _id),
    });
    await this.#arrangements.markReleased(own);
  }

  async count(stretch: StretchOfJourney, wish: SeatWish): Promise<SeatCount> {
    const carriages = await listCarriages(this.#options.fares(), stretch);
    const total = carriages.flatMap(({ seats }) => seats).filter((seat) => suits(seat, wish)).length;
    if (total === 0) return { free: 0, total };
    const taken = new TakenByCarriage(await this.#carriages.list([stretch.datedServiceJourneyId])).carriages;
    const positions = { from: stretch.fromPosition, to: stretch.toPosition };
    const free = carriages.map((carriage) => freeSeats(carriage, taken, positions, wish).length);
    return { free: free.reduce((sum, count) => sum + count, 0), total };
  }

  async sweep(): Promise<void> {
    const orders = this.#options.orders();
    await sweepHolds({ arrangements: this.#arrangements, carriages: this.#carriages, orders, now: this.#now() });
  }

  #now(): Date {
    return this.#options.now?.() ?? new Date();
  }

  #refusePast({ requests }: HoldCall): void {
    const earliest = this.#now().getTime() - SOLD_AFTER_DEPARTURE_MS;
    if (requests.some(({ stretch }) => stretch.departure.getTime() < earliest)) throw noSeat();
  }

  /** What an earlier attempt of the same request has not held; its remains are freed. */
  async #unfinished(call: HoldCall, attempt: string): Promise<HoldCall> {
    const found = await this.#arrangements.find(idsOf(call));
    const mine = new Set(found.filter((each) => each.attempt === attempt).map(({ _id }) => _id));
    const datedServiceJourneyIds = journeysOf(call);
    await this.#carriages.release({ datedServiceJourneyIds, reservationIds: [...mine], exceptAttempt: attempt });
    const requests = call.requests.map((request) => ({
      ...request,
      places: request.places.filter(({ reservationId }) => mine.has(reservationId)),
    }));
    return { ...call, requests };
  }

  /** All or nothing, but for what {@link CarriageSeatKeeper.#forget} then frees. */
  async #holdAll({ requests }: HoldCall, attempt: string): Promise<HeldSeats> {
    const fares = this.#options.fares();
    const outcomes = await Promise.allSettled(
      partiesOf(requests).map(async (journey) => {
        const carriages = await listCarriages(fares, journey.journey);
        return await holdJourney(this.#carriages, { ...journey, carriages, attempt });
      }),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
    return new Map(outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [...outcome.value] : [])));
  }

  async #forget(call: HoldCall, attempt: string): Promise<void> {
    await this.#carriages.releaseAttempt(journeysOf(call), attempt);
    await this.#arrangements.forget(attempt, idsOf(call));
  }

  async #describe(ids: readonly ReservationId[]): Promise<readonly SeatArrangement[]> {
    const found = new Map((await this.#arrangements.find(ids)).map((each) => [each._id, each]));
    return ids.map((id) => {
      const arrangement = toArrangement(found.get(id));
      if (!arrangement) throw takenOver();
      return arrangement;
    });
  }
}

const idsOf = ({ requests }: HoldCall) =>
  requests.flatMap(({ places }) => places.map(({ reservationId }) => reservationId));

const journeysOf = ({ requests }: HoldCall) => [
  ...new Set(requests.map(({ stretch }) => stretch.datedServiceJourneyId)),
];

const replacementsOf = ({ requests }: HoldCall) =>
  requests.flatMap(({ replaces, places }) =>
    replaces === undefined ? [] : places.map(({ reservationId }) => ({ _id: reservationId, replaces })),
  );

/** The request was repeated while this attempt was under way. */
function takenOver(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'The request is being handled again; ask once more.', {
    headers: { 'Retry-After': '1' },
  });
}
