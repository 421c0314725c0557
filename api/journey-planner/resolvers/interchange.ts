/** Resolves Interchange: a connection between two journeys. */
import type { Interchange } from '../../../planner/model/entities.ts';
import type { ServiceJourneyIndex } from '../../../planner/model/indices.ts';
import type { Fields, TypeResolvers } from './fields.ts';
import type { RequestContext } from './request-context.ts';

function journeyAt(index: ServiceJourneyIndex, { timetable }: RequestContext) {
  return timetable.catalogue.serviceJourneys.at(index);
}

function lineAt(index: ServiceJourneyIndex, context: RequestContext) {
  return context.timetable.catalogue.lines.at(journeyAt(index, context).line);
}

const fields: Fields<Interchange> = {
  FromLine: ({ fromJourney }, _, context) => lineAt(fromJourney, context),
  FromServiceJourney: ({ fromJourney }, _, context) => journeyAt(fromJourney, context),
  ToLine: ({ toJourney }, _, context) => lineAt(toJourney, context),
  ToServiceJourney: ({ toJourney }, _, context) => journeyAt(toJourney, context),
  fromServiceJourney: ({ fromJourney }, _, context) => journeyAt(fromJourney, context),
  guaranteed: ({ guaranteed }) => guaranteed,
  maximumWaitTime: ({ maximumWaitSeconds }) => maximumWaitSeconds,
  priority: ({ priority }) => priority,
  staySeated: ({ staySeated }) => staySeated,
  toServiceJourney: ({ toJourney }, _, context) => journeyAt(toJourney, context),
};

export const interchange: TypeResolvers = { fields };
