/** Resolves StopPlace, including parents of several ("multimodal"). */
import type { Quay, StopPlace } from '../../../planner/model/entities.ts';
import { type BoardArgs, board } from './board.ts';
import { type Fields, none, nothing, type TypeResolvers } from './fields.ts';
import { cut, pick } from './lists.ts';
import { isQuayInUse } from './places.ts';
import type { RequestContext } from './request-context.ts';

/** Values of the older dialect's enum. */
const WEIGHTINGS: Readonly<Record<string, string>> = {
  preferred: 'preferredInterchange',
  recommended: 'recommendedInterchange',
  allowed: 'interchangeAllowed',
  discouraged: 'noInterchange',
};

/** NeTEx's default for a stop place without a weighting. */
const DEFAULT_PRIORITY = 'allowed';

interface QuaysArgs {
  readonly filterByInUse?: boolean | null;
}

function quaysOf({ index }: StopPlace, { filterByInUse }: QuaysArgs, context: RequestContext): readonly Quay[] {
  const { catalogue } = context.timetable;
  const all = catalogue.quaysOf(index, true);
  const stops = filterByInUse ? all.filter((stop) => isQuayInUse(stop, context)) : all;
  return cut(stops, 'StopPlace.quays', context).map((stop) => catalogue.quays.at(stop));
}

const fields = {
  description: ({ description }: StopPlace) => description,
  estimatedCalls: ({ index, timeZone }: StopPlace, args: BoardArgs, context) =>
    board(context.timetable.catalogue.quaysOf(index, true), timeZone, args, context),
  id: ({ id }: StopPlace) => id,
  latitude: ({ latitude }: StopPlace) => latitude,
  longitude: ({ longitude }: StopPlace) => longitude,
  name: ({ name }: StopPlace) => name,
  parent: ({ parent }: StopPlace, _, { timetable }) =>
    parent === undefined ? undefined : timetable.catalogue.stopPlaces.at(parent),
  quays: (place: StopPlace, args: QuaysArgs, context) => quaysOf(place, args, context),
  situations: none,
  stopInterchangePriority: ({ interchangePriority }: StopPlace) => interchangePriority ?? DEFAULT_PRIORITY,
  tariffZones: ({ tariffZones }: StopPlace, _, context) =>
    pick(context.timetable.catalogue.tariffZones, tariffZones, 'StopPlace.tariffZones', context),
  timeZone: ({ timeZone }: StopPlace) => timeZone,
  transportMode: ({ modes }: StopPlace) => modes,
  transportSubmode: ({ submodes }: StopPlace) => submodes,
  weighting: ({ interchangePriority }: StopPlace) => WEIGHTINGS[interchangePriority ?? DEFAULT_PRIORITY],
} satisfies Fields<StopPlace>;

export const stopPlace: TypeResolvers = {
  fields,
  v2: {
    adjacentSites: nothing,
    transportMode: ({ modes }: StopPlace) => modes[0],
    transportSubmode: ({ submodes }: StopPlace) => submodes[0],
    wheelchairBoarding: ({ accessibility }: StopPlace) => accessibility,
  },
  v2Renames: { timezone: 'timeZone' },
};
