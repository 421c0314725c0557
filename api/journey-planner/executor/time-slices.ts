/**
 * The turns of one request. Work in one stretch ends after a few milliseconds, and the rest continues part by part. All
 * requests of a process share one queue of turns. Each round of the event loop takes one turn, so many long answers
 * block it no longer than one. Every second turn is that of a request with the fewest, so an answer of a few turns does
 * not wait for all long ones. Short answers never wait. Callers: the steps of a request (guards, validation,
 * compilation, execution), fields and lists (`../schema/load-schema.ts`) and long scans (`../resolvers/lists.ts`).
 */

/** Requests with waiting turns. The next one is first. */
const queue: TimeSlices[] = [];
/** A first stretch is shorter while others wait, but never shorter than this. Most answers take less. */
const LEAST_STRETCH_MS = 3;

export class TimeSlices {
  readonly #sliceMs: number;
  readonly #firstMs: number;
  readonly #onTurn: ((turns: number) => void) | undefined;
  #begun: number;
  #stopped = false;
  #turns = 0;
  readonly #waiting: (() => void)[] = [];

  /** `onTurn` gets the number of turns until now, at the beginning of each. The first stretch has lasted since `begun`. */
  constructor(sliceMs: number, onTurn?: (turns: number) => void, begun = performance.now()) {
    this.#begun = begun;
    this.#sliceMs = sliceMs;
    this.#onTurn = onTurn;
    this.#firstMs = Math.min(sliceMs, Math.max(LEAST_STRETCH_MS, sliceMs / (1 + queue.length)));
  }

  /** Begin of the current stretch. */
  get begun(): number {
    return this.#begun;
  }

  /** Number of turns taken: the work of a long answer, in slices. */
  get turns(): number {
    return this.#turns;
  }

  /** Whether the current stretch has used its time. */
  isOver(): boolean {
    return performance.now() - this.#begun >= (this.#turns === 0 ? this.#firstMs : this.#sliceMs);
  }

  /**
   * Yields the items of a list for an executor that resolves each before it takes the next. While the stretch lasts,
   * they are plain items. Then they are promises, which resolve while their turn has time left. Otherwise one stretch
   * would resolve a list of thousands.
   */
  *inParts<Item>(items: readonly Item[]): Generator<Item | Promise<Item>, void, undefined> {
    let at = 0;
    for (; at < items.length && !this.isOver(); at += 1) yield items[at] as Item;
    if (at === items.length) return;
    let turn: Promise<void> = this.turn();
    for (const item of items.slice(at)) {
      const ready = turn.then(() => item);
      yield ready;
      // Runs after the executor has resolved the item, because it subscribed first.
      turn = ready.then(() => (this.isOver() ? this.turn() : undefined));
    }
  }

  /** Runs a step now, or in the next turn when the current stretch has used its time. */
  inTime<Made>(make: () => Made | Promise<Made>): Made | Promise<Made> {
    return this.isOver() ? this.turn().then(make) : make();
  }

  /** Resolves when it is this request's turn. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#stopped || this.#waiting.push(resolve) > 1) return;
      if (queue.push(this) === 1) setImmediate(takeTurn);
    });
  }

  /** Stops all pending work, because the caller has disconnected. */
  stop(): void {
    this.#stopped = true;
    this.#waiting.length = 0;
  }

  /** Returns whether more turns wait. */
  next(): boolean {
    const resolve = this.#waiting.shift();
    if (!resolve) return false;
    this.#begun = performance.now();
    this.#turns += 1;
    this.#onTurn?.(this.#turns);
    resolve();
    return this.#waiting.length > 0;
  }
}

let goesRound = false;

function takeTurn(): void {
  // The other turns go round, so that a long answer ends while others come without end.
  goesRound = !goesRound;
  const [slices] = queue.splice(goesRound ? 0 : placeOfFewestTurns(), 1);
  if (slices?.next()) queue.push(slices);
  if (queue.length > 0) setImmediate(takeTurn);
}

/** The first of those in the queue. */
function placeOfFewestTurns(): number {
  let place = 0;
  let fewest = Number.POSITIVE_INFINITY;
  for (const [at, { turns }] of queue.entries()) {
    if (turns >= fewest) continue;
    place = at;
    fewest = turns;
  }
  return place;
}
