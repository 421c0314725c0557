/** Resolves Quay. */
import type { Quay } from '../../../planner/model/entities.ts';
import type { LineIndex } from '../../../planner/model/indices.ts';
import { type BoardArgs, board } from './board.ts';
import { type Fields, none, nothing, type TypeResolvers } from './fields.ts';
import { distinct, pick } from './lists.ts';
import type { RequestContext } from './request-context.ts';
import { zoneAt } from './zone-at.ts';

/** Returns the IANA name of its stop place's zone, else that of the nearest stop place. */
export function zoneOfQuay(quay: Quay, { timetable, config }: RequestContext): string {
  const { stopPlace } = quay;
  if (stopPlace !== undefined) return timetable.catalogue.stopPlaces.at(stopPlace).timeZone;
  return zoneAt(quay, timetable) ?? config.TIME_ZONE;
}

/** Lines that call there, in the order of their patterns. */
export function linesOfQuay({ index }: Quay, { timetable }: RequestContext): readonly LineIndex[] {
  const { catalogue } = timetable;
  return distinct(catalogue.patternsOfStop(index).map((pattern) => catalogue.journeyPatterns.at(pattern).line));
}

const fields = {
  description: ({ description }: Quay) => description,
  estimatedCalls: (quay: Quay, args: BoardArgs, context) =>
    board([quay.index], zoneOfQuay(quay, context), args, context),
  flexibleArea: ({ area }: Quay) => area,
  flexibleGroup: nothing,
  id: ({ id }: Quay) => id,
  journeyPatterns: ({ index }: Quay, _, context) => {
    const { catalogue } = context.timetable;
    return pick(catalogue.journeyPatterns, catalogue.patternsOfStop(index), 'Quay.journeyPatterns', context);
  },
  latitude: ({ latitude }: Quay) => latitude,
  lines: (quay: Quay, _, context) =>
    pick(context.timetable.catalogue.lines, linesOfQuay(quay, context), 'Quay.lines', context),
  longitude: ({ longitude }: Quay) => longitude,
  name: ({ name }: Quay) => name,
  publicCode: ({ publicCode }: Quay) => publicCode,
  situations: none,
  stopPlace: ({ stopPlace }: Quay, _, { timetable }) =>
    stopPlace === undefined ? undefined : timetable.catalogue.stopPlaces.at(stopPlace),
  stopType: ({ stopType }: Quay) => stopType,
  tariffZones: ({ tariffZones }: Quay, _, context) =>
    pick(context.timetable.catalogue.tariffZones, tariffZones, 'Quay.tariffZones', context),
  timeZone: (quay: Quay, _, context) => zoneOfQuay(quay, context),
  wheelchairAccessible: ({ accessibility }: Quay) => accessibility,
} satisfies Fields<Quay>;

export const quay: TypeResolvers = { fields, v2Renames: { timezone: 'timeZone' } };
