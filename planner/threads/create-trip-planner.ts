/**
 * Runs trip searches in threads: a queue of bounded length, one thread per core, one snapshot at a time. A planner
 * process creates one. Each thread changes to a new snapshot between two requests. So a request runs on one snapshot
 * from start to end, and no request fails or waits for the change.
 */
import { availableParallelism } from 'node:os';
import { TripSearchFailure, type TripSearchFailureCode } from '../trip/trip-search-failure.ts';
import type { TripAnswer, TripPlanner, TripRequest } from '../trip/trip-types.ts';
import { FairQueue } from './fair-queue.ts';
import type { SearchThread } from './search-thread-handle.ts';
import { ThreadGroup } from './thread-group.ts';

export interface TripPlannerOptions {
  /** Number of threads. Default: one per core. */
  readonly threads?: number | undefined;
  /** Time limit from the call to the answer, queueing included. Default 10 s. */
  readonly timeoutMs?: number | undefined;
  /** Limit of queued requests; further ones are rejected as `overloaded`. Default 64 per thread. */
  readonly queueLimit?: number | undefined;
  /** Duration of the warm-up searches before a thread takes requests. Default 1 s. */
  readonly warmUpMs?: number | undefined;
}

export interface TripPlannerStats {
  /** Number of warm, live threads. */
  readonly threads: number;
  readonly busy: number;
  readonly waiting: number;
  readonly answered: number;
  /** Rejected requests by code. */
  readonly failed: Readonly<Partial<Record<TripSearchFailureCode, number>>>;
  /** Number of threads that died or hung since the start. */
  readonly threadDeaths: number;
}

export interface TripPlannerProcess {
  readonly planner: TripPlanner;
  /**
   * Resolves when every request goes to the snapshot of `bytes`. Rejects when the snapshot cannot be opened; the
   * current one then stays in use. Calls take effect in their order.
   */
  use(bytes: SharedArrayBuffer): Promise<void>;
  stats(): TripPlannerStats;
  /** Ends all threads. Queued and running requests reject as `unavailable`. */
  close(): Promise<void>;
}

interface Job {
  readonly request: TripRequest;
  readonly settle: (failure: TripSearchFailure | undefined, answer?: TripAnswer) => void;
  /** Set while the request runs. */
  thread: SearchThread | undefined;
  isSettled: boolean;
}

const QUEUED_PER_THREAD = 64;
const TIMEOUT_MS = 10_000;
const WARM_UP_MS = 1000;

export function createTripPlanner(options: TripPlannerOptions = {}): TripPlannerProcess {
  return new ThreadedTripPlanner(options);
}

