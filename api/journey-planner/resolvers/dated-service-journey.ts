/** Resolves DatedServiceJourney and the replacements between journeys. */
import type { DatedServiceJourney } from '../../../planner/model/entities.ts';
import type { DatedServiceJourneyIndex } from '../../../planner/model/indices.ts';
import { type Fields, none, type TypeResolvers } from './fields.ts';
import type { RequestContext } from './request-context.ts';
import { callsOn, type QuaysArgs, quaysOf } from './service-journey.ts';
import { formatDay } from './zone-time.ts';

function journeyOf({ journey }: DatedServiceJourney, { timetable }: RequestContext) {
  return timetable.catalogue.serviceJourneys.at(journey);
}

function pickDated(indexes: readonly DatedServiceJourneyIndex[], { timetable }: RequestContext) {
  return indexes.map((index) => timetable.catalogue.datedServiceJourneys.at(index));
}

const fields = {
  estimatedCalls: (dated: DatedServiceJourney, _, context) => callsOn(journeyOf(dated, context), dated.day, context),
  id: ({ id }: DatedServiceJourney) => id,
  journeyPattern: (dated: DatedServiceJourney, _, context) =>
    context.timetable.catalogue.journeyPatterns.at(journeyOf(dated, context).pattern),
  operatingDay: ({ day }: DatedServiceJourney) => formatDay(day),
  quays: (dated: DatedServiceJourney, args: QuaysArgs, context) => quaysOf(journeyOf(dated, context), args, context),
  replacedByRelation: ({ replacedBy }: DatedServiceJourney, _, context) => pickDated(replacedBy, context),
  replacementFor: ({ replaces }: DatedServiceJourney, _, context) => pickDated(replaces, context),
  replacementForRelation: ({ replaces }: DatedServiceJourney, _, context) => pickDated(replaces, context),
  serviceJourney: (dated: DatedServiceJourney, _, context) => journeyOf(dated, context),
  tripAlteration: ({ alteration }: DatedServiceJourney) => alteration ?? 'planned',
} satisfies Fields<DatedServiceJourney>;

export const datedServiceJourney: TypeResolvers = {
  fields,
  v2: {
    replacementFor: ({ replaces }: DatedServiceJourney, _, context) => pickDated(replaces, context)[0],
    situations: none,
  },
  v2Renames: { serviceAlteration: 'tripAlteration' },
};

/** Both relations. Their source is the journey at the other end. */
export const journeyRelation: TypeResolvers = {
  fields: { datedServiceJourney: (dated: DatedServiceJourney) => dated } satisfies Fields<DatedServiceJourney>,
};
