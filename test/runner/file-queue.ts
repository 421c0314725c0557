/**
 * Chooses the next test file of a lane. Files that wait for servers come first, longest first. Files that need only the
 * processor come by family: those of one folder load the same modules and make the same data, so one lane runs them.
 * Caller: run-lanes.ts.
 */
import type { TestFile } from './test-files.ts';

/** Two folders below `test`: they tell apart `api/journey-planner`, `netex/rules`. */
const FAMILY = /^test\/(?:[^/]+\/){1,2}/;

export class FileQueue {
  readonly #waiting: TestFile[];
  /** Longest file first. */
  readonly #families = new Map<string, TestFile[]>();
  readonly #secondsOf: (file: TestFile) => number;
  /** The family that each lane is at. */
  readonly #chosen = new Map<number, string>();

  constructor(files: readonly TestFile[], secondsOf: (file: TestFile) => number) {
    this.#secondsOf = secondsOf;
    const ordered = files.toSorted((one, other) => secondsOf(other) - secondsOf(one));
    this.#waiting = ordered.filter(({ need }) => need !== 'quick');
    for (const file of ordered.filter(({ need }) => need === 'quick')) {
      const family = FAMILY.exec(file.path)?.[0] ?? '';
      this.#families.set(family, [...(this.#families.get(family) ?? []), file]);
    }
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#families.size === 0;
  }

  /** The next file of the lane. `prefersProcessor` leaves files that wait to the other lanes. */
  take(lane: number, prefersProcessor: boolean): TestFile | undefined {
    if (prefersProcessor) return this.#takeOfFamily(lane) ?? this.#waiting.shift();
    return this.#waiting.shift() ?? this.#takeOfFamily(lane);
  }

  #takeOfFamily(lane: number): TestFile | undefined {
    const own = this.#ownFamily(lane);
    if (own !== undefined) return this.#remove(own, 'longest');
    // To help another lane, the shortest: the longest share most with each other.
    const [helped] = this.#byTimeLeft();
    return helped === undefined ? undefined : this.#remove(helped, 'shortest');
  }

  /** The family that the lane is at, else the longest that no lane is at. */
  #ownFamily(lane: number): string | undefined {
    const current = this.#chosen.get(lane);
    if (current !== undefined && this.#families.has(current)) return current;
    const taken = new Set(this.#chosen.values());
    const next = this.#byTimeLeft().find((family) => !taken.has(family));
    if (next !== undefined) this.#chosen.set(lane, next);
    return next;
  }

  #byTimeLeft(): string[] {
    return [...this.#families.keys()].toSorted((one, other) => this.#secondsLeft(other) - this.#secondsLeft(one));
  }

  #remove(family: string, which: 'longest' | 'shortest'): TestFile | undefined {
    const files = this.#families.get(family) ?? [];
    const file = which === 'longest' ? files.shift() : files.pop();
    if (files.length === 0) this.#families.delete(family);
    return file;
  }

  #secondsLeft(family: string): number {
    return (this.#families.get(family) ?? []).reduce((sum, file) => sum + this.#secondsOf(file), 0);
  }
}
