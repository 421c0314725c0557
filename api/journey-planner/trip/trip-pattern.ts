/** Resolves TripPattern: one journey from origin to destination. */
import { encodeTripPatternId } from '../../../planner/identity/journey-ids.ts';
import type { TripPattern } from '../../../planner/trip/trip-types.ts';
import { type Fields, none, nothing, type TypeResolvers } from '../resolvers/fields.ts';
import { roundMetres } from '../resolvers/metres.ts';
import type { RequestContext } from '../resolvers/request-context.ts';
import { formatInstant } from '../resolvers/zone-time.ts';
import { legsOf, zoneOfPattern } from './leg-source.ts';
import { legMetres } from './ride.ts';

function startText(pattern: TripPattern, _: unknown, { timetable }: RequestContext): string {
  return formatInstant(pattern.departure, zoneOfPattern(pattern, 'departure', timetable));
}

function endText(pattern: TripPattern, _: unknown, { timetable }: RequestContext): string {
  return formatInstant(pattern.arrival, zoneOfPattern(pattern, 'arrival', timetable));
}

function streetMetres({ legs }: TripPattern, onFootOnly: boolean): number {
  let metres = 0;
  for (const leg of legs) {
    if (leg.kind === 'street' && (!onFootOnly || leg.mode === 'foot')) metres += leg.distanceMetres;
  }
  return roundMetres(metres);
}

const secondsOf = ({ departure, arrival }: TripPattern): number => arrival - departure;
/** Returns seconds. */
const costOf = ({ cost }: TripPattern): number => Math.round(cost / 100);

const fields = {
  aimedEndTime: endText,
  aimedStartTime: startText,
  directDuration: secondsOf,
  distance: ({ legs }: TripPattern, _, context) =>
    roundMetres(legs.reduce((sum, leg) => sum + legMetres(leg, context), 0)),
  duration: secondsOf,
  emission: nothing,
  endTime: endText,
  expectedEndTime: endText,
  expectedStartTime: startText,
  generalizedCost: costOf,
  generalizedCost2: nothing,
  id: ({ legs }: TripPattern, _, { timetable, config }) =>
    encodeTripPatternId(
      timetable,
      legs.filter((leg) => leg.kind === 'ride'),
      config.PLANNER_ID_KEYS,
    ),
  legs: (pattern: TripPattern, _, { timetable, budget }) => {
    budget.take(pattern.legs.length);
    return legsOf(pattern, timetable);
  },
  startTime: startText,
  streetDistance: (pattern: TripPattern) => streetMetres(pattern, false),
  systemNotices: none,
  timePenalty: none,
  transferPriorityCost: nothing,
  waitTimeOptimizedCost: nothing,
  waitingTime: ({ waitSeconds }: TripPattern) => waitSeconds,
  walkDistance: (pattern: TripPattern) => streetMetres(pattern, true),
  walkTime: ({ walkSeconds }: TripPattern) => walkSeconds,
} satisfies Fields<TripPattern>;

export const tripPattern: TypeResolvers = { fields, v2: { weight: costOf } };
