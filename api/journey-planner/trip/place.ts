/** Resolves Place: an end of a leg, origin or destination. At a quay it has the quay's name. */
import type { StopIndex } from '../../../planner/model/indices.ts';
import type { LegEnd, ResolvedLocation } from '../../../planner/trip/trip-types.ts';
import { type Fields, nothing, type TypeResolvers } from '../resolvers/fields.ts';
import type { RequestContext } from '../resolvers/request-context.ts';

export interface PlaceSource {
  readonly name: string | undefined;
  readonly latitude: number;
  readonly longitude: number;
  readonly stop: StopIndex | undefined;
}

export function placeAtStop(stop: StopIndex, { timetable }: RequestContext): PlaceSource {
  const { name, latitude, longitude } = timetable.catalogue.quays.at(stop);
  return { name, latitude, longitude, stop };
}

export function placeAtEnd({ name, latitude, longitude, stop }: LegEnd, context: RequestContext): PlaceSource {
  if (stop === undefined || name !== undefined) return { name, latitude, longitude, stop };
  return placeAtStop(stop, context);
}

/** An unknown location has no position. The schema requires one, so it gets 0, 0. */
export function placeOf({ name, latitude, longitude, stop }: ResolvedLocation): PlaceSource {
  return { name, latitude: latitude ?? 0, longitude: longitude ?? 0, stop };
}

function quayOf({ stop }: PlaceSource, _: unknown, { timetable }: RequestContext) {
  return stop === undefined ? undefined : timetable.catalogue.quays.at(stop);
}

const fields = {
  bikeRentalStation: nothing,
  flexibleArea: (source: PlaceSource, _, context) => quayOf(source, _, context)?.area,
  latitude: ({ latitude }: PlaceSource) => latitude,
  longitude: ({ longitude }: PlaceSource) => longitude,
  name: ({ name }: PlaceSource) => name,
  quay: quayOf,
  rentalVehicle: nothing,
  vertexType: ({ stop }: PlaceSource) => (stop === undefined ? 'normal' : 'transit'),
  viaLocationType: nothing,
} satisfies Fields<PlaceSource>;

export const place: TypeResolvers = { fields, v2: { bikePark: nothing, carPark: nothing } };
