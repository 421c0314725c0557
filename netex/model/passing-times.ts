/**
 * Passing times of a file: numbers in typed arrays, since a file may have hundreds of thousands.
 *
 * Callers: the collector fills it; model checks read `arrival[i]` … within the range of a journey. The arrays are replaced
 * when they grow: read them from here after the pass, never keep one during it.
 */

/** In place of a time that is not given. */
export const ABSENT = -1;

export class PassingTimes {
  size = 0;
  /** Seconds since midnight of the operating day, day offset included; ABSENT when not given or not a time. */
  arrival = new Int32Array(0);
  departure = new Int32Array(0);
  /** LatestArrivalTime and EarliestDepartureTime: the window of a flexible stop. */
  latestArrival = new Int32Array(0);
  earliestDeparture = new Int32Array(0);
  /** Place of the stop in the journey's pattern (index into `pattern.stops`), -1 when it names none of them. */
  stop = new Int32Array(0);
  /** Where the element is. */
  line = new Int32Array(0);
  column = new Int32Array(0);
}
