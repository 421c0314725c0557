/**
 * Counts what the conversion changed, left out or did not understand, by reason, with a few examples. Nothing is
 * changed silently. Callers: every step of the conversion; the summary at its end.
 */
export interface Change {
  readonly what: string;
  readonly count: number;
  /** Ids or values as the feed has them. */
  readonly examples: readonly string[];
}

const EXAMPLES = 3;

export class ChangeLog {
  readonly #changes = new Map<string, { count: number; examples: string[] }>();

  note(what: string, example?: string, count = 1): void {
    if (count === 0) return;
    const change = this.#changes.get(what) ?? { count: 0, examples: [] };
    this.#changes.set(what, change);
    change.count += count;
    if (example !== undefined && example !== '' && change.examples.length < EXAMPLES) change.examples.push(example);
  }

  list(): Change[] {
    return [...this.#changes].map(([what, change]) => ({ what, ...change }));
  }
}
