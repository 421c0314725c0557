/**
 * What a ticket can cover when the search names no journey: two places, zones, or all of an authority. Only a product
 * with a duration can be sold so. Pure.
 */
import { addDuration } from '../../shared/local-time.ts';
import type { Coverage, Coverages, CoverageTime } from './coverage.ts';
import { isOnSale, notOpen } from './coverage.ts';
import { type CountedValidity, type Fare, isPricedByZones, validityOfConnection } from './geographical-validity.ts';
import { holdsCalls, isValidForAuthority, isValidOnConnection } from './product-area.ts';
import type { UnavailableReason } from './unavailable.ts';
import type { WantedTravel } from './wanted-travel.ts';

type PlacesWanted = WantedTravel & { kind: 'STOP_PLACES' };
type Placed = readonly (CountedValidity & Pick<Coverage, 'fromPlaceIds' | 'toPlaceIds' | 'distanceMetres'>)[];

export function coveragesWithoutRides(
  fare: Fare,
  travel: Exclude<WantedTravel, { kind: 'RIDES' }>,
  time: CoverageTime,
): Coverages {
  const { validityDuration } = fare.product;
  if (validityDuration === undefined) return { reason: 'NEEDS_JOURNEY' };
  const placed = placesOf(fare, travel);
  if ('reason' in placed) return placed;
  const { startsAt } = travel;
  if (startsAt < time.now) return { reason: 'DEPARTED' };
  if (!isOnSale(fare.product, startsAt, time)) return notOpen(fare.product, startsAt, time);
  const endOfValidity = addDuration(startsAt, validityDuration, time.timeZone);
  return { coverages: placed.map((place) => ({ ...place, legIndexes: [], startOfValidity: startsAt, endOfValidity })) };
}

function placesOf(
  fare: Fare,
  travel: Exclude<WantedTravel, { kind: 'RIDES' }>,
): Placed | { readonly reason: UnavailableReason } {
  switch (travel.kind) {
    case 'STOP_PLACES':
      return betweenPlaces(fare, travel);
    case 'ZONES':
      return withinZones(fare, travel.zoneIds);
    case 'AUTHORITY':
      return withAuthority(fare, travel.authorityId);
  }
}

/** One for each line between the places; without such a line nobody knows the way, so only what is valid anywhere in its area. */
function betweenPlaces(fare: Fare, travel: PlacesWanted): Placed | { readonly reason: UnavailableReason } {
  const { fromStopPlaceId, toStopPlaceId, connections, endZones } = travel;
  const { area } = fare.product;
  const ends = { fromStopPlaceId, toStopPlaceId };
  const priced = { fromPlaceIds: [fromStopPlaceId], toPlaceIds: [toStopPlaceId] };
  const valid = connections.filter((connection) => isValidOnConnection(area, connection));
  if (valid.length > 0) {
    return valid.map((connection) => ({
      ...priced,
      distanceMetres: connection.distanceMetres,
      ...validityOfConnection(fare, connection, ends),
    }));
  }
  if (connections.length > 0) return { reason: 'OUTSIDE_AREA' };
  if (area.kind === 'LINES') return { reason: 'NO_DIRECT_CONNECTION' };
  if (!holdsCalls(area, endZones)) return { reason: 'OUTSIDE_AREA' };
  const isAnyway = area.authorityIds === undefined && fare.prices.every(({ basis }) => basis.kind === 'FLAT');
  if (!isAnyway) return { reason: 'NO_DIRECT_CONNECTION' };
  return [{ ...priced, geographicalValidity: { ...ends, ...(area.zoneIds && { zoneIds: area.zoneIds }) } }];
}

/** Each zone is counted, whatever the zone type: no way through them is known. */
function withinZones(fare: Fare, wanted: readonly string[]): Placed | { readonly reason: UnavailableReason } {
  const { area, zoneType } = fare.product;
  if (area.kind === 'LINES') return { reason: 'OUTSIDE_AREA' };
  const zoneIds = [...new Set(wanted)];
  if (
    !holdsCalls(
      area,
      zoneIds.map((zone) => [zone]),
    )
  )
    return { reason: 'OUTSIDE_AREA' };
  const valid = isPricedByZones(fare) ? zoneIds : area.zoneIds;
  const geographicalValidity = {
    ...(area.authorityIds && { authorityIds: area.authorityIds }),
    ...(valid && { zoneIds: valid }),
    ...(zoneType && { zoneType }),
  };
  return [{ zoneCount: zoneIds.length, geographicalValidity }];
}

/** A price by zones needs an area that names its zones: all of them are sold. */
function withAuthority(fare: Fare, authorityId: string): Placed | { readonly reason: UnavailableReason } {
  const { area, zoneType } = fare.product;
  if (!isValidForAuthority(area, authorityId)) {
    // On some of its lines: those between two places, or of a journey.
    return { reason: area.authorityIds?.includes(authorityId) ? 'NEEDS_PLACES' : 'OUTSIDE_AREA' };
  }
  const zoneIds = area.kind === 'ZONES' ? area.zoneIds : undefined;
  if (isPricedByZones(fare) && !zoneIds) return { reason: 'NEEDS_ZONES' };
  const geographicalValidity = {
    authorityIds: area.authorityIds ?? [authorityId],
    ...(zoneIds && { zoneIds }),
    ...(zoneType && { zoneType }),
  };
  return [{ ...(zoneIds && { zoneCount: zoneIds.length }), geographicalValidity }];
}
