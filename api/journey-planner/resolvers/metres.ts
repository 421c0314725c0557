/** Distances as callers see them. Sums of hops carry the noise of floating-point addition; rounding removes it. */

/** To the centimetre, as other planners of this schema answer. */
export function roundMetres(metres: number): number {
  return Math.round(metres * 100) / 100;
}
