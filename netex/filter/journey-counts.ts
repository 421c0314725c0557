/** Counts journeys by file and frame: how many existed, how many are kept. Caller: the decision. */
import type { DatasetFacts } from './dataset-facts.ts';

interface Count {
  had: number;
  kept: number;
}

export class JourneyCounts {
  readonly #facts: DatasetFacts;
  readonly #files = new Map<number, Count>();
  readonly #frames = new Map<number, Count>();

  constructor(facts: DatasetFacts) {
    this.#facts = facts;
  }

  add(journey: number, which: keyof Count): void {
    countOf(this.#files, this.#facts.file.get(journey))[which]++;
    countOf(this.#frames, this.#facts.frame.get(journey))[which]++;
  }

  /** A line file or timetable frame that had journeys is not kept for their accompanying elements alone. */
  allow(entity: number): boolean {
    const { file, frame } = this.#facts;
    return this.#files.get(file.get(entity))?.kept !== 0 && this.#frames.get(frame.get(entity))?.kept !== 0;
  }
}

function countOf(counts: Map<number, Count>, key: number): Count {
  let count = counts.get(key);
  if (!count) {
    count = { had: 0, kept: 0 };
    counts.set(key, count);
  }
  return count;
}
