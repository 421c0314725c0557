/**
 * Chooses where to change between the rides of a journey. The search keeps any one of the journeys that are equal in
 * time, rides and cost; of those on the same trips, this chooses the best. Departure, arrival and cost stay. Callers:
 * `plan-transit.ts`, and the comparison with the reference implementation.
 *
 * Better is, in this order: more whole minutes to spare, a guaranteed interchange, fewer metres on foot, more seconds
 * to spare, an earlier place. A journey with via entries stays as it is, since another place may not meet them.
 */
import type { ServiceDay, StopIndex } from '../model/indices.ts';
import type { Timetable } from '../model/timetable.ts';
import { FOR_ALIGHTING, FOR_BOARDING, STAY_SEATED, type Transit } from '../model/transit.ts';
import { isUsableLink } from '../search/direction.ts';
import type { FoundJourney, Ride } from '../search/search-types.ts';
import type { WindowlessRequest } from './search-request.ts';
import { isStaySeated, transferMetres } from './walk-legs.ts';

const DAY_SECONDS = 86_400;

interface Change {
  readonly alightPosition: number;
  readonly boardPosition: number;
  readonly arrival: number;
  readonly departure: number;
  readonly interchange: number | undefined;
  /** Seconds to spare beyond the least that the change takes. */
  readonly spare: number;
  readonly walkSeconds: number;
  readonly metres: number;
}

