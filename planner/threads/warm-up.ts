/**
 * Searches between random stops before a thread takes requests. So V8 compiles the code, and the snapshot's pages are
 * in memory.
 */
import type { StopIndex } from '../model/indices.ts';
import type { Timetable } from '../model/timetable.ts';
import type { SearchEngine } from '../search/search-types.ts';
import { planTrip } from '../trip/plan-trip.ts';
import type { TripLocation, TripRequest } from '../trip/trip-types.ts';

const MORNING_SECONDS = 8 * 3_600;
const MOST_SEARCHES = 200;

/** Searches until the time is over, or until the number of searches at which more would not help. */
export function warmUp(timetable: Timetable, engine: SearchEngine, milliseconds: number): void {
  const { transit, catalogue } = timetable;
  const until = performance.now() + milliseconds;
  if (transit.stopCount === 0 || transit.dayCount === 0) return;
  let seed = 1;
  const drawStop = (): TripLocation => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    const { id, latitude, longitude } = catalogue.quays.at(
      Math.floor((seed / 2 ** 32) * transit.stopCount) as StopIndex,
    );
    return { name: undefined, place: seed % 3 === 0 ? undefined : id, latitude, longitude };
  };
  const time = morning(timetable);
  for (let count = 0; count < MOST_SEARCHES && performance.now() < until; count += 1) {
    const [from, to, arriveBy] = [drawStop(), drawStop(), count % 4 === 3];
    const isOver = (): boolean => performance.now() >= until;
    try {
      planTrip(timetable, engine, { ...ORDINARY_REQUEST, from, to, time, arriveBy }, isOver);
    } catch {
      // Either the time is over, or the search failed. A traveller's request reports such a failure with its message.
    }
  }
}

/** The day of the build, or the middle of the timetable if it does not contain that day. */
function morning({ transit, builtAt }: Timetable): number {
  const { firstDay, dayCount } = transit;
  const today = Math.floor(builtAt / 86_400);
  const isHeld = today >= firstDay && today < firstDay + dayCount;
  const day = isHeld ? today : firstDay + Math.floor(dayCount / 2);
  return transit.dayStart(0, day as typeof firstDay) + MORNING_SECONDS;
}

const ORDINARY_REQUEST: Omit<TripRequest, 'from' | 'to' | 'time' | 'arriveBy'> = {
  via: [],
  windowSeconds: undefined,
  count: 5,
  cursor: undefined,
  filters: [],
  bannedQuays: [],
  impassableQuays: [],
  directMode: undefined,
  transit: true,
  maximumTransfers: 12,
  maximumAdditionalTransfers: 5,
  walkSpeed: 1.33,
  bikeSpeed: 5,
  walkReluctance: 2,
  waitReluctance: 1,
  transferPenaltySeconds: 0,
  transferSlackSeconds: 120,
  boardSlackSeconds: 0,
  alightSlackSeconds: 0,
  boardSlackByMode: [],
  alightSlackByMode: [],
  maximumAccessSeconds: 1_800,
  maximumEgressSeconds: 1_800,
  maximumDirectSeconds: 0,
  longestWalkBesideRidesSeconds: 0,
  wheelchair: false,
  bookingTime: undefined,
};
