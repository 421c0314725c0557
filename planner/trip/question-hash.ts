/**
 * Hashes the part of a request that must be equal on all its pages, as a short text for cursors. A page with other
 * places or filters would repeat and skip journeys. Time, window, number of journeys, booking time and names may
 * differ.
 */
import { createHash } from 'node:crypto';
import type { TripLocation, TripRequest } from './trip-types.ts';

const CHARACTERS = 11;

/** `arriveBy` is left out, because a cursor has its own field for it. */
export function questionHash(request: TripRequest): string {
  const place = ({ place, latitude, longitude }: TripLocation): unknown => [place, latitude, longitude];
  const question = [
    place(request.from),
    place(request.to),
    request.via.map(({ kind, places, minimumWaitSeconds }) => [kind, places, minimumWaitSeconds]),
    request.filters,
    request.bannedQuays,
    request.impassableQuays,
    request.wheelchair,
    request.directMode,
    request.transit,
    request.maximumTransfers,
    request.maximumAdditionalTransfers,
    request.walkSpeed,
    request.bikeSpeed,
    request.walkReluctance,
    request.waitReluctance,
    request.transferPenaltySeconds,
    request.transferSlackSeconds,
    request.boardSlackSeconds,
    request.alightSlackSeconds,
    request.boardSlackByMode,
    request.alightSlackByMode,
    request.maximumAccessSeconds,
    request.maximumEgressSeconds,
    request.maximumDirectSeconds,
  ];
  return createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, CHARACTERS);
}
