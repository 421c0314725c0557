/** How often the outcome of a credit is looked at: the credit itself asks the provider. Pure. */
const FIRST_MS = 2_000;
const LONGEST_MS = 5 * 60_000;

export function pauseMs(round: number): number {
  return Math.min(FIRST_MS * 2 ** Math.min(round, 10), LONGEST_MS);
}
