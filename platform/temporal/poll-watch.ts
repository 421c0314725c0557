/**
 * Measures how long this process itself has seen a build not poll for work. The server's memory is not enough: it
 * forgets all polls when it restarts, and its last poll may be old because every worker was down. Caller:
 * version-take-over.ts. Makes no requests.
 */
interface Seen {
  readonly askedMs: number | undefined;
  readonly sinceMs: number;
  readonly lookedMs: number;
}

/** After a longer pause (server unreachable, process stopped) a process knows nothing of the time between. */
const LONGEST_GAP_MS = 60_000;

export class PollWatch {
  readonly #seen = new Map<string, Seen>();

  /** Call at every check with the server's answer. Answers for how long, check after check, it has been the same. */
  silentMs(buildId: string, asked: Date | undefined, now: Date): number {
    const [askedMs, lookedMs] = [asked?.getTime(), now.getTime()];
    const before = this.#seen.get(buildId);
    const goesOn = before && before.askedMs === askedMs && lookedMs - before.lookedMs <= LONGEST_GAP_MS;
    const sinceMs = goesOn ? before.sinceMs : lookedMs;
    this.#seen.set(buildId, { askedMs, sinceMs, lookedMs });
    return lookedMs - sinceMs;
  }
}
