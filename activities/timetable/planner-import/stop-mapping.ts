/** Maps facts of a stop register to the planner's stops. Pure except for reads of the register. Caller: StopImport. */
import type { InterchangeWeighting, StopFacts } from '../../../netex/stop-register/stop-facts.ts';
import type { StopRegister } from '../../../netex/stop-register/stop-register.ts';
import type { QuayInput, StopPlaceInput, TransferInput } from '../../../planner/build/input.ts';
import { toAccessibility } from './small-mappings.ts';
import { toSubmode, toTransportMode } from './transport-modes.ts';

const PRIORITIES: Readonly<Record<InterchangeWeighting, string>> = {
  noInterchange: 'discouraged',
  interchangeAllowed: 'allowed',
  recommendedInterchange: 'recommended',
  preferredInterchange: 'preferred',
};
/** Topographic places are nested at most this deep; data may contain a cycle. */
const DEEPEST_PLACE = 6;

export function toStopPlace(
  register: StopRegister,
  place: StopFacts,
  tariffZoneIds: readonly string[],
): StopPlaceInput {
  const own = [place, ...(place.isMultimodalParent ? register.childrenOf(place.id) : [])];
  const modes = own.flatMap(({ transportMode }) =>
    transportMode === undefined ? [] : [toTransportMode(transportMode)],
  );
  const submodes = own.flatMap(({ transportSubmode }) => toSubmode(transportSubmode) ?? []);
  return {
    id: place.id,
    name: register.findName(place.id)?.text ?? place.id,
    description: place.description,
    latitude: place.latitude,
    longitude: place.longitude,
    parentId: place.parentId,
    modes: [...new Set(modes)],
    submodes: [...new Set(submodes)],
    interchangePriority: place.weighting && PRIORITIES[place.weighting],
    accessibility: toAccessibility(place.wheelchairAccess),
    tariffZoneIds,
    ...topographyOf(register, place.topographicPlaceId),
  };
}

/** Values that a quay lacks come from its stop place. */
export function toQuay(quay: StopFacts, place: StopFacts | undefined, tariffZoneIds: readonly string[]): QuayInput {
  return {
    id: quay.id,
    name: quay.name,
    publicCode: quay.publicCode,
    description: quay.description,
    latitude: quay.latitude ?? place?.latitude,
    longitude: quay.longitude ?? place?.longitude,
    stopPlaceId: place?.id,
    accessibility: toAccessibility(quay.wheelchairAccess ?? place?.wheelchairAccess),
    tariffZoneIds,
  };
}

/** A FlexibleStopPlace as a quay: at the middle of its first area. */
export function toAreaQuay(register: StopRegister, stop: StopFacts, areaIds: readonly string[]): QuayInput {
  const rings = [stop.id, ...areaIds].flatMap((id) => register.ringsOf(id).slice(0, 1));
  const area = rings[0]?.map(({ latitude, longitude }) => [longitude, latitude] as const);
  return {
    id: stop.id,
    name: stop.name,
    description: stop.description,
    latitude: stop.latitude ?? (area && middleOf(area.map(([, latitude]) => latitude))),
    longitude: stop.longitude ?? (area && middleOf(area.map(([longitude]) => longitude))),
    area,
  };
}

/** A ring may have more positions than the arguments that a call allows. */
function middleOf(values: readonly number[]): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return (least + most) / 2;
}

/** The innermost place is the locality, unless it is a county. */
function topographyOf(
  register: StopRegister,
  topographicPlaceId: string | undefined,
): Pick<StopPlaceInput, 'locality' | 'county'> {
  let locality: string | undefined;
  let id = topographicPlaceId;
  for (let depth = 0; depth < DEEPEST_PLACE && id !== undefined; depth++) {
    const place = register.findStop(id);
    if (place === undefined) break;
    if (place.placeType === 'county') return { locality, county: place.name };
    if (place.placeType !== 'country' && place.placeType !== 'state') locality ??= place.name;
    id = place.parentId;
  }
  return { locality };
}

/** Quay or stop place at an end of a path: for an entrance or boarding position, the one that contains it. */
function placeOf(find: (id: string) => StopFacts | undefined, id: string): string | undefined {
  let stop = find(id);
  for (let depth = 0; depth < DEEPEST_PLACE && stop; depth++) {
    if (stop.kind === 'Quay' || stop.kind === 'StopPlace') return stop.id;
    stop = stop.parentId === undefined ? undefined : find(stop.parentId);
  }
  return undefined;
}

/**
 * Undefined when an end of the path is no stop. `find` searches all registers, since a dataset's paths also lead to
 * others' stops.
 */
export function* toTransfers(
  register: StopRegister,
  find: (id: string) => StopFacts | undefined,
): Generator<{ id: string; transfers: readonly TransferInput[] | undefined }> {
  for (const path of register.transfers()) {
    const fromId = placeOf(find, path.fromId);
    const toId = placeOf(find, path.toId);
    if (fromId === undefined || toId === undefined) {
      yield { id: path.id, transfers: undefined };
      continue;
    }
    const minimumSeconds = path.defaultSeconds ?? path.occasionalTravellerSeconds ?? path.frequentTravellerSeconds ?? 0;
    const wheelchairSeconds = path.mobilityRestrictedSeconds;
    const there = { fromId, toId, metres: path.distanceMetres, minimumSeconds, wheelchairSeconds };
    const back = { ...there, fromId: toId, toId: fromId };
    yield { id: path.id, transfers: path.bothWays && fromId !== toId ? [there, back] : [there] };
  }
}
