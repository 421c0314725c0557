/**
 * Turns a found journey into legs: access walk, rides with the walks between them, egress walk. Access ends when
 * boarding begins; other walks begin when alighting ends. Walks of length zero are omitted.
 *
 * A ride's cost is riding, its boarding, and all waiting since the leg before. The last ride includes the slack after
 * alighting. So the costs of the legs add up to the journey's cost.
 */
import type { FoundJourney, Ride } from '../search/search-types.ts';
import type { RideLeg, StreetLeg, TripLeg, TripPattern } from './trip-types.ts';
import { accessLeg, alightSlack, egressLeg, isStaySeated, type LegContext, transferLeg } from './walk-legs.ts';

export function toTripPattern(context: LegContext, journey: FoundJourney): TripPattern {
  const { rides, departure, arrival, cost } = journey;
  const legs: TripLeg[] = [];
  let [walkSeconds, ridingSeconds] = [0, 0];
  const addWalk = (leg: StreetLeg | undefined): void => {
    if (leg !== undefined && (leg.distanceMetres > 0 || leg.arrival > leg.departure)) legs.push(leg);
  };
  addWalk(accessLeg(context, journey));
  walkSeconds += journey.accessSeconds;
  for (const [index, ride] of rides.entries()) {
    const before = rides[index - 1];
    const walk = before === undefined ? undefined : transferLeg(context, before, ride);
    addWalk(walk);
    const walked = walk !== undefined && ride.by === 'transfer' ? walk.arrival - walk.departure : 0;
    const freeFrom = before === undefined ? departure + journey.accessSeconds : before.arrival;
    const gap = ride.departure - freeFrom - walked;
    const isSeated = isStaySeated(context.timetable, ride);
    walkSeconds += walked;
    ridingSeconds += ride.arrival - ride.departure + (isSeated ? gap : 0);
    const after = index === rides.length - 1 ? alightSlack(context.timetable, context.request, ride) : 0;
    legs.push(rideLeg(context, ride, { gap, after, isSeated, isFirst: index === 0 }));
  }
  addWalk(egressLeg(context, journey));
  walkSeconds += journey.egressSeconds;
  const waitSeconds = arrival - departure - walkSeconds - ridingSeconds;
  return { departure, arrival, cost, walkSeconds, waitSeconds, legs };
}

interface Around {
  /** Seconds before the leg that are neither riding nor walking, and those after it. */
  readonly gap: number;
  readonly after: number;
  readonly isSeated: boolean;
  readonly isFirst: boolean;
}

function rideLeg({ request }: LegContext, ride: Ride, { gap, after, isSeated, isFirst }: Around): RideLeg {
  const riding = ride.arrival - ride.departure + (isSeated ? gap : 0);
  const waiting = after + (isSeated ? 0 : gap);
  const boarding = isSeated ? 0 : request.boardCost + (isFirst ? 0 : request.transferCost);
  return { kind: 'ride', ...ride, cost: 100 * riding + request.waitReluctance * waiting + boarding };
}
