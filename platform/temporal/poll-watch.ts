/**
 * For how long this process itself has seen a build not ask for work. What the server remembers is not enough: it forgets all questions when it
 * starts again, and what it does remember may be old because every worker was away. Caller: version-take-over.ts. Asks nobody.
 */
interface Seen {
  readonly askedMs: number | undefined;
  readonly sinceMs: number;
  readonly lookedMs: number;
}

/** Who has not looked for so long (server out of reach, process stopped) knows nothing of the time between. */
const LONGEST_GAP_MS = 60_000;

export class PollWatch {
  readonly #seen = new Map<string, Seen>();

  /** To be called at every look, with what the server says. Answers how long, look after look, that has been the same. */
  silentMs(buildId: string, asked: Date | undefined, now: Date): number {
    const [askedMs, lookedMs] = [asked?.getTime(), now.getTime()];
    const before = this.#seen.get(buildId);
    const goesOn = before && before.askedMs === askedMs && lookedMs - before.lookedMs <= LONGEST_GAP_MS;
    const sinceMs = goesOn ? before.sinceMs : lookedMs;
    this.#seen.set(buildId, { askedMs, sinceMs, lookedMs });
    return lookedMs - sinceMs;
  }
}
