/** How often a provider is asked again. Pure. */
export const FIRST_POLL_MS = 2_000;
export const WATCH_FIRST_MS = 20_000;
const LONGEST_MS = 5 * 60_000;

/** For an outcome that is not known: 2 s, doubling to 5 minutes, for ever. */
export function pollDelayMs(steps: number): number {
  return doubled(FIRST_POLL_MS, steps);
}

/** For a customer at the terminal: the provider reports by itself, and a report may be lost. */
export function watchDelayMs(steps: number): number {
  return doubled(WATCH_FIRST_MS, steps);
}

function doubled(firstMs: number, steps: number): number {
  return Math.min(firstMs * 2 ** Math.min(steps, 20), LONGEST_MS);
}
