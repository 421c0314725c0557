/** Free seats on the rides of one search, each kind asked for once. Seats are only counted: searching reserves nothing. */
import type { OfferedSeating } from '../../workflows/offers/rules/offer.ts';
import type { Ride } from '../../workflows/offers/rules/wanted-travel.ts';
import type { SeatCount, SeatKeeper } from '../shared/seating.ts';

export class SeatCounts {
  readonly #seating: Pick<SeatKeeper, 'count'>;
  readonly #rides: ReadonlyMap<string, Ride>;
  readonly #known = new Map<string, Promise<SeatCount>>();

  constructor(seating: Pick<SeatKeeper, 'count'>, rides: readonly Ride[]) {
    this.#seating = seating;
    this.#rides = new Map(rides.map((ride) => [ride.legId, ride]));
  }

  async count(seating: OfferedSeating, facilities: readonly string[]): Promise<SeatCount> {
    const { legId, fareClass, accommodation } = seating;
    const key = [legId, fareClass, accommodation, ...facilities].join(' ');
    const known = this.#known.get(key) ?? this.#ask(seating, facilities);
    this.#known.set(key, known);
    return await known;
  }

  async #ask({ legId, fareClass, accommodation }: OfferedSeating, facilities: readonly string[]): Promise<SeatCount> {
    const ride = this.#rides.get(legId);
    if (!ride) throw new Error(`The search has no ride ${legId}`);
    const [first, last] = [ride.calls[0], ride.calls.at(-1)];
    const stretch = {
      ...{ datedServiceJourneyId: ride.datedServiceJourneyId, serviceJourneyId: ride.serviceJourneyId },
      ...{ lineId: ride.lineId, fromPosition: ride.fromPosition, toPosition: ride.toPosition },
      fromStopPlaceId: first?.stopPlaceId ?? ride.fromStopPlaceId,
      toStopPlaceId: last?.stopPlaceId ?? ride.toStopPlaceId,
      departure: ride.plannedStart,
    };
    return await this.#seating.count(stretch, { accommodation, facilities, ...(fareClass && { fareClass }) });
  }
}
