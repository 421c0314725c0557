/** What was left out or went without, by kind and reason: counts, with a few ids of each for whoever has to mend the data. */
import type { BuildReport } from './input.ts';

const MOST_EXAMPLES = 20;

interface Rejected {
  readonly kind: string;
  readonly reason: string;
  count: number;
  readonly examples: string[];
}

export class Rejections {
  readonly #byReason = new Map<string, Rejected>();

  add(kind: string, reason: string, id: string): void {
    const key = `${kind}\n${reason}`;
    const known = this.#byReason.get(key);
    const rejected = known ?? { kind, reason, count: 0, examples: [] };
    if (known === undefined) this.#byReason.set(key, rejected);
    rejected.count++;
    if (rejected.examples.length < MOST_EXAMPLES) rejected.examples.push(id);
  }

  list(): BuildReport['rejected'] {
    const keys = [...this.#byReason.keys()].sort();
    return keys.flatMap((key) => this.#byReason.get(key) ?? []);
  }
}
