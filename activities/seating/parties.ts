/** The requests of a call as parties that sit together: those of one ride and one wish, whatever their order lines. Pure. */
import { rankOf } from '../../workflows/seating/rules/holding-order.ts';
import type { Party } from '../../workflows/seating/rules/party.ts';
import type { ReservationId } from '../../workflows/shared/ids.ts';
import type { Stretch } from '../shared/seating.ts';
import type { RunRequest, SeatedRun } from './seated-runs.ts';

export interface HeldParty extends Party {
  readonly fromStop: string;
  readonly toStop: string;
  readonly reservationIds: readonly ReservationId[];
  readonly supplementIds: readonly string[];
}

export interface JourneyParties {
  readonly run: SeatedRun;
  readonly journey: Stretch;
  readonly parties: readonly HeldParty[];
  /** The last departure. */
  readonly departure: Date;
}

/** By run. Requests without places are left out. */
export function partiesOf(requests: readonly RunRequest[]): readonly JourneyParties[] {
  const byRun = new Map<string, [RunRequest, ...RunRequest[]]>();
  for (const request of requests.filter(({ places }) => places.length > 0)) {
    const others = byRun.get(request.run.runId);
    if (others) others.push(request);
    else byRun.set(request.run.runId, [request]);
  }
  return [...byRun.values()].map((ofRun) => ({
    run: ofRun[0].run,
    journey: ofRun[0].stretch,
    parties: joined(ofRun),
    departure: new Date(Math.max(...ofRun.map(({ stretch }) => stretch.departure.getTime()))),
  }));
}

function joined(requests: readonly RunRequest[]): readonly HeldParty[] {
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
    const { supplementIds: asking = [] } = request;
    const supplementIds = [...new Set([...(parties.get(key)?.supplementIds ?? []), ...asking])];
    const fromStop = request.run.stops[from] ?? stretch.fromStopPlaceId;
    const toStop = request.run.stops[to] ?? stretch.toStopPlaceId;
    const party = {
      stretch: { from, to },
      fromStop,
      toStop,
      wish,
      wholeCompartment,
      places,
      reservationIds,
      supplementIds,
    };
    parties.set(key, { ...party, ...(seat && { seat }) });
  }
  return [...parties.values()].toSorted((one, other) => rankOf(other) - rankOf(one));
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
