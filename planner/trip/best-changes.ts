/**
 * Chooses where to change between the rides of a journey. The search keeps any one of the journeys that are equal in
 * time, rides and cost; of those on the same trips, this chooses the best. Departure, arrival and cost stay. Callers:
 * `plan-transit.ts`, and the comparison with the reference implementation.
 * A journey with via entries stays as it is, since another place may not meet them; and one between whose rides a change
 * is not allowed somewhere, since the other place may be that one.
 */
import type { Timetable } from '../model/timetable.ts';
import { bannedChangesOf } from '../search/banned-changes.ts';
import type { FoundJourney, Ride } from '../search/search-types.ts';
import { type Change, ChangeChoices } from './change-choices.ts';
import type { WindowlessRequest } from './search-request.ts';
import { isStaySeated } from './walk-legs.ts';

export function withBestChanges(timetable: Timetable, request: WindowlessRequest, journey: FoundJourney): FoundJourney {
  if (journey.rides.length < 2 || request.via.length > 0) return journey;
  if (request.useInterchanges && bannedChangesOf(timetable.transit).concern(journey.rides)) return journey;
  const rides = [...journey.rides];
  // A change that moves can make room for the one before it. Each move is to a better place, so this ends.
  for (let index = 1, moved = false; index < rides.length; index += moved && index > 1 ? -1 : 1) {
    const [before, after] = [rides[index - 1] as Ride, rides[index] as Ride];
    moved = false;
    if (isStaySeated(timetable, after)) continue;
    const best = new ChangeChoices(timetable, request, before, after).best();
    if (isSame(best, before, after)) continue;
    moved = true;
    rides[index - 1] = { ...before, alightPosition: best.alightPosition, arrival: best.arrival };
    rides[index] = {
      ...after,
      boardPosition: best.boardPosition,
      departure: best.departure,
      by: best.interchange === undefined ? 'transfer' : 'interchange',
      interchange: best.interchange,
    };
  }
  return { ...journey, rides };
}

function isSame({ alightPosition, boardPosition, interchange }: Change, before: Ride, after: Ride): boolean {
  return (
    alightPosition === before.alightPosition &&
    boardPosition === after.boardPosition &&
    interchange === after.interchange
  );
}
