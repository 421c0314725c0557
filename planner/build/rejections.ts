/** Counts rejections by kind and reason, with example ids that help to correct the data. */
import type { BuildReport } from './input.ts';

const MOST_EXAMPLES = 20;
/** A database keeps the report, so ids are cut at this length. */
const MOST_CHARACTERS = 200;

interface Rejected {
  readonly kind: string;
  readonly reason: string;
  count: number;
  readonly examples: string[];
}

export class Rejections {
  readonly #byReason = new Map<string, Rejected>();

  /** `reason` must be one of few texts. Details of one element belong in `id`. */
  add(kind: string, reason: string, id: string): void {
    const key = `${kind}\n${reason}`;
    const known = this.#byReason.get(key);
    const rejected = known ?? { kind, reason, count: 0, examples: [] };
    if (known === undefined) this.#byReason.set(key, rejected);
    rejected.count++;
    if (rejected.examples.length < MOST_EXAMPLES) rejected.examples.push(shortened(id));
  }

  list(): BuildReport['rejected'] {
    const keys = [...this.#byReason.keys()].sort();
    return keys.flatMap((key) => this.#byReason.get(key) ?? []);
  }
}

function shortened(id: string): string {
  return id.length <= MOST_CHARACTERS ? id : `${id.slice(0, MOST_CHARACTERS)}…`;
}
