/**
 * Determines exactly on which side of a line a point lies. Caller: simple-ring.ts.
 *
 * Uses the plain formula unless its value is smaller than its possible rounding error; then integers.
 */

/** Relative error of the plain formula, to the sum of the magnitudes of its terms. */
const ERROR_BOUND = (3 + 16 * 2 ** -53) * 2 ** -53;
/** Steps in one degree: doubles from 1/256 up are whole numbers of steps. */
const STEPS = 2 ** 60;

/** 1: c lies left of the line from a to b, -1: right, 0: on it. */
export function orientation(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): -1 | 0 | 1 {
  const left = (ax - cx) * (by - cy);
  const right = (ay - cy) * (bx - cx);
  const value = left - right;
  if (Math.abs(value) > ERROR_BOUND * (Math.abs(left) + Math.abs(right))) return value > 0 ? 1 : -1;
  return exactOrientation(ax, ay, bx, by, cx, cy);
}

function exactOrientation(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): -1 | 0 | 1 {
  const [x, y] = [whole(cx), whole(cy)];
  const value = (whole(ax) - x) * (whole(by) - y) - (whole(ay) - y) * (whole(bx) - x);
  return value > 0n ? 1 : value < 0n ? -1 : 0;
}

function whole(degrees: number): bigint {
  return BigInt(Math.trunc(degrees * STEPS));
}
