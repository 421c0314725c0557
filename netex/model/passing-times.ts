/**
 * Passing times of a file as typed arrays, since a file may have hundreds of thousands.
 *
 * Callers: the journey collector adds to them; model checks read `arrival[i]` … within the range of a journey. Arrays
 * are replaced when they grow: read them from here after the pass, and keep none during it.
 */

/** Stands for a missing time. */
export const ABSENT = -1;

export class PassingTimes {
  size = 0;
  /** Seconds since midnight of the operating day, including the day offset; ABSENT when missing or invalid. */
  arrival = new Int32Array(0);
  departure = new Int32Array(0);
  /** LatestArrivalTime and EarliestDepartureTime: the window of a flexible stop. */
  latestArrival = new Int32Array(0);
  earliestDeparture = new Int32Array(0);
  /** Index into `pattern.stops`, -1 when the time refers to no stop of the pattern. */
  stop = new Int32Array(0);
  /** Place of the element. */
  line = new Int32Array(0);
  column = new Int32Array(0);

  /** Appends a passing time without times; the caller sets them at `size - 1`. */
  add(stop: number, line: number, column: number): void {
    const index = this.size++;
    if (index === this.stop.length) this.#grow();
    this.arrival[index] = ABSENT;
    this.departure[index] = ABSENT;
    this.latestArrival[index] = ABSENT;
    this.earliestDeparture[index] = ABSENT;
    this.stop[index] = stop;
    this.line[index] = line;
    this.column[index] = column;
  }

  /** Sorts a range by stop; times of one stop keep their order. A range with an unknown stop stays as it is. */
  sortByStop(first: number, count: number): void {
    const stops = this.stop;
    let ordered = true;
    for (let index = first; index < first + count; index++) {
      if ((stops[index] as number) < 0) return;
      if (index > first && (stops[index] as number) < (stops[index - 1] as number)) ordered = false;
    }
    if (ordered) return;
    const sorted = Array.from({ length: count }, (_, offset) => first + offset);
    sorted.sort((a, b) => (stops[a] as number) - (stops[b] as number));
    for (const column of this.#columns()) {
      column.set(
        sorted.map((index) => column[index] as number),
        first,
      );
    }
  }

  #columns(): Int32Array[] {
    return [
      this.arrival,
      this.departure,
      this.latestArrival,
      this.earliestDeparture,
      this.line,
      this.column,
      // Last: the sort of the others reads it.
      this.stop,
    ];
  }

  #grow(): void {
    const larger = (old: Int32Array): Int32Array<ArrayBuffer> => {
      const grown = new Int32Array(Math.max(256, old.length * 2));
      grown.set(old);
      return grown;
    };
    this.arrival = larger(this.arrival);
    this.departure = larger(this.departure);
    this.latestArrival = larger(this.latestArrival);
    this.earliestDeparture = larger(this.earliestDeparture);
    this.stop = larger(this.stop);
    this.line = larger(this.line);
    this.column = larger(this.column);
  }
}
