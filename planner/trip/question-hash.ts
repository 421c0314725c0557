/**
 * What of a request must be the same on all its pages, as a short text for the cursors: a page of other places or with other
 * filters would repeat journeys and skip some. Time, window, number of journeys and booking time may differ, and names.
 */
import { createHash } from 'node:crypto';
import type { TripLocation, TripRequest } from './trip-types.ts';

const CHARACTERS = 11;

/** `arriveBy` has a word of its own in a cursor. */
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
