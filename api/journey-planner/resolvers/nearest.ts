/** Resolves `nearest` and `quaysByRadius`, places by distance from a point, and the types of their answers. */
import type { Quay, StopPlace } from '../../../planner/model/entities.ts';
import type { LineIndex, StopPlaceIndex } from '../../../planner/model/indices.ts';
import type { TransportMode } from '../../../planner/model/transport-mode.ts';
import { type Connection, connectionOf, type PageArgs } from './connection.ts';
import type { Fields, TypeResolvers } from './fields.ts';
import { given, MAX_LIST } from './lists.ts';
import { roundMetres } from './metres.ts';
import { transportModesOf } from './modes.ts';
import { isQuayInUse, isStopPlaceInUse, type MultiModalMode, shownAs } from './places.ts';
import { checkPosition } from './position.ts';
import { linesOfQuay } from './quay.ts';
import { addNote, type RequestContext } from './request-context.ts';
import { amount } from './user-input.ts';

/** A larger radius is cut to this. */
const MAX_RADIUS_METRES = 100_000;
const DEFAULT_DISTANCE_METRES = 2_000;

interface NearestIds {
  readonly quays?: readonly (string | null)[] | null;
  readonly lines?: readonly (string | null)[] | null;
}

export interface NearestArgs extends PageArgs {
  readonly latitude: number;
  readonly longitude: number;
  readonly maximumDistance?: number | null;
  readonly maximumResults?: number | null;
  readonly filterByPlaceTypes?: readonly (string | null)[] | null;
  readonly filterByModes?: readonly (string | null)[] | null;
  readonly filterByInUse?: boolean | null;
  readonly filterByIds?: NearestIds | null;
  readonly multiModalMode?: MultiModalMode | null;
}

export interface AtDistance<Place> {
  readonly place: Place;
  readonly distanceMetres: number;
}

export function nearest(args: NearestArgs, context: RequestContext): Connection<AtDistance<Quay | StopPlace>> {
  checkPosition(args);
  const types = given(args.filterByPlaceTypes);
  const found: AtDistance<Quay | StopPlace>[] = [];
  const ids = args.filterByIds;
  // Ids of quays rule out stop places; ids of lines do not.
  if ((!types || types.has('stopPlace')) && !given(ids?.quays)) found.push(...stopPlacesNear(args, context));
  if (!types || types.has('quay')) found.push(...quaysNear(args, context));
  found.sort((a, b) => a.distanceMetres - b.distanceMetres);
  return connectionOf(found.slice(0, resultsOf(args)), args);
}

/** Maximum number of places in the answer. The search for each kind stops at this number. */
function resultsOf({ maximumResults }: NearestArgs): number {
  return Math.min(amount('maximumResults', maximumResults, 20), MAX_LIST);
}

function stopPlacesNear(args: NearestArgs, context: RequestContext): AtDistance<StopPlace>[] {
  const { catalogue, geo } = context.timetable;
  const mode = args.multiModalMode ?? 'parent';
  const wanted = resultsOf(args);
  const accepts = stopPlaceTest(args, context);
  const seen = new Set<StopPlaceIndex>();
  const found: AtDistance<StopPlace>[] = [];
  const radius = radiusOf('maximumDistance', args.maximumDistance, context);
  for (const near of geo.stopPlacesNear(args.latitude, args.longitude, radius)) {
    if (found.length >= wanted) break;
    for (const index of shownAs(near.index, mode, context)) {
      if (seen.has(index)) continue;
      seen.add(index);
      const place = catalogue.stopPlaces.at(index);
      if (accepts(place)) found.push({ place, distanceMetres: near.distanceMetres });
    }
  }
  return found;
}

