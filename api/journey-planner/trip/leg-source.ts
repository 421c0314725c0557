/** Source of a leg's resolvers: the leg, its neighbours, and the zone of its times. */
import type { Timetable } from '../../../planner/index.ts';
import type { Ride } from '../../../planner/search/search-types.ts';
import type { RideLeg, TripLeg, TripPattern } from '../../../planner/trip/trip-types.ts';
import { zoneOfTrip } from '../resolvers/calls.ts';
import { zoneAt } from '../resolvers/zone-at.ts';

export interface LegSource<Leg extends TripLeg = TripLeg> {
  readonly leg: Leg;
  /** The preceding ride; `rideAfter` is the following one. Walks between are skipped. */
  readonly rideBefore: RideLeg | undefined;
  readonly rideAfter: RideLeg | undefined;
  readonly zone: string;
}

export type RideSource = LegSource<RideLeg>;

export function isRide(source: LegSource): source is RideSource {
  return source.leg.kind === 'ride';
}

/**
 * A walk has the zone of the ride it leads to, else of the ride it comes from. Without rides it has the zone of its
 * start.
 */
export function legsOf({ legs }: TripPattern, timetable: Timetable): readonly LegSource[] {
  const before = neighbours(legs);
  const after = neighbours(legs.toReversed()).toReversed();
  return legs.map((leg, at) => {
    const shown = leg.kind === 'ride' ? leg : (after[at] ?? before[at]);
    const zone = shown ? zoneOfTrip(timetable, shown.trip) : zoneOfEnd(leg, 'departure', timetable);
    return { leg, rideBefore: before[at], rideAfter: after[at], zone };
  });
}

/** Makes the source of a single ride. */
export function legOfRide(ride: Ride, cost: number, timetable: Timetable): RideSource {
  const leg: RideLeg = { ...ride, kind: 'ride', cost };
  return { leg, rideBefore: undefined, rideAfter: undefined, zone: zoneOfTrip(timetable, leg.trip) };
}

function neighbours(legs: readonly TripLeg[]): readonly (RideLeg | undefined)[] {
  let last: RideLeg | undefined;
  return legs.map((leg) => {
    const before = last;
    if (leg.kind === 'ride') last = leg;
    return before;
  });
}

/**
 * Returns the zone of the first ride for departure, of the last ride for arrival, and without rides of the place
 * itself.
 */
export function zoneOfPattern({ legs }: TripPattern, end: 'departure' | 'arrival', timetable: Timetable): string {
  const isRideLeg = (leg: TripLeg): leg is RideLeg => leg.kind === 'ride';
  const ride = end === 'departure' ? legs.find(isRideLeg) : legs.findLast(isRideLeg);
  if (ride) return zoneOfTrip(timetable, ride.trip);
  return zoneOfEnd(end === 'departure' ? legs[0] : legs.at(-1), end, timetable);
}

function zoneOfEnd(leg: TripLeg | undefined, end: 'departure' | 'arrival', timetable: Timetable): string {
  const place = leg?.kind === 'street' ? leg[end === 'departure' ? 'from' : 'to'] : undefined;
  return zoneAt(place, timetable) ?? 'UTC';
}
