/** Reads the places of a request (from, to and via) from the schemas' inputs. */
import type { TripLocation, TripVia } from '../../../planner/trip/trip-types.ts';
import { checkPosition, type Position } from '../resolvers/position.ts';
import type { RequestContext } from '../resolvers/request-context.ts';
import { amount, badInput, listed, type Maybe } from '../resolvers/user-input.ts';
import { zoneAt } from '../resolvers/zone-at.ts';

export interface LocationInput {
  readonly name?: Maybe<string>;
  readonly place?: Maybe<string>;
  readonly coordinates?: Maybe<Position>;
}

export interface ViaInput {
  readonly visit?: Maybe<{
    readonly label?: Maybe<string>;
    readonly minimumWaitTime?: Maybe<number>;
    readonly stopLocationIds?: Maybe<readonly Maybe<string>[]>;
    readonly coordinate?: Maybe<Position>;
  }>;
  readonly passThrough?: Maybe<{
    readonly label?: Maybe<string>;
    readonly stopLocationIds?: Maybe<readonly Maybe<string>[]>;
  }>;
}

export interface PassThroughInput {
  readonly name?: Maybe<string>;
  readonly placeIds?: Maybe<readonly Maybe<string>[]>;
}

/** A visited position represents the quays within this distance, or the nearest quay within reach. */
const AT_POSITION_METRES = 200;
const NEAR_POSITION_METRES = 2_000;
export const MAXIMUM_VIAS = 10;

function limited<Input>(name: string, inputs: readonly Input[]): readonly Input[] {
  if (inputs.length > MAXIMUM_VIAS) throw badInput(`${name} may have at most ${MAXIMUM_VIAS} places.`);
  return inputs;
}

/** `argument` is the name of the place's argument. */
export function locationOf(argument: string, { name, place, coordinates }: LocationInput): TripLocation {
  if (coordinates) checkPosition(coordinates, `${argument}.coordinates`);
  return {
    name: name || undefined,
    place: place || undefined,
    latitude: coordinates?.latitude,
    longitude: coordinates?.longitude,
  };
}

export function viaOf(inputs: Maybe<readonly ViaInput[]>, context: RequestContext): TripVia[] {
  return limited('via', inputs ?? []).map(({ visit, passThrough }) => {
    if ((visit && passThrough) || (!visit && !passThrough)) {
      throw badInput('Each entry of via must have one of visit and passThrough.');
    }
    if (passThrough) {
      const places = listed(passThrough.stopLocationIds);
      if (!places) throw badInput('via.passThrough must name a stop in stopLocationIds.');
      return { kind: 'passThrough', label: passThrough.label ?? undefined, places, minimumWaitSeconds: 0 };
    }
    const at = quaysAt('via.visit.coordinate', visit?.coordinate, context);
    const places = [...(listed(visit?.stopLocationIds) ?? []), ...at];
    const isSomewhere = places.length > 0 || visit?.coordinate;
    if (!isSomewhere) throw badInput('via.visit must name a stop in stopLocationIds or give a coordinate.');
    const minimumWaitSeconds = amount('via.visit.minimumWaitTime', visit?.minimumWaitTime, 0);
    return { kind: 'visit', label: visit?.label ?? undefined, places, minimumWaitSeconds };
  });
}

export function passThroughOf(inputs: Maybe<readonly PassThroughInput[]>): TripVia[] {
  return limited('passThroughPoints', inputs ?? []).map(({ name, placeIds }) => {
    const places = listed(placeIds);
    if (!places) throw badInput('passThroughPoints must name stops in placeIds.');
    return { kind: 'passThrough', label: name ?? undefined, places, minimumWaitSeconds: 0 };
  });
}

/** v2: via stops, where the traveller boards or alights. */
export function viasOf(inputs: Maybe<readonly Maybe<LocationInput>[]>, context: RequestContext): TripVia[] {
  return limited('vias', listed(inputs) ?? []).map(({ name, place, coordinates }) => {
    const at = quaysAt('vias.coordinates', coordinates, context);
    const isKnown = place && isStop(place, context);
    const places = isKnown || !coordinates ? [place ?? ''] : at;
    return { kind: 'visit', label: name ?? undefined, places, minimumWaitSeconds: 0 };
  });
}

function isStop(id: string, { timetable: { catalogue } }: RequestContext): boolean {
  return catalogue.quays.find(id) !== undefined || catalogue.stopPlaces.find(id) !== undefined;
}

/** Returns ids rather than indexes, because the search may run on another snapshot. */
function quaysAt(
  argument: string,
  position: Maybe<Position>,
  { timetable: { catalogue, geo } }: RequestContext,
): string[] {
  if (!position) return [];
  checkPosition(position, argument);
  const { latitude, longitude } = position;
  const near = geo.quaysNear(latitude, longitude, NEAR_POSITION_METRES);
  const served = near.filter(({ index }) => catalogue.patternsOfStop(index).length > 0);
  const at = served.filter(({ distanceMetres }) => distanceMetres <= AT_POSITION_METRES);
  return (at.length > 0 ? at : served.slice(0, 1)).map(({ index }) => catalogue.quays.at(index).id);
}

/** Returns the IANA name of the zone for a time without an offset: the zone of the origin, else of the timetable. */
export function zoneOf(input: LocationInput, { timetable, config }: RequestContext): string {
  const { catalogue } = timetable;
  const id = input.place ?? '';
  const quay = catalogue.quays.find(id);
  const place = quay?.stopPlace === undefined ? catalogue.stopPlaces.find(id) : catalogue.stopPlaces.at(quay.stopPlace);
  return place?.timeZone ?? zoneAt(quay ?? input.coordinates ?? undefined, timetable) ?? config.TIME_ZONE;
}
