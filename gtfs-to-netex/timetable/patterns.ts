/**
 * Groups the trips of a route by stops, pick-up and drop-off, displays and direction. Ignores times: those belong to
 * each journey. Caller: the timetable.
 */
import type { Feed } from '../feed/feed.ts';
import type { Pattern } from './timetable.ts';

const NO_PICKUP = 1;
const NO_DROP_OFF = 4;
const PICKUP_BITS = 3;

export class PatternMaker {
  readonly #feed: Feed;
  /** Fallback when neither stop time nor trip has a headsign: the name of the last stop. */
  readonly #lastStopText: (stop: number) => number;

  constructor(feed: Feed, lastStopText: (stop: number) => number) {
    this.#feed = feed;
    this.#lastStopText = lastStopText;
  }

  /** Trips in the order of the feed. */
  make(trips: readonly number[]): Pattern[] {
    const patterns = new Map<string, Pattern>();
    for (const trip of trips) {
      const from = this.#feed.calls.first[trip] as number;
      const to = this.#feed.calls.first[trip + 1] as number;
      const stops = this.#feed.calls.stop.subarray(from, to);
      const rules = this.#rulesOf(from, to);
      const displays = this.#displaysOf(trip, from, to);
      const direction = this.#feed.trips.direction[trip] as number;
      const key = `${direction};${stops.join()};${rules.join()};${displays.join()}`;
      let pattern = patterns.get(key);
      if (!pattern) {
        const number = patterns.size + 1;
        pattern = { number, direction, stops: stops.slice(), rules, displays, shape: -1, shapeTrip: -1, trips: [] };
        patterns.set(key, pattern);
      }
      pattern.trips.push(trip);
    }
    for (const pattern of patterns.values()) this.#chooseShape(pattern);
    return [...patterns.values()];
  }

  /** Passengers cannot alight at the first stop, nor board at the last. */
  #rulesOf(from: number, to: number): Uint8Array {
    const rules = this.#feed.calls.rules.slice(from, to);
    const last = rules.length - 1;
    rules[0] = ((rules[0] as number) & PICKUP_BITS) | NO_DROP_OFF;
    rules[last] = ((rules[last] as number) & ~PICKUP_BITS) | NO_PICKUP;
    return rules;
  }

  /** A stop's own headsign, else the trip's; −1 when unchanged. */
  #displaysOf(trip: number, from: number, to: number): Int32Array {
    const { headsign, stop } = this.#feed.calls;
    const ofTrip = this.#feed.trips.headsign[trip] as number;
    const usual = ofTrip === -1 ? this.#lastStopText(stop[to - 1] as number) : ofTrip;
    const displays = new Int32Array(to - from).fill(-1);
    let shown = -1;
    for (let at = 0; at < displays.length - 1; at++) {
      const own = headsign ? (headsign[from + at] as number) : -1;
      const text = own === -1 ? usual : own;
      if (text !== shown) displays[at] = text;
      shown = text;
    }
    return displays;
  }

  #chooseShape(pattern: Pattern): void {
    const counts = new Map<number, number>();
    let most = 0;
    for (const trip of pattern.trips) {
      const shape = this.#feed.trips.shape[trip] as number;
      if (shape === -1) continue;
      const count = (counts.get(shape) ?? 0) + 1;
      counts.set(shape, count);
      if (count <= most) continue;
      most = count;
      pattern.shape = shape;
    }
    pattern.shapeTrip = pattern.trips.find((trip) => this.#feed.trips.shape[trip] === pattern.shape) ?? -1;
  }
}
