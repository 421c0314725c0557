/** Resolves Leg: a ride or a walk. All values are planned ones: expected equals aimed. */
import { encodeLegId } from '../../../planner/identity/journey-ids.ts';
import type { Call } from '../resolvers/calls.ts';
import { findDatedJourney } from '../resolvers/calls.ts';
import { type Fields, no, none, nothing, type TypeResolvers } from '../resolvers/fields.ts';
import { roundMetres } from '../resolvers/metres.ts';
import { type PointsOnLink, pathBetween, pathThrough } from '../resolvers/points-on-link.ts';
import type { RequestContext } from '../resolvers/request-context.ts';
import { amount, type Maybe } from '../resolvers/user-input.ts';
import { formatDay, formatInstant } from '../resolvers/zone-time.ts';
import { type AlternativeFilter, alternativeRides } from './alternative-legs.ts';
import { isRide, type LegSource, legOfRide, type RideSource } from './leg-source.ts';
import { type PlaceSource, placeAtEnd, placeAtStop } from './place.ts';
import {
  alightingCall,
  allCalls,
  boardingCall,
  bookingOf,
  callsBetween,
  interchangeBetween,
  journeyOf,
  legMetres,
  lineOf,
  operatorOf,
  patternOf,
} from './ride.ts';

/** Resolves a field that only rides have. */
function ofRide<Value>(read: (source: RideSource, context: RequestContext) => Value) {
  return (source: LegSource, _: unknown, context: RequestContext): Value | undefined =>
    isRide(source) ? read(source, context) : undefined;
}

function listOfRide<Item>(read: (source: RideSource, context: RequestContext) => readonly Item[]) {
  return (source: LegSource, _: unknown, context: RequestContext): readonly Item[] =>
    isRide(source) ? read(source, context) : [];
}

const startText = ({ leg, zone }: LegSource): string => formatInstant(leg.departure, zone);
const endText = ({ leg, zone }: LegSource): string => formatInstant(leg.arrival, zone);
const secondsOf = ({ leg }: LegSource): number => leg.arrival - leg.departure;

function pathOf(source: LegSource, context: RequestContext): PointsOnLink {
  const { leg } = source;
  if (leg.kind === 'ride') return pathBetween(patternOf(leg, context), leg.boardPosition, leg.alightPosition);
  const { from, to, distanceMetres } = leg;
  return pathThrough([from.latitude, to.latitude], [from.longitude, to.longitude], distanceMetres);
}

function endOf({ leg }: LegSource, end: 'from' | 'to', context: RequestContext): PlaceSource {
  if (leg.kind === 'street') return placeAtEnd(leg[end], context);
  const call: Call = end === 'from' ? boardingCall(leg, context) : alightingCall(leg, context);
  return placeAtStop(call.stop, context);
}

interface AlternativeArgs {
  readonly filter?: Maybe<AlternativeFilter>;
  readonly next?: Maybe<number>;
  readonly previous?: Maybe<number>;
}

/** The cost of another departure is unknown, since no search found it. */
function alternatives(direction: 'next' | 'previous') {
  return (source: LegSource, args: AlternativeArgs, context: RequestContext): readonly LegSource[] | undefined => {
    if (!isRide(source)) return undefined;
    const count = amount(direction, args[direction], 1);
    const rides = alternativeRides(source.leg, { direction, count, filter: args.filter ?? 'noFilter' }, context);
    // The search costs time even without a result.
    context.budget.take(rides.length + 1);
    return rides.map((ride) => legOfRide(ride, Number.NaN, context.timetable));
  };
}

/** Returns seconds. */
function costOf({ leg: { cost } }: LegSource): number | undefined {
  return Number.isNaN(cost) ? undefined : Math.round(cost / 100);
}

const fields = {
  aimedEndTime: endText,
  aimedStartTime: startText,
  authority: ofRide(({ leg }, context) => {
    const { catalogue } = context.timetable;
    return catalogue.authorities.at(lineOf(leg, context).authority);
  }),
  bikeRentalNetworks: none,
  bookingArrangements: ofRide(({ leg }, context) => bookingOf(leg, context)),
  datedServiceJourney: ofRide(({ leg }, context) =>
    findDatedJourney(context.timetable, journeyOf(leg, context).index, leg.day),
  ),
  directDuration: secondsOf,
  distance: ({ leg }: LegSource, _, context) => roundMetres(legMetres(leg, context)),
  duration: secondsOf,
  elevationProfile: none,
  emission: nothing,
  expectedEndTime: endText,
  expectedStartTime: startText,
  fromEstimatedCall: ofRide(({ leg }, context) => boardingCall(leg, context)),
  fromPlace: (source: LegSource, _, context) => endOf(source, 'from', context),
  generalizedCost: costOf,
  id: ofRide(({ leg }, { timetable, config }) => encodeLegId(timetable, leg, config.PLANNER_ID_KEYS)),
  interchangeFrom: ofRide(({ leg, rideBefore }, context) => interchangeBetween(rideBefore, leg, context)),
  interchangeTo: ofRide(({ leg, rideAfter }, context) => interchangeBetween(leg, rideAfter, context)),
  intermediateEstimatedCalls: listOfRide(({ leg }, context) => callsBetween(leg, context)),
  intermediateQuays: listOfRide(({ leg }, context) =>
    callsBetween(leg, context).map(({ stop }) => context.timetable.catalogue.quays.at(stop)),
  ),
  line: ofRide(({ leg }, context) => lineOf(leg, context)),
  mode: ({ leg }: LegSource, _, context) => (leg.kind === 'street' ? leg.mode : journeyOf(leg, context).mode),
  nextLegs: alternatives('next'),
  operator: ofRide(({ leg }, context) => operatorOf(leg, context)),
  pointsOnLink: (source: LegSource, _, context) => pathOf(source, context),
  previousLegs: alternatives('previous'),
  realtime: no,
  rentedBike: no,
  ride: (source: LegSource) => isRide(source),
  serviceDate: ofRide(({ leg }) => formatDay(leg.day)),
  serviceJourney: ofRide(({ leg }, context) => journeyOf(leg, context)),
  serviceJourneyEstimatedCalls: listOfRide(({ leg }, context) => allCalls(leg, context)),
  situations: none,
  steps: none,
  toEstimatedCall: ofRide(({ leg }, context) => alightingCall(leg, context)),
  toPlace: (source: LegSource, _, context) => endOf(source, 'to', context),
  transportSubmode: ofRide(({ leg }, context) => journeyOf(leg, context).submode),
  walkingBike: no,
} satisfies Fields<LegSource>;

export const leg: TypeResolvers = {
  fields,
  v2: { via: no },
  v2Renames: {
    endTime: 'expectedEndTime',
    organisation: 'authority',
    realTime: 'realtime',
    startTime: 'expectedStartTime',
  },
};
