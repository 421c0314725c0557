/** When a build may begin after changes: once it is quiet, but a steady stream of changes puts it off for so long only. Pure. */

export interface QuietTime {
  readonly quietMs: number;
  /** From the first change. */
  readonly longestMs: number;
}

/** How long to wait for a further change; 0: begin. All instants in milliseconds. */
export function waitForQuiet({ quietMs, longestMs }: QuietTime, firstChangeAt: number, now: number): number {
  return Math.max(0, Math.min(quietMs, firstChangeAt + longestMs - now));
}
