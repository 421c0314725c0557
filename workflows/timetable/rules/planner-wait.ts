/** How long an import waits for the planner. Pure. */

/** A build of a whole country takes minutes; after an hour something is wrong that the import cannot cure by waiting. */
export const PLANNER_WAIT_MS = 60 * 60_000;

const FIRST_MS = 5_000;
const LONGEST_MS = 120_000;

/** The planner's workflow wakes the import; this is for when it cannot. `looks` from 0. */
export function pauseBeforeNextLook(looks: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** looks);
}
