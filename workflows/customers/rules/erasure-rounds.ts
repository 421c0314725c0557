/** The progress of an erasure, and its pause before another round when something was left. Pure. */
import type { ErasureProgress, ErasureStepName } from '../messages.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export class ErasureRounds {
  #progress: ErasureProgress;

  /** `round` of the run before, where there was one. */
  constructor(round = 1) {
    this.#progress = { step: 'BLOCK', round, left: [] };
  }

  get progress(): ErasureProgress {
    return this.#progress;
  }

  enter(step: ErasureStepName): void {
    this.#progress = { ...this.#progress, step };
  }

  /** `left`: what the check has found. Answers how long to wait before the next round; undefined when nothing is left. */
  checked(left: readonly string[]): number | undefined {
    const { round } = this.#progress;
    this.#progress = { ...this.#progress, left };
    if (left.length === 0) return undefined;
    this.#progress = { ...this.#progress, round: round + 1 };
    return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(round - 1, 10));
  }
}

/** One line of Markdown for the Temporal UI. */
export function describeErasure({ step, round, left }: ErasureProgress): string {
  const again = round === 1 ? '' : `, round ${round}; left before: ${left.join(', ')}`;
  return `**${step}**${again}`;
}
