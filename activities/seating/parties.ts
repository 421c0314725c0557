/** The requests of a call as parties that sit together: those of one ride and one wish, whatever their order lines. Pure. */
import type { Party } from '../../workflows/seating/rules/party.ts';
import type { ReservationId } from '../../workflows/shared/ids.ts';
import type { SeatRequest, Stretch } from '../shared/seating.ts';

export interface HeldParty extends Party {
  readonly reservationIds: readonly ReservationId[];
}

export interface JourneyParties {
  readonly journey: Stretch;
  readonly parties: readonly HeldParty[];
  /** The last departure. */
  readonly departure: Date;
}

/** By journey. Requests without places are left out. */
export function partiesOf(requests: readonly SeatRequest[]): readonly JourneyParties[] {
  const byJourney = new Map<string, SeatRequest[]>();
  for (const request of requests.filter(({ places }) => places.length > 0)) {
    const { datedServiceJourneyId } = request.stretch;
    byJourney.set(datedServiceJourneyId, [...(byJourney.get(datedServiceJourneyId) ?? []), request]);
  }
  return [...byJourney.values()].map((ofJourney) => ({
    journey: (ofJourney[0] as SeatRequest).stretch,
    parties: joined(ofJourney),
    departure: new Date(Math.max(...ofJourney.map(({ stretch }) => stretch.departure.getTime()))),
  }));
}

function joined(requests: readonly SeatRequest[]): readonly HeldParty[] {
  const parties = new Map<string, HeldParty>();
  for (const [at, request] of requests.entries()) {
    const { stretch, wish, wholeCompartment, seat } = request;
    const isAlone = wholeCompartment || seat !== undefined;
    const { fromPosition: from, toPosition: to } = stretch;
    const { fareClass, accommodation, facilities } = wish;
    const key = JSON.stringify([from, to, fareClass, accommodation, [...facilities].sort(), isAlone ? at : 'together']);
    const reservationIds = [
      ...(parties.get(key)?.reservationIds ?? []),
      ...request.places.map(({ reservationId }) => reservationId),
    ];
    const places = reservationIds.length;
    parties.set(key, { stretch: { from, to }, wish, wholeCompartment, places, reservationIds, ...(seat && { seat }) });
  }
  return [...parties.values()];
}

/** The parties without those that are none of these. */
export function partiesWithin(parties: readonly HeldParty[], ids: ReadonlySet<ReservationId>): readonly HeldParty[] {
  return parties
    .map((party) => {
      const reservationIds = party.reservationIds.filter((id) => ids.has(id));
      return { ...party, reservationIds, places: reservationIds.length };
    })
    .filter(({ places }) => places > 0);
}