class ThreadedTripPlanner implements TripPlannerProcess {
  readonly planner: TripPlanner = {
    trip: (request, signal, caller = '') => this.#trip(request, signal, caller),
  };
  readonly #size: number;
  readonly #timeoutMs: number;
  readonly #queueLimit: number;
  readonly #warmUpMs: number;
  readonly #waiting = new FairQueue<Job>();
  readonly #failed: Partial<Record<TripSearchFailureCode, number>> = {};
  #answered = 0;
  #threadDeaths = 0;
  #group: ThreadGroup | undefined;
  #changes: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor({ threads, timeoutMs, queueLimit, warmUpMs }: TripPlannerOptions) {
    this.#size = Math.max(1, threads ?? availableParallelism());
    this.#timeoutMs = timeoutMs ?? TIMEOUT_MS;
    this.#queueLimit = queueLimit ?? QUEUED_PER_THREAD * this.#size;
    this.#warmUpMs = warmUpMs ?? WARM_UP_MS;
  }

  use(bytes: SharedArrayBuffer): Promise<void> {
    const change = this.#changes.then(() => this.#change(bytes));
    this.#changes = change.catch(() => undefined);
    return change;
  }

  stats(): TripPlannerStats {
    return {
      threads: this.#group?.readyCount ?? 0,
      busy: this.#group?.busyCount ?? 0,
      waiting: this.#waiting.size,
      answered: this.#answered,
      failed: { ...this.#failed },
      threadDeaths: this.#threadDeaths,
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#waiting.items()) job.settle(closedFailure());
    await this.#group?.end();
    await this.#changes;
  }

  async #change(bytes: SharedArrayBuffer): Promise<void> {
    if (this.#isClosed) throw closedFailure();
    if (this.#group !== undefined) {
      await this.#group.change(bytes);
      if (this.#isClosed) throw closedFailure();
      return;
    }
    const group = await ThreadGroup.start({
      bytes,
      size: this.#size,
      warmUpMs: this.#warmUpMs,
      onIdle: () => this.#dispatch(),
      onDeath: () => {
        this.#threadDeaths += 1;
      },
    });
    if (this.#isClosed) {
      await group.end();
      throw closedFailure();
    }
    this.#group = group;
    this.#dispatch();
  }

  #trip(request: TripRequest, signal: AbortSignal | undefined, caller: string): Promise<TripAnswer> {
    return new Promise((resolve, reject) => {
      const refusal = this.#refusal(signal, caller);
      if (refusal !== undefined) {
        this.#count(refusal);
        return reject(refusal);
      }
      const giveUp = (code: 'timeout' | 'cancelled', message: string) => (): void => {
        job.settle(new TripSearchFailure(code, message));
        job.thread?.cancel();
      };
      const onAbort = giveUp('cancelled', 'The request was given up.');
      const onTimeout = giveUp('timeout', `The search took longer than ${this.#timeoutMs} ms.`);
      const timer = setTimeout(onTimeout, this.#timeoutMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      const settle: Job['settle'] = (failure, answer) => {
        if (job.isSettled) return;
        job.isSettled = true;
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.#waiting.delete(caller, job);
        this.#count(failure);
        if (answer !== undefined) resolve(answer);
        else reject(failure);
      };
      const job: Job = { request, settle, thread: undefined, isSettled: false };
      this.#waiting.add(caller, job);
      this.#dispatch();
    });
  }

  #refusal(signal: AbortSignal | undefined, caller: string): TripSearchFailure | undefined {
    if (signal?.aborted === true) return new TripSearchFailure('cancelled', 'The request was given up.');
    if (this.#isClosed) return closedFailure();
    if (this.#group === undefined) return new TripSearchFailure('unavailable', 'No timetable has been loaded yet.');
    if (this.#waiting.size < this.#queueLimit || this.#group.busyCount < this.#group.readyCount) return undefined;
    // Admit a caller with few searches at the cost of the one with the most.
    const dropped = this.#waiting.findToDrop(caller);
    dropped?.settle(overloadedFailure());
    return dropped ? undefined : overloadedFailure();
  }

  #count(failure: TripSearchFailure | undefined): void {
    if (failure === undefined) this.#answered += 1;
    else this.#failed[failure.code] = (this.#failed[failure.code] ?? 0) + 1;
  }

  /** Gives waiting requests to idle threads. */
  #dispatch(): void {
    const group = this.#group;
    while (group !== undefined && this.#waiting.size > 0) {
      const thread = group.take();
      if (thread === undefined) return;
      void this.#run(this.#waiting.take() as Job, group, thread);
    }
  }

  async #run(job: Job, group: ThreadGroup, thread: SearchThread): Promise<void> {
    job.thread = thread;
    try {
      const answer = await thread.run(job.request);
      job.settle(undefined, answer);
    } catch (error) {
      job.settle(error instanceof TripSearchFailure ? error : new TripSearchFailure('failed', String(error)));
    } finally {
      job.thread = undefined;
      group.giveBack(thread);
    }
  }
}

function overloadedFailure(): TripSearchFailure {
  return new TripSearchFailure('overloaded', 'Too many requests are waiting.');
}

function closedFailure(): TripSearchFailure {
  return new TripSearchFailure('unavailable', 'The planner is closed.');
}