export function withBestChanges(timetable: Timetable, request: WindowlessRequest, journey: FoundJourney): FoundJourney {
  if (journey.rides.length < 2 || request.via.length > 0) return journey;
  const rides = [...journey.rides];
  // A change that moves can make room for the one before it. Each move is to a better place, so this ends.
  for (let moved = true; moved; ) {
    moved = false;
    for (let index = 1; index < rides.length; index++) {
      const [before, after] = [rides[index - 1] as Ride, rides[index] as Ride];
      if (isStaySeated(timetable, after)) continue;
      const best = new Changes(timetable, request, before, after).best();
      if (isSame(best, before, after)) continue;
      rides[index - 1] = { ...before, alightPosition: best.alightPosition, arrival: best.arrival };
      rides[index] = {
        ...after,
        boardPosition: best.boardPosition,
        departure: best.departure,
        by: best.interchange === undefined ? 'transfer' : 'interchange',
        interchange: best.interchange,
      };
      moved = true;
    }
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

function isBetter(one: Change, other: Change): boolean {
  const order =
    Math.floor(one.spare / 60) - Math.floor(other.spare / 60) ||
    Number(one.interchange !== undefined) - Number(other.interchange !== undefined) ||
    other.metres - one.metres ||
    one.spare - other.spare ||
    other.alightPosition - one.alightPosition ||
    other.boardPosition - one.boardPosition;
  return order > 0;
}

/** All changes between two rides that end and begin where they do, at the cost that they have. */
class Changes {
  readonly #timetable: Timetable;
  readonly #transit: Transit;
  readonly #request: WindowlessRequest;
  readonly #before: Ride;
  readonly #after: Ride;
  /** Positions where the second trip may be boarded, by stop. */
  readonly #boardings = new Map<number, number[]>();
  #best: Change;

  constructor(timetable: Timetable, request: WindowlessRequest, before: Ride, after: Ride) {
    this.#timetable = timetable;
    this.#transit = timetable.transit;
    this.#request = request;
    this.#before = before;
    this.#after = after;
    for (let position = 0; position < after.alightPosition; position++) {
      const stop = this.#openStop(after, position, FOR_BOARDING);
      if (stop === undefined) continue;
      const known = this.#boardings.get(stop);
      if (known === undefined) this.#boardings.set(stop, [position]);
      else known.push(position);
    }
    this.#best = this.#current();
  }

  best(): Change {
    const { routeStopsStart } = this.#transit;
    const { route, boardPosition } = this.#before;
    const count = (routeStopsStart[route + 1] as number) - (routeStopsStart[route] as number);
    for (let position = boardPosition + 1; position < count; position++) {
      if (this.#arrivalAt(position) > this.#after.arrival) break;
      const stop = this.#openStop(this.#before, position, FOR_ALIGHTING);
      if (stop !== undefined) this.#tryTransfers(position, stop);
    }
    if (this.#request.useInterchanges) this.#tryInterchanges();
    return this.#best;
  }

  #current(): Change {
    const [{ alightPosition, arrival }, { boardPosition, departure, by, interchange }] = [this.#before, this.#after];
    const metres = this.#metres(alightPosition, boardPosition);
    const walkSeconds = by === 'interchange' ? 0 : Math.ceil(metres / this.#request.walkSpeed);
    // A transfer is found again, with its true margin.
    const spare = by === 'interchange' ? departure - arrival : -1;
    return { alightPosition, boardPosition, arrival, departure, interchange, spare, walkSeconds, metres };
  }

  #tryTransfers(alightPosition: number, stop: StopIndex): void {
    const { transfersStart, transferTo, transferMetres, transferMinimumSeconds, stopMinimumSeconds } = this.#transit;
    const { walkSpeed, transferSlackSeconds, maximumTransferSeconds } = this.#request;
    const minimum = Math.max(transferSlackSeconds, stopMinimumSeconds[stop] as number);
    for (const position of this.#boardings.get(stop) ?? []) this.#try(alightPosition, position, minimum, 0, 0);
    const end = transfersStart[stop + 1] as number;
    for (let entry = transfersStart[stop] as number; entry < end; entry++) {
      const positions = this.#boardings.get(transferTo[entry] as number);
      if (positions === undefined) continue;
      const metres = transferMetres[entry] as number;
      const walk = Math.ceil(metres / walkSpeed);
      if (walk > maximumTransferSeconds) continue;
      const least = Math.max(walk + transferSlackSeconds, transferMinimumSeconds[entry] as number);
      for (const position of positions) this.#try(alightPosition, position, least, walk, metres);
    }
  }

  #try(alightPosition: number, boardPosition: number, least: number, walkSeconds: number, metres: number): void {
    const { alightSlackSeconds, boardSlackSeconds } = this.#request;
    const { routeMode } = this.#transit;
    const slack =
      (alightSlackSeconds[routeMode[this.#before.route] as number] as number) +
      (boardSlackSeconds[routeMode[this.#after.route] as number] as number);
    const [arrival, departure] = [this.#arrivalAt(alightPosition), this.#departureAt(boardPosition)];
    const spare = departure - arrival - least - slack;
    if (spare < 0) return;
    const interchange = undefined;
    this.#keep({ alightPosition, boardPosition, arrival, departure, interchange, spare, walkSeconds, metres });
  }

  #tryInterchanges(): void {
    const transit = this.#transit;
    const { trip, boardPosition: boarded } = this.#before;
    const end = transit.tripInterchangesStart[trip + 1] as number;
    for (let link = transit.tripInterchangesStart[trip] as number; link < end; link++) {
      const flags = transit.interchangeFlags[link] as number;
      if (transit.interchangeToTrip[link] !== this.#after.trip || !isUsableLink(flags) || (flags & STAY_SEATED) !== 0)
        continue;
      const alightPosition = transit.interchangeFromPosition[link] as number;
      const boardPosition = transit.interchangeToPosition[link] as number;
      if (alightPosition <= boarded || boardPosition >= this.#after.alightPosition) continue;
      if (this.#openStop(this.#before, alightPosition, FOR_ALIGHTING) === undefined) continue;
      if (this.#openStop(this.#after, boardPosition, FOR_BOARDING) === undefined) continue;
      const [arrival, departure] = [this.#arrivalAt(alightPosition), this.#departureAt(boardPosition)];
      const spare = departure - arrival;
      if (spare < 0 || spare > DAY_SECONDS || !this.#isFirstDay(arrival, boardPosition)) continue;
      const [interchange, walkSeconds, metres] = [link, 0, this.#metres(alightPosition, boardPosition)];
      this.#keep({ alightPosition, boardPosition, arrival, departure, interchange, spare, walkSeconds, metres });
    }
  }

  /** An interchange leads to the first service day on which the second trip leaves after the first one arrives. */
  #isFirstDay(arrival: number, position: number): boolean {
    const { trip, day } = this.#after;
    return ([day - 1, day - 2] as ServiceDay[]).every(
      (earlier) => !this.#transit.runsOn(trip, earlier) || this.#departureAt(position, earlier) < arrival,
    );
  }

  #keep(change: Change): void {
    if (this.#costOf(change) === this.#costOf(this.#best) && isBetter(change, this.#best)) this.#best = change;
  }

  /** What riding, waiting and walking between the ends of the two rides cost beyond riding all the time. */
  #costOf({ arrival, departure, walkSeconds }: Change): number {
    const { waitReluctance, walkReluctance } = this.#request;
    return (waitReluctance - 100) * (departure - arrival) + (walkReluctance - waitReluctance) * walkSeconds;
  }

  #metres(alightPosition: number, boardPosition: number): number {
    const from = this.#transit.stopAt(this.#before.route, alightPosition);
    const to = this.#transit.stopAt(this.#after.route, boardPosition);
    return from === to ? 0 : transferMetres(this.#timetable, from, to);
  }

  /** Undefined if the trip may not be used there as the flag says. */
  #openStop({ route }: Ride, position: number, flag: number): StopIndex | undefined {
    const flags = this.#transit.routeStopFlags[(this.#transit.routeStopsStart[route] as number) + position] as number;
    const stop = this.#transit.stopAt(route, position);
    const isOpen = this.#request.stopMask === undefined || this.#request.stopMask[stop] !== 0;
    return isOpen && (flags & flag) !== 0 ? stop : undefined;
  }

  #arrivalAt(position: number): number {
    const { trip, route, day } = this.#before;
    return (
      this.#transit.dayStart(this.#transit.routeZone[route] as number, day) + this.#transit.arrivalAt(trip, position)
    );
  }

  #departureAt(position: number, day: ServiceDay = this.#after.day): number {
    const { trip, route } = this.#after;
    const start = this.#transit.dayStart(this.#transit.routeZone[route] as number, day);
    return start + this.#transit.departureAt(trip, position);
  }
}
