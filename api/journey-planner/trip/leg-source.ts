/** What the resolvers of a leg know: the leg, its neighbours, and the zone its times are shown in. */
import type { Timetable } from '../../../planner/index.ts';
import type { Ride } from '../../../planner/search/search-types.ts';
import type { RideLeg, TripLeg, TripPattern } from '../../../planner/trip/trip-types.ts';
import { zoneOfTrip } from '../resolvers/calls.ts';

export interface LegSource<Leg extends TripLeg = TripLeg> {
  readonly leg: Leg;
  /** The rides before and after, walks between them left out. */
  readonly rideBefore: RideLeg | undefined;
  readonly rideAfter: RideLeg | undefined;
  readonly zone: string;
}

export type RideSource = LegSource<RideLeg>;

export function isRide(source: LegSource): source is RideSource {
  return source.leg.kind === 'ride';
}

/** A walk is shown in the zone of the ride it leads to, else of the one it comes from. */
export function legsOf({ legs }: TripPattern, timetable: Timetable): readonly LegSource[] {
  const before = neighbours(legs);
  const after = neighbours(legs.toReversed()).toReversed();
  return legs.map((leg, at) => {
    const shown = leg.kind === 'ride' ? leg : (after[at] ?? before[at]);
    return { leg, rideBefore: before[at], rideAfter: after[at], zone: zoneOfRide(shown, timetable) };
  });
}

/** A ride that is shown by itself. */
export function legOfRide(ride: Ride, cost: number, timetable: Timetable): RideSource {
  const leg: RideLeg = { ...ride, kind: 'ride', cost };
  return { leg, rideBefore: undefined, rideAfter: undefined, zone: zoneOfRide(leg, timetable) };
}

function neighbours(legs: readonly TripLeg[]): readonly (RideLeg | undefined)[] {
  let last: RideLeg | undefined;
  return legs.map((leg) => {
    const before = last;
    if (leg.kind === 'ride') last = leg;
    return before;
  });
}

/** Of the first ride for departure, of the last for arrival. */
export function zoneOfPattern({ legs }: TripPattern, end: 'departure' | 'arrival', timetable: Timetable): string {
  const isRideLeg = (leg: TripLeg): leg is RideLeg => leg.kind === 'ride';
  return zoneOfRide(end === 'departure' ? legs.find(isRideLeg) : legs.findLast(isRideLeg), timetable);
}

function zoneOfRide(ride: RideLeg | undefined, timetable: Timetable): string {
  return ride ? zoneOfTrip(timetable, ride.trip) : (timetable.transit.zones[0] ?? 'UTC');
}
