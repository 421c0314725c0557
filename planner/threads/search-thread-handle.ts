/**
 * The process's handle of one search thread. It starts the thread over a snapshot, gives it one request at a time,
 * changes its snapshot between two requests, and ends it.
 */
import { Worker } from 'node:worker_threads';
import { TripSearchFailure } from '../trip/trip-search-failure.ts';
import type { TripAnswer, TripRequest } from '../trip/trip-types.ts';
import type { NumberedSnapshot, ThreadMessage, ThreadOrder, ThreadStart, TripResult } from './thread-messages.ts';

/**
 * With the compile cache a thread finds its modules compiled and without types. Otherwise each thread would load the
 * type stripper, which costs another 10 MB. The first start on a machine fills the cache.
 */
const BOOTSTRAP = `
  const { workerData } = require('node:worker_threads');
  require('node:module').enableCompileCache();
  import(workerData.entry);
`;

/** The heap holds single requests and answers. The snapshot and the engine's arrays lie outside it. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 2 };
/** A running search reads the cancel flag every few milliseconds. A thread that does not within this time hangs. */
const GIVE_UP_MS = 1_000;

/** Time limits of a thread, earlier work included. A thread that exceeds one is ended. */
export interface ThreadPatience {
  /** To load, open the snapshot and warm up. */
  readonly startMs: number;
  /** To open another snapshot. */
  readonly prepareMs: number;
}

/**
 * On a busy machine, starting takes seconds and opening takes milliseconds. A search before it may take a request's
 * whole time.
 */
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
  /** Resolves when the thread is warm. Rejects when the snapshot cannot be opened or the thread dies before. */
  readonly ready: Promise<void>;
  /** Resolves when the thread has ended, for any reason. */
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
    // A caller that awaits `ready` gets the error; a thread stopped during its start has no such caller.
    this.ready.catch(() => undefined);
  }

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** Must not be called while busy. Rejects with TripSearchFailure. */
  run(request: TripRequest): Promise<TripAnswer> {
    this.#requestCount = this.#requestCount === 0x7fffffff ? 1 : this.#requestCount + 1;
    const number = this.#requestCount;
    return new Promise((resolve, reject) => {
      this.#running = { number, resolve, reject };
      this.#order({ type: 'trip', number, request });
    });
  }

  /**
   * Opens a snapshot in addition to the current one, after the running search. Rejects when it cannot be opened. It
   * also resolves when the thread dies or is ended as hung, which does not indicate a bad snapshot. Must not be called
   * while an earlier call is pending.
   */
  prepare(snapshot: NumberedSnapshot): Promise<void> {
    if (this.#isGone) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#giveUp('open a snapshot', this.#prepareMs), this.#prepareMs);
      this.#preparing = { resolve, reject, timer };
      this.#order({ type: 'prepare', snapshot });
    });
  }

  /** Later requests run on this snapshot. The running request stays on the one before. */
  switchTo(snapshot: NumberedSnapshot): void {
    this.#order({ type: 'switch', snapshot });
  }

  /** Drops the prepared snapshot. */
  forget(): void {
    this.#order({ type: 'forget' });
  }

  /** The running request then rejects with `cancelled`. If the thread hangs, it is ended. */
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