function stopPlaceTest(args: NearestArgs, context: RequestContext): (place: StopPlace) => boolean {
  const { catalogue } = context.timetable;
  const modes = transportModesOf(args.filterByModes, context.dialect);
  const serves = lineTest(args, context);
  return (place) =>
    (!modes || modesOf(place, context).some((mode) => modes.has(mode))) &&
    (!args.filterByInUse || isStopPlaceInUse(place.index, context)) &&
    (!serves || catalogue.quaysOf(place.index, true).some((stop) => serves(catalogue.quays.at(stop))));
}

/** Returns the place's own modes, and those of the stop places below it. */
function modesOf(place: StopPlace, { timetable: { catalogue } }: RequestContext): readonly TransportMode[] {
  if (!place.isParent) return place.modes;
  return [
    ...place.modes,
    ...catalogue.childrenOf(place.index).flatMap((child) => catalogue.stopPlaces.at(child).modes),
  ];
}

function quaysNear(args: NearestArgs, context: RequestContext): AtDistance<Quay>[] {
  const { catalogue, geo } = context.timetable;
  const wanted = resultsOf(args);
  const accepts = quayTest(args, context);
  const found: AtDistance<Quay>[] = [];
  const radius = radiusOf('maximumDistance', args.maximumDistance, context);
  for (const { index, distanceMetres } of geo.quaysNear(args.latitude, args.longitude, radius)) {
    if (found.length >= wanted) break;
    const place = catalogue.quays.at(index);
    if (accepts(place)) found.push({ place, distanceMetres });
  }
  return found;
}

function quayTest(args: NearestArgs, context: RequestContext): (quay: Quay) => boolean {
  const { lines } = context.timetable.catalogue;
  const ids = given(args.filterByIds?.quays);
  const modes = transportModesOf(args.filterByModes, context.dialect);
  const serves = lineTest(args, context);
  return (quay) =>
    (!ids || ids.has(quay.id)) &&
    (!args.filterByInUse || isQuayInUse(quay.index, context)) &&
    (!modes || linesOfQuay(quay, context).some((line) => modes.has(lines.at(line).mode))) &&
    (!serves || serves(quay));
}

/** Undefined when the filter names no lines. */
function lineTest({ filterByIds }: NearestArgs, context: RequestContext): ((quay: Quay) => boolean) | undefined {
  const ids = given(filterByIds?.lines);
  if (!ids) return undefined;
  const { lines } = context.timetable.catalogue;
  const wanted = new Set<LineIndex | undefined>([...ids].map((id) => lines.find(id)?.index));
  return (quay) => linesOfQuay(quay, context).some((line) => wanted.has(line));
}

export interface RadiusArgs extends PageArgs {
  readonly latitude: number;
  readonly longitude: number;
  readonly radius: number;
}

export function quaysByRadius(args: RadiusArgs, context: RequestContext): Connection<AtDistance<Quay>> {
  checkPosition(args);
  const { catalogue, geo } = context.timetable;
  const near = geo.quaysNear(args.latitude, args.longitude, radiusOf('radius', args.radius, context));
  return connectionOf(
    near.map(({ index, distanceMetres }) => ({ place: catalogue.quays.at(index), distanceMetres })),
    args,
  );
}

function radiusOf(argument: string, given: number | null | undefined, context: RequestContext): number {
  const metres = amount(argument, given, DEFAULT_DISTANCE_METRES);
  if (metres > MAX_RADIUS_METRES) addNote(context, `Distances end at ${MAX_RADIUS_METRES} m.`);
  return Math.min(metres, MAX_RADIUS_METRES);
}

const fields: Fields<AtDistance<Quay | StopPlace>> = {
  distance: ({ distanceMetres }) => roundMetres(distanceMetres),
  id: ({ place }) => place.id,
  place: ({ place }) => place,
  quay: ({ place }) => place,
};

const wholeMetres: Fields<AtDistance<Quay | StopPlace>> = {
  distance: ({ distanceMetres }) => Math.round(distanceMetres),
};

/** Resolves PlaceAtDistance and QuayAtDistance. */
export const atDistance: TypeResolvers = { fields, v2: wholeMetres };
