/**
 * Ids of search results: of a leg (one ride) and of a trip pattern (its rides in order). Ids carry names, so they
 * remain valid with other snapshots. They are signed, so that an offer is made for exactly the journey that the planner
 * returned. They omit walks, which follow from the rides. Callers: the GraphQL resolvers, which write and read leg ids,
 * and the offer search, which reads both.
 */
import type { Timetable } from '../model/timetable.ts';
import type { Ride } from '../search/search-types.ts';
import type { IdKeys } from './id-keys.ts';
import { type NamedRide, nameRide } from './named-ride.ts';
import { decodeRides, encodeRides, type RidesOfSnapshot } from './ride-bytes.ts';
import { type IdKind, openText, signText } from './signed-text.ts';

export const MAXIMUM_ID_CHARACTERS = 500;

/** Undefined if the journey's own id is too long. */
export function encodeLegId(timetable: Timetable, ride: Ride, keys: IdKeys): string | undefined {
  return encode('L', timetable, [ride], keys);
}

/** Undefined if the text is not a leg id signed with these keys. `findRide` tells whether the ride still exists. */
export function decodeLegId(id: string, keys: IdKeys): NamedRide | undefined {
  const decoded = decode('L', id, keys);
  return decoded?.rides.length === 1 ? decoded.rides[0] : undefined;
}

/** Undefined without rides, or if the names do not fit. */
export function encodeTripPatternId(timetable: Timetable, rides: readonly Ride[], keys: IdKeys): string | undefined {
  return rides.length === 0 ? undefined : encode('P', timetable, rides, keys);
}

/** Undefined if the text is not a trip pattern id signed with these keys. */
export function decodeTripPatternId(id: string, keys: IdKeys): RidesOfSnapshot | undefined {
  const decoded = decode('P', id, keys);
  return decoded && decoded.rides.length > 0 ? decoded : undefined;
}

function encode(kind: IdKind, timetable: Timetable, rides: readonly Ride[], keys: IdKeys): string | undefined {
  const named = rides.map((ride) => nameRide(timetable, ride));
  for (const isTight of [false, true]) {
    const id = signText(kind, encodeRides(timetable.snapshotId, named, isTight), keys);
    if (id.length <= MAXIMUM_ID_CHARACTERS) return id;
  }
  return undefined;
}

function decode(kind: IdKind, id: string, keys: IdKeys): RidesOfSnapshot | undefined {
  if (id.length > MAXIMUM_ID_CHARACTERS) return undefined;
  const bytes = openText(kind, id, keys);
  return bytes && decodeRides(bytes);
}
