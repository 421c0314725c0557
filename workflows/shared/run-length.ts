/** When a workflow that lives for years begins a new run, so that no history grows without bounds. Pure. */

const LONGEST_RUN_MS = 30 * 24 * 60 * 60_000;
const MOST_MESSAGES = 500;

export interface RunSoFar {
  readonly startedAtMs: number;
  /** Signals and updates. */
  readonly messages: number;
  readonly suggestedByServer: boolean;
}

export function isLongEnough({ startedAtMs, messages, suggestedByServer }: RunSoFar, nowMs: number): boolean {
  return suggestedByServer || messages >= MOST_MESSAGES || nowMs >= startedAtMs + LONGEST_RUN_MS;
}

/** How long this run may still last. */
export function restOfRunMs({ startedAtMs }: Pick<RunSoFar, 'startedAtMs'>, nowMs: number): number {
  return Math.max(0, startedAtMs + LONGEST_RUN_MS - nowMs);
}
