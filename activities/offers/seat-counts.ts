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
    const { legId, fareClass, accommodation, wholeCompartment } = seating;
    const key = [legId, fareClass, accommodation, wholeCompartment, ...facilities].join(' ');
    const known = this.#known.get(key) ?? this.#ask(seating, facilities);
    this.#known.set(key, known);
    return await known;
  }

  async #ask(seating: OfferedSeating, facilities: readonly string[]): Promise<SeatCount> {
    const { legId, fareClass, accommodation, wholeCompartment } = seating;
    const ride = this.#rides.get(legId);
    if (!ride) throw new Error(`The search has no ride ${legId}`);
    const { datedServiceJourneyId, serviceJourneyId, lineId, fromPosition, toPosition } = ride;
    const stretch = { datedServiceJourneyId, serviceJourneyId, lineId, fromPosition, toPosition };
    const wish = { accommodation, facilities, ...(fareClass && { fareClass }) };
    return await this.#seating.count(stretch, wish, wholeCompartment);
  }
}
