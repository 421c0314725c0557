/**
 * Finds the best of all changes between two rides that begin and end where they do, at the cost that they have. Caller:
 * `best-changes.ts`.
 */
import type { ServiceDay, StopIndex } from '../model/indices.ts';
import type { Timetable } from '../model/timetable.ts';
import { FOR_ALIGHTING, FOR_BOARDING, STAY_SEATED, type Transit } from '../model/transit.ts';
import { isUsableLink } from '../search/direction.ts';
import type { Ride } from '../search/search-types.ts';
import type { WindowlessRequest } from './search-request.ts';
import { transferMetres } from './walk-legs.ts';

const DAY_SECONDS = 86_400;

export interface Change {
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

/** Better is more whole minutes to spare, then an interchange, fewer metres, more seconds to spare, an earlier place. */
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

export class ChangeChoices {
  readonly #timetable: Timetable;
  readonly #transit: Transit;
  readonly #request: WindowlessRequest;
  readonly #before: Ride;
  readonly #after: Ride;
  /** Positions where the second trip may be boarded, by stop. */
  readonly #boardings = new Map<number, number[]>();
  readonly #startOfBefore: number;
  readonly #startOfAfter: number;
  /** The time between the two rides is at most this. */
  readonly #longest: number;
  #best: Change;
  /** Walks of the cost that the change has, in metres. */
  #leastMetres = 0;
  #mostMetres = Number.POSITIVE_INFINITY;

  constructor(timetable: Timetable, request: WindowlessRequest, before: Ride, after: Ride) {
    this.#timetable = timetable;
    this.#transit = timetable.transit;
    this.#request = request;
    this.#before = before;
    this.#after = after;
    this.#startOfBefore = this.#transit.runStart(before.trip, before.day);
    this.#startOfAfter = this.#transit.runStart(after.trip, after.day);
    for (let position = 0; position < after.alightPosition; position++) {
      const stop = this.#openStop(after, position, FOR_BOARDING);
      if (stop === undefined) continue;
      const known = this.#boardings.get(stop);
      if (known === undefined) this.#boardings.set(stop, [position]);
      else known.push(position);
    }
    this.#longest = this.#departureAt(after.alightPosition - 1) - this.#arrivalAt(before.boardPosition + 1);
    this.#best = this.#current();
    this.#limitWalks();
  }

  best(): Change {
    const { routeStopsStart } = this.#transit;
    const { route, boardPosition } = this.#before;
    const count = (routeStopsStart[route + 1] as number) - (routeStopsStart[route] as number);
    const latest = this.#departureAt(this.#after.alightPosition - 1);
    for (let position = boardPosition + 1; position < count; position++) {
      if (this.#arrivalAt(position) > latest) break;
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
    const transit = this.#transit;
    const { transfersStart, transferTo, transferMetres } = transit;
    const { walkSpeed, transferSlackSeconds, maximumTransferSeconds, wheelchair } = this.#request;
    const ofStops = wheelchair ? transit.stopWheelchairSeconds : transit.stopMinimumSeconds;
    const ofFootpaths = wheelchair ? transit.transferWheelchairSeconds : transit.transferMinimumSeconds;
    const minimum = Math.max(transferSlackSeconds, ofStops[stop] as number);
    for (const position of this.#boardings.get(stop) ?? []) this.#try(alightPosition, position, minimum, 0, 0);
    const end = transfersStart[stop + 1] as number;
    for (let entry = transfersStart[stop] as number; entry < end; entry++) {
      // The nearest are first.
      const metres = transferMetres[entry] as number;
      if (metres > this.#mostMetres) break;
      const positions = metres < this.#leastMetres ? undefined : this.#boardings.get(transferTo[entry] as number);
      if (positions === undefined) continue;
      const walk = Math.ceil(metres / walkSpeed);
      if (walk > maximumTransferSeconds) continue;
      const least = Math.max(walk + transferSlackSeconds, ofFootpaths[entry] as number);
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
      (earlier) =>
        !this.#transit.runsOn(trip, earlier) ||
        this.#departureAt(position, this.#transit.runStart(trip, earlier)) < arrival,
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

  /**
   * Most footpaths cost more or less than the change does, whatever the time between the rides. Where waiting costs as
   * much as riding, only those of its own length cost the same.
   */
  #limitWalks(): void {
    const { waitReluctance, walkReluctance, walkSpeed } = this.#request;
    const perWalk = walkReluctance - waitReluctance;
    if (perWalk <= 0) return;
    const cost = this.#costOf(this.#best);
    const walks = [0, this.#longest].map((between) => (cost - (waitReluctance - 100) * between) / perWalk);
    this.#leastMetres = Math.floor((Math.min(...walks) - 1) * walkSpeed);
    this.#mostMetres = Math.ceil(Math.max(...walks) * walkSpeed);
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
    return this.#startOfBefore + this.#transit.arrivalAt(this.#before.trip, position);
  }

  #departureAt(position: number, runStart = this.#startOfAfter): number {
    return runStart + this.#transit.departureAt(this.#after.trip, position);
  }
}
