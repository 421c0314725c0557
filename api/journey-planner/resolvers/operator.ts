/** Resolves Operator, and the Branding of operators and lines. */
import type { Branding, Operator } from '../../../planner/model/entities.ts';
import type { LineIndex, OperatorIndex, ServiceJourneyIndex } from '../../../planner/model/indices.ts';
import { type Fields, nothing, type TypeResolvers } from './fields.ts';
import { cut, MAX_LIST, pick } from './lists.ts';
import type { RequestContext } from './request-context.ts';

/** Returns the journeys of its lines, without those that another operator runs. */
function journeysOf(operator: OperatorIndex, context: RequestContext): readonly unknown[] {
  const { catalogue } = context.timetable;
  const found = [];
  for (const line of catalogue.linesOfOperator(operator)) {
    for (const index of journeysOfLine(line, context)) {
      const journey = catalogue.serviceJourneys.at(index);
      if (journey.operator === undefined || journey.operator === operator) found.push(journey);
      if (found.length > MAX_LIST) return cut(found, 'Operator.serviceJourney', context);
    }
  }
  return found;
}

function journeysOfLine(line: LineIndex, { timetable }: RequestContext): readonly ServiceJourneyIndex[] {
  return timetable.catalogue.journeysOfLine(line);
}

const fields: Fields<Operator> = {
  id: ({ id }) => id,
  lines: ({ index }, _, context) => {
    const { catalogue } = context.timetable;
    return pick(catalogue.lines, catalogue.linesOfOperator(index), 'Operator.lines', context);
  },
  name: ({ name }) => name,
  phone: ({ phone }) => phone,
  serviceJourney: ({ index }, _, context) => journeysOf(index, context),
  url: ({ url }) => url,
};

export const operator: TypeResolvers = { fields, v2: { branding: nothing } };

const brandingFields: Fields<Branding> = {
  description: ({ description }) => description,
  id: ({ id }) => id,
  image: ({ image }) => image,
  name: ({ name }) => name,
  shortName: ({ shortName }) => shortName,
  url: ({ url }) => url,
};

export const branding: TypeResolvers = { fields: brandingFields };
