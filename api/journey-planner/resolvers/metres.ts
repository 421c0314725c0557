/** Rounds distances for callers. Sums of hops carry floating-point noise. */

/** Rounds to the centimetre, as other planners of this schema do. */
export function roundMetres(metres: number): number {
  return Math.round(metres * 100) / 100;
}
