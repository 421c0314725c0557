/**
 * One search thread as the process sees it: started over a snapshot, given one request at a time, changed to another
 * snapshot between two, ended or found dead.
 */
import { Worker } from 'node:worker_threads';
import { TripSearchFailure } from '../trip/trip-search-failure.ts';
import type { TripAnswer, TripRequest } from '../trip/trip-types.ts';
import type { NumberedSnapshot, ThreadMessage, ThreadOrder, ThreadStart, TripResult } from './thread-messages.ts';

/**
 * With the compile cache a thread finds its modules without types and compiled; else each thread would load the
 * type stripper, which costs it another 10 MB. The first start on a machine fills the cache.
 */
const BOOTSTRAP = `
  const { workerData } = require('node:worker_threads');
  require('node:module').enableCompileCache();
  import(workerData.entry);
`;

/** The heap holds single requests and answers; the snapshot and the engine's arrays lie outside of it. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 2 };
/** A cancelled search looks at the flag every few milliseconds; a thread that does not within this time hangs. */
const GIVE_UP_MS = 1_000;

/** How long a thread may take, what it does before included, until it is ended as one that hangs. */
export interface ThreadPatience {
  /** To load, open its snapshot and warm up. */
  readonly startMs: number;
  /** To open another snapshot. */
  readonly prepareMs: number;
}

/** Starting takes seconds on a busy machine, opening milliseconds; a search before it may take all of a request's time. */
export const DEFAULT_PATIENCE: ThreadPatience = { startMs: 60_000, prepareMs: 30_000 };

interface Preparation {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

interface RunningRequest {
  readonly number: number;
  readonly resolve: (answer: TripAnswer) => void;
  readonly reject: (failure: TripSearchFailure) => void;
}

export class SearchThread {
  /** Warm; rejects when the snapshot cannot be opened or the thread dies before. */
  readonly ready: Promise<void>;
  /** Resolves when the thread is gone, however that came. */
  readonly ended: Promise<void>;
  readonly #worker: Worker;
  readonly #cancelFlag = new Int32Array(new SharedArrayBuffer(4));
  #running: RunningRequest | undefined;
  #preparing: Preparation | undefined;
  #requestCount = 0;
  #hangTimer: NodeJS.Timeout | undefined;
  #death: Error | undefined;
  #isGone = false;
  readonly #prepareMs: number;

  constructor(snapshot: NumberedSnapshot, warmUpMs: number, patience: ThreadPatience = DEFAULT_PATIENCE) {
    this.#prepareMs = patience.prepareMs;
    const entry = new URL('./search-thread.ts', import.meta.url).href;
    const start: ThreadStart = { entry, snapshot, cancelFlag: this.#cancelFlag.buffer as SharedArrayBuffer, warmUpMs };
    this.#worker = new Worker(BOOTSTRAP, {
      eval: true,
      workerData: start,
      name: 'planner-search',
      resourceLimits: RESOURCE_LIMITS,
      execArgv: [],
    });
    this.ended = new Promise((resolve) => this.#worker.once('exit', () => resolve()));
    const starting = setTimeout(() => this.#giveUp('start', patience.startMs), patience.startMs);
    this.ready = new Promise((resolve, reject) => {
      this.#worker.on('message', (message: ThreadMessage) => {
        if (message.type === 'ready') {
          clearTimeout(starting);
          resolve();
        } else if (message.type === 'prepared') this.#prepared();
        else if (message.type === 'refused') this.#prepared(new Error(message.message));
        else this.#answered(message);
      });
      this.#worker.once('error', (error: Error) => {
        this.#death = error;
      });
      this.#worker.once('exit', (code) => {
        clearTimeout(starting);
        const reason = this.#death ?? new Error(`The search thread ended with code ${code}.`);
        reject(reason);
        this.#died(reason);
      });
    });
    // A waiting caller gets the error; a thread stopped during its start has none.
    this.ready.catch(() => undefined);
  }

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** To be called when not busy. Rejects with TripSearchFailure. */
  run(request: TripRequest): Promise<TripAnswer> {
    this.#requestCount = this.#requestCount === 0x7fffffff ? 1 : this.#requestCount + 1;
    const number = this.#requestCount;
    return new Promise((resolve, reject) => {
      this.#running = { number, resolve, reject };
      this.#order({ type: 'trip', number, request });
    });
  }

  /**
   * Opens a snapshot beside the one in use, after what it is searching. Rejects when it cannot be opened. Resolves when the
   * thread dies as well, or is ended since it does not answer: that says nothing of the snapshot. One at a time.
   */
  prepare(snapshot: NumberedSnapshot): Promise<void> {
    if (this.#isGone) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#giveUp('open a snapshot', this.#prepareMs), this.#prepareMs);
      this.#preparing = { resolve, reject, timer };
      this.#order({ type: 'prepare', snapshot });
    });
  }

  /** Every later request runs on this snapshot, the running one still on that before. */
  switchTo(snapshot: NumberedSnapshot): void {
    this.#order({ type: 'switch', snapshot });
  }

  /** Of what was prepared. */
  forget(): void {
    this.#order({ type: 'forget' });
  }

  /** The running request then soon rejects with `cancelled`; a thread that hangs is ended for it. */
  cancel(): void {
    if (this.#running === undefined) return;
    Atomics.store(this.#cancelFlag, 0, this.#running.number);
    this.#hangTimer ??= setTimeout(() => void this.end(), GIVE_UP_MS);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #giveUp(what: string, afterMs: number): void {
    this.#death ??= new Error(`The search thread did not ${what} within ${afterMs} ms.`);
    void this.end();
  }

  #order(order: ThreadOrder): void {
    this.#worker.postMessage(order);
  }

  #prepared(refusal?: Error): void {
    const preparing = this.#preparing;
    this.#preparing = undefined;
    clearTimeout(preparing?.timer);
    if (refusal === undefined) preparing?.resolve();
    else preparing?.reject(refusal);
  }

  #answered(message: TripResult): void {
    const running = this.#running;
    if (running === undefined || running.number !== message.number) return;
    this.#settle();
    if (message.type === 'answer') running.resolve(message.answer);
    else running.reject(new TripSearchFailure(message.code, message.message));
  }

  #died(reason: Error): void {
    const running = this.#running;
    this.#isGone = true;
    this.#settle();
    this.#prepared();
    running?.reject(new TripSearchFailure('unavailable', 'The search thread died.', { cause: reason }));
  }

  #settle(): void {
    this.#running = undefined;
    clearTimeout(this.#hangTimer);
    this.#hangTimer = undefined;
  }
}
