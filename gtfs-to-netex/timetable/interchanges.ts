/**
 * Makes interchanges: journeys that wait for others or continue as others. Sources are transfers between trips, and
 * vehicles that serve several trips in succession (block_id). Trips by frequency have none. Caller: the timetable.
 */
import { distanceMetres } from '../../netex/geo/distance.ts';
import type { ChangeLog } from '../feed/change-log.ts';
import type { Feed, Transfer } from '../feed/feed.ts';
import { commonDays, type ServiceDays } from './service-days.ts';
import type { StopPositions } from './stop-positions.ts';
import type { Interchange } from './timetable.ts';

const TIMED = 1;
const IN_SEAT = 4;
const NOT_IN_SEAT = 5;
/** A vehicle that ends here and begins farther away runs empty in between. */
const SAME_VEHICLE_METRES = 200;
/** After a longer pause, a vehicle carries no passengers on. */
const SAME_VEHICLE_SECONDS = 3600;
/** Trips of one block that run on different days follow each other in many combinations. */
const FOLLOWERS = 8;

export interface KeptTrips {
  readonly feed: Feed;
  readonly positions: StopPositions;
  isKept(trip: number): boolean;
  daysOf(trip: number): ServiceDays;
}

export function planInterchanges(kept: KeptTrips, changes: ChangeLog): Interchange[] {
  const forbidden = new Set<string>();
  const named: Interchange[] = [];
  for (const transfer of kept.feed.transfers) {
    if (transfer.fromTrip === -1 && transfer.toTrip === -1) continue;
    const { fromTrip, toTrip } = transfer;
    if (transfer.type === NOT_IN_SEAT) forbidden.add(`${fromTrip} ${toTrip}`);
    else if (fromTrip === -1 || toTrip === -1) changes.note('transfers left out that name one trip only');
    else if (transfer.type !== TIMED && transfer.type !== IN_SEAT) {
      changes.note('transfers left out between two trips that are neither guaranteed nor in the seat');
    } else if (!kept.isKept(fromTrip) || !kept.isKept(toTrip)) changes.note('transfers left out whose trips are');
    else named.push(interchangeOf(kept.feed, transfer));
  }
  const known = new Set(named.map(({ fromTrip, toTrip }) => `${fromTrip} ${toTrip}`));
  const ofBlocks = planBlocks(kept).filter(({ fromTrip, toTrip }) => {
    const key = `${fromTrip} ${toTrip}`;
    return !known.has(key) && !forbidden.has(key);
  });
  return [...named, ...ofBlocks];
}

function interchangeOf(feed: Feed, { fromTrip, toTrip, fromStop, toStop, type }: Transfer): Interchange {
  const staySeated = type === IN_SEAT;
  return {
    fromTrip,
    toTrip,
    fromStop: callOf(feed, fromTrip, staySeated ? -1 : fromStop) ?? lastStop(feed, fromTrip),
    toStop: callOf(feed, toTrip, staySeated ? -1 : toStop) ?? firstStop(feed, toTrip),
    staySeated,
  };
}

/** The platform of the stop or station at which the trip calls. */
function callOf(feed: Feed, trip: number, stop: number): number | undefined {
  if (stop === -1) return undefined;
  const id = feed.stops[stop]?.id;
  const { first, stop: calls } = feed.calls;
  for (let call = first[trip] as number; call < (first[trip + 1] as number); call++) {
    const at = calls[call] as number;
    if (at === stop || feed.stops[at]?.parentId === id) return at;
  }
  return undefined;
}

function firstStop({ calls }: Feed, trip: number): number {
  return calls.stop[calls.first[trip] as number] as number;
}

function lastStop({ calls }: Feed, trip: number): number {
  return calls.stop[(calls.first[trip + 1] as number) - 1] as number;
}

function startOf({ calls }: Feed, trip: number): number {
  return calls.departure[calls.first[trip] as number] as number;
}

function endOf({ calls }: Feed, trip: number): number {
  return calls.arrival[(calls.first[trip + 1] as number) - 1] as number;
}

function planBlocks(kept: KeptTrips): Interchange[] {
  const blocks = new Map<number, number[]>();
  kept.feed.trips.block.forEach((block, trip) => {
    if (block === -1 || !kept.isKept(trip)) return;
    const trips = blocks.get(block) ?? [];
    blocks.set(block, trips);
    trips.push(trip);
  });
  return [...blocks.values()].flatMap((trips) => {
    trips.sort((a, b) => startOf(kept.feed, a) - startOf(kept.feed, b) || a - b);
    return trips.flatMap((trip, index) => followersOf(kept, trip, trips.slice(index + 1)));
  });
}

/** On each of its days, finds the vehicle's next trip. */
function followersOf(kept: KeptTrips, trip: number, later: readonly number[]): Interchange[] {
  const { feed, positions } = kept;
  const found: Interchange[] = [];
  let open: readonly number[] = Array.from(kept.daysOf(trip).days);
  let looked = 0;
  for (const next of later) {
    const wait = startOf(feed, next) - endOf(feed, trip);
    if (wait > SAME_VEHICLE_SECONDS || looked > FOLLOWERS || open.length === 0) break;
    if (wait < 0) continue;
    const shared = commonDays(open, kept.daysOf(next).days);
    if (shared.length === 0) continue;
    looked++;
    const taken = new Set(shared);
    open = open.filter((day) => !taken.has(day));
    if (!(metresBetween(positions, lastStop(feed, trip), firstStop(feed, next)) <= SAME_VEHICLE_METRES)) continue;
    found.push({
      fromTrip: trip,
      toTrip: next,
      fromStop: lastStop(feed, trip),
      toStop: firstStop(feed, next),
      staySeated: true,
    });
  }
  return found;
}

function metresBetween({ latitude, longitude }: StopPositions, from: number, to: number): number {
  if (from === to) return 0;
  return distanceMetres(
    latitude[from] as number,
    longitude[from] as number,
    latitude[to] as number,
    longitude[to] as number,
  );
}
