/** Resolves JourneyPattern and the paths between its stops. */
import type { JourneyPattern, ServiceJourney } from '../../../planner/model/entities.ts';
import type { ServiceDay } from '../../../planner/model/indices.ts';
import { dayAt } from './calls.ts';
import { type Fields, none, type TypeResolvers } from './fields.ts';
import { cut, pick } from './lists.ts';
import { pathBetween, pathOf } from './points-on-link.ts';
import type { RequestContext } from './request-context.ts';

interface DateArgs {
  readonly date?: ServiceDay | null;
}

/** Without a date, it takes today in the authority's zone. */
function journeysOn(
  pattern: JourneyPattern,
  day: ServiceDay | null | undefined,
  context: RequestContext,
): readonly ServiceJourney[] {
  const { catalogue, transit } = context.timetable;
  const zone = catalogue.authorities.at(catalogue.lines.at(pattern.line).authority).timeZone;
  const wanted = day ?? dayAt(context.now, zone);
  const running = catalogue
    .journeysOfPattern(pattern.index)
    .filter((journey) => transit.tripsOfJourney(journey).some((trip) => transit.runsOn(trip, wanted)));
  return pick(catalogue.serviceJourneys, running, 'JourneyPattern.serviceJourneysForDate', context);
}

const fields = {
  directionType: ({ direction }: JourneyPattern) => direction,
  id: ({ id }: JourneyPattern) => id,
  line: ({ line }: JourneyPattern, _, { timetable }) => timetable.catalogue.lines.at(line),
  name: ({ name }: JourneyPattern) => name,
  notices: ({ notices }: JourneyPattern, _, context) =>
    pick(context.timetable.catalogue.notices, notices, 'JourneyPattern.notices', context),
  pointsOnLink: (pattern: JourneyPattern) => pathOf(pattern),
  quays: ({ stops }: JourneyPattern, _, { timetable }) => stops.map(({ stop }) => timetable.catalogue.quays.at(stop)),
  serviceJourneys: ({ index }: JourneyPattern, _, context) => {
    const { catalogue } = context.timetable;
    return pick(
      catalogue.serviceJourneys,
      catalogue.journeysOfPattern(index),
      'JourneyPattern.serviceJourneys',
      context,
    );
  },
  serviceJourneysForDate: (pattern: JourneyPattern, { date }: DateArgs, context) => journeysOn(pattern, date, context),
  situations: none,
  stopToStopGeometries: (pattern: JourneyPattern, _, context) => {
    const hops = pattern.stops.slice(1).map((__, position): Hop => ({ pattern, position }));
    return cut(hops, 'JourneyPattern.stopToStopGeometries', context);
  },
} satisfies Fields<JourneyPattern>;

export const journeyPattern: TypeResolvers = {
  fields,
  v2: { destinationDisplay: ({ stops }: JourneyPattern) => stops[0]?.destination },
};

interface Hop {
  readonly pattern: JourneyPattern;
  readonly position: number;
}

function quayAt({ pattern }: Hop, position: number, { timetable }: RequestContext) {
  const stop = pattern.stops[position];
  return stop && timetable.catalogue.quays.at(stop.stop);
}

const hopFields: Fields<Hop> = {
  fromQuay: (hop, _, context) => quayAt(hop, hop.position, context),
  pointsOnLink: ({ pattern, position }) => pathBetween(pattern, position, position + 1),
  toQuay: (hop, _, context) => quayAt(hop, hop.position + 1, context),
};

export const stopToStopGeometry: TypeResolvers = { fields: hopFields };
