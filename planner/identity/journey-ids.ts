/**
 * Ids of what a search found: of a leg (one ride) and of a trip pattern (its rides in order). They carry names, so they hold beyond
 * the snapshot, and are signed, so an offer can be made for exactly what was shown. Walks are left out: they follow from
 * the rides. Callers: the GraphQL resolvers, which give and take leg ids; the offer search, which takes both.
 */
import type { Timetable } from '../model/timetable.ts';
import type { Ride } from '../search/search-types.ts';
import type { IdKeys } from './id-keys.ts';
import { type NamedRide, nameRide } from './named-ride.ts';
import { decodeRides, encodeRides, type RidesOfSnapshot } from './ride-bytes.ts';
import { type IdKind, openText, signText } from './signed-text.ts';

export const MAXIMUM_ID_CHARACTERS = 500;

/** Undefined: the journey's own id is too long to be in one. */
export function encodeLegId(timetable: Timetable, ride: Ride, keys: IdKeys): string | undefined {
  return encode('L', timetable, [ride], keys);
}

/** Undefined: no leg id of ours. Whether the ride still exists is for `findRide`. */
export function decodeLegId(id: string, keys: IdKeys): NamedRide | undefined {
  const decoded = decode('L', id, keys);
  return decoded?.rides.length === 1 ? decoded.rides[0] : undefined;
}

/** Undefined: without rides, or with more and longer names than fit. */
export function encodeTripPatternId(timetable: Timetable, rides: readonly Ride[], keys: IdKeys): string | undefined {
  return rides.length === 0 ? undefined : encode('P', timetable, rides, keys);
}

/** Undefined: no trip pattern id of ours. */
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
