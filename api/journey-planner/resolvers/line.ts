/** Resolves Line, its presentation, and groups of lines. */
import type { GroupOfLines, Line } from '../../../planner/model/entities.ts';
import type { StopIndex } from '../../../planner/model/indices.ts';
import { type Fields, none, nothing, type TypeResolvers } from './fields.ts';
import { distinct, pick } from './lists.ts';
import type { RequestContext } from './request-context.ts';

const REPLACEMENT_SUBMODES: readonly (string | undefined)[] = ['railReplacementBus', 'replacementRailService'];

function stopsOf({ index }: Line, { timetable }: RequestContext): readonly StopIndex[] {
  const { catalogue } = timetable;
  const stops = new Set<StopIndex>();
  for (const pattern of catalogue.patternsOfLine(index)) {
    for (const { stop } of catalogue.journeyPatterns.at(pattern).stops) stops.add(stop);
  }
  return distinct(stops);
}

/** Whether another journey replaces a journey of the line on some day. */
function isReplacedSomewhere({ index }: Line, { timetable }: RequestContext): boolean {
  const { catalogue } = timetable;
  if (catalogue.datedServiceJourneys.count === 0) return false;
  return catalogue
    .journeysOfLine(index)
    .some((journey) =>
      catalogue
        .datedJourneysOf(journey)
        .some((dated) => catalogue.datedServiceJourneys.at(dated).replacedBy.length > 0),
    );
}

export function authorityOf(line: Line, { timetable }: RequestContext) {
  return timetable.catalogue.authorities.at(line.authority);
}

const fields = {
  authority: (line: Line, _, context) => authorityOf(line, context),
  bikesAllowed: () => 'noInformation',
  bookingArrangements: ({ booking }: Line) => booking,
  branding: ({ branding }: Line) => branding,
  description: ({ description }: Line) => description,
  flexibleLineType: ({ flexibleLineType }: Line) => flexibleLineType,
  groupOfLines: ({ groups }: Line, _, context) =>
    pick(context.timetable.catalogue.groupsOfLines, groups, 'Line.groupOfLines', context),
  id: ({ id }: Line) => id,
  isReplacement: ({ submode }: Line) => REPLACEMENT_SUBMODES.includes(submode),
  journeyPatterns: ({ index }: Line, _, context) => {
    const { catalogue } = context.timetable;
    return pick(catalogue.journeyPatterns, catalogue.patternsOfLine(index), 'Line.journeyPatterns', context);
  },
  name: ({ name }: Line) => name,
  notices: ({ notices }: Line, _, context) =>
    pick(context.timetable.catalogue.notices, notices, 'Line.notices', context),
  operator: ({ operator }: Line, _, { timetable }) =>
    operator === undefined ? undefined : timetable.catalogue.operators.at(operator),
  presentation: (line: Line) => line,
  publicCode: ({ publicCode }: Line) => publicCode,
  quays: (line: Line, _, context) =>
    pick(context.timetable.catalogue.quays, stopsOf(line, context), 'Line.quays', context),
  replacementsExist: (line: Line, _, context) => isReplacedSomewhere(line, context),
  serviceJourneys: ({ index }: Line, _, context) => {
    const { catalogue } = context.timetable;
    return pick(catalogue.serviceJourneys, catalogue.journeysOfLine(index), 'Line.serviceJourneys', context);
  },
  situations: none,
  transportMode: ({ mode }: Line) => mode,
  transportSubmode: ({ submode }: Line) => submode,
  url: ({ url }: Line) => url,
} satisfies Fields<Line>;

export const line: TypeResolvers = {
  fields,
  v2: { organisation: (source: Line, _, context) => authorityOf(source, context), keyValues: nothing },
};

const presentationFields: Fields<Line> = {
  colour: ({ colour }) => colour,
  textColour: ({ textColour }) => textColour,
};

export const presentation: TypeResolvers = { fields: presentationFields };

const groupFields: Fields<GroupOfLines> = {
  description: ({ description }) => description,
  id: ({ id }) => id,
  lines: ({ index }, _, context) => {
    const { catalogue } = context.timetable;
    return pick(catalogue.lines, catalogue.linesOfGroup(index), 'GroupOfLines.lines', context);
  },
  name: ({ name }) => name,
  privateCode: ({ privateCode }) => privateCode,
  shortName: ({ shortName }) => shortName,
};

export const groupOfLines: TypeResolvers = { fields: groupFields };
