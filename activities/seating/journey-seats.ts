/** The seats of a journey between two places, free or not. Caller: the operation of that name. */
import type { Connection } from 'mongoose';
import { isFree } from '../../workflows/seating/rules/seat-fit.ts';
import type { Seat } from '../../workflows/shared/seats.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { FareReader } from '../shared/fares.ts';
import type { DatedJourney, TimetableReader } from '../shared/timetable.ts';
import { CarriageStore } from './carriage-store.ts';
import { listCarriages } from './seat-plans.ts';
import { runOf } from './seated-runs.ts';
import { TakenByCarriage } from './taken-seats.ts';

export interface JourneySeatsDependencies {
  readonly connection: Connection;
  readonly timetable: Pick<TimetableReader, 'findDatedJourney'>;
  readonly fares: FareReader;
}

export interface SeatedRide {
  readonly datedServiceJourneyId: string;
  /** Places where the journey calls, or that hold such a place. */
  readonly from: string;
  readonly to: string;
}

export interface CarriageSeats {
  readonly carriageNumber: string;
  readonly seats: readonly (Seat & { readonly free: boolean })[];
}

export class JourneySeats {
  readonly #dependencies: JourneySeatsDependencies;
  readonly #carriages: CarriageStore;

  constructor(dependencies: JourneySeatsDependencies) {
    this.#dependencies = dependencies;
    this.#carriages = new CarriageStore(dependencies.connection);
  }

  /** None where the journey has no seat plan. Throws NOT_FOUND, VALIDATION_FAILED. */
  async list(ride: SeatedRide): Promise<readonly CarriageSeats[]> {
    const journey = await this.#dependencies.timetable.findDatedJourney(ride.datedServiceJourneyId);
    if (!journey) throw new ServiceError('NOT_FOUND', 'The timetable has no such journey.');
    const stretch = stretchOf(journey, ride);
    const run = runOf(journey);
    const [carriages, stored] = await Promise.all([
      listCarriages(this.#dependencies.fares, journey),
      this.#carriages.list(run.runId),
    ]);
    const taken = new TakenByCarriage(stored, run).carriages;
    return carriages.map(({ carriageNumber, seats }) => ({
      carriageNumber,
      seats: seats.map((seat) => ({
        ...seat,
        free: isFree(taken.get(carriageNumber)?.get(seat.seatNumber) ?? [], stretch),
      })),
    }));
  }
}

/** The longest ride between the places, where the journey calls more than once. */
function stretchOf({ calls }: DatedJourney, { from, to }: SeatedRide) {
  const isAt = (id: string) => (call: DatedJourney['calls'][number]) =>
    call.stopPlaceId === id || call.parentStopPlaceId === id;
  const first = calls.find(isAt(from));
  const last = calls.findLast(isAt(to));
  const missing = [...(first ? [] : ['from']), ...(last ? [] : ['to'])];
  if (missing.length > 0) throw invalid(missing, 'The journey does not call there.');
  if (!first || !last || first.position >= last.position)
    throw invalid(['to'], 'The journey calls there before `from`.');
  return { from: first.position, to: last.position };
}

function invalid(parameters: readonly string[], detail: string): ServiceError {
  const errors = parameters.map((name) => ({ pointer: `/query/${name}`, code: 'UNKNOWN_STOP', detail }));
  return new ServiceError('VALIDATION_FAILED', detail, { errors });
}
