/**
 * Finds the first trip in the direction of the search, among `trips[low … high)`, that leaves at `least` or later by a
 * column of times. `least` is in the direction of the search, less the start of the day. Without such a trip: one past
 * the last (backward: one before the first).
 */
export function firstTripFrom(
  trips: Int32Array,
  low: number,
  high: number,
  column: number,
  stops: number,
  firstTrip: number,
  sign: number,
  boardTimes: Int32Array,
  least: number,
): number {
  let from = low;
  let to = high;
  if (sign > 0) {
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((boardTimes[column + ((trips[middle] as number) - firstTrip) * stops] as number) >= least) to = middle;
      else from = middle + 1;
    }
    return from;
  }
  const most = -least;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((boardTimes[column + ((trips[middle] as number) - firstTrip) * stops] as number) <= most) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}
