/**
 * Measures how long this process itself has seen a build not poll for work. The server's memory is not enough: it
 * forgets all polls when it restarts, and its last poll may be old because every worker was down. Caller:
 * version-take-over.ts. Makes no requests.
 */
interface Seen {
  readonly lastPollMs: number | undefined;
  readonly sinceMs: number;
  readonly lookedMs: number;
}

/** After a longer pause (server unreachable, process stopped) the time between is unknown. */
const LONGEST_GAP_MS = 60_000;

export class PollWatch {
  readonly #seen = new Map<string, Seen>();

  /** Call at every check with the server's answer. Returns how long that answer has been the same at every check. */
  silentMs(buildId: string, lastPoll: Date | undefined, now: Date): number {
    const [lastPollMs, lookedMs] = [lastPoll?.getTime(), now.getTime()];
    const before = this.#seen.get(buildId);
    const isSame = before && before.lastPollMs === lastPollMs && lookedMs - before.lookedMs <= LONGEST_GAP_MS;
    const sinceMs = isSame ? before.sinceMs : lookedMs;
    this.#seen.set(buildId, { lastPollMs, sinceMs, lookedMs });
    return lookedMs - sinceMs;
  }
}
