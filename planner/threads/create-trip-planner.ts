/**
 * Trip searches in threads: a queue of bounded length before as many threads as there are cores, over one snapshot at a time. Made
 * once by a planner process. Each thread changes to a new snapshot between two requests: a request runs on one from start to
 * end, and none fails or waits for the change.
 */
import { availableParallelism } from 'node:os';
import { TripSearchFailure, type TripSearchFailureCode } from '../trip/trip-search-failure.ts';
import type { TripAnswer, TripPlanner, TripRequest } from '../trip/trip-types.ts';
import type { SearchThread } from './search-thread-handle.ts';
import { ThreadGroup } from './thread-group.ts';

export interface TripPlannerOptions {
  /** Searches at once. Default: one a core. */
  readonly threads?: number | undefined;
  /** From the call to the answer, waiting included. Default 10 s. */
  readonly timeoutMs?: number | undefined;
  /** Requests that wait for a thread; further ones are refused as `overloaded`. Default 64 a thread. */
  readonly queueLimit?: number | undefined;
  /** How long a thread searches before it takes requests. Default 1 s. */
  readonly warmUpMs?: number | undefined;
}

export interface TripPlannerStats {
  /** Warm and alive. */
  readonly threads: number;
  readonly busy: number;
  readonly waiting: number;
  readonly answered: number;
  /** Rejected requests by code. */
  readonly failed: Readonly<Partial<Record<TripSearchFailureCode, number>>>;
  /** Threads that died or hung, since the start. */
  readonly threadDeaths: number;
}

export interface TripPlannerProcess {
  readonly planner: TripPlanner;
  /**
   * Resolves when every request goes to the snapshot of `bytes`. Rejects when it cannot be opened: what was in use stays. Calls
   * take effect in their order.
   */
  use(bytes: SharedArrayBuffer): Promise<void>;
  stats(): TripPlannerStats;
  /** Ends all threads; what is waiting or running rejects as `unavailable`. */
  close(): Promise<void>;
}

interface Job {
  readonly request: TripRequest;
  readonly settle: (failure: TripSearchFailure | undefined, answer?: TripAnswer) => void;
  /** Set while it runs. */
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
  readonly planner: TripPlanner = { trip: (request, signal) => this.#trip(request, signal) };
  readonly #size: number;
  readonly #timeoutMs: number;
  readonly #queueLimit: number;
  readonly #warmUpMs: number;
  readonly #waiting = new Set<Job>();
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
    for (const job of this.#waiting) job.settle(closedFailure());
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

  #trip(request: TripRequest, signal: AbortSignal | undefined): Promise<TripAnswer> {
    return new Promise((resolve, reject) => {
      const refusal = this.#refusal(signal);
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
        this.#waiting.delete(job);
        this.#count(failure);
        if (answer !== undefined) resolve(answer);
        else reject(failure);
      };
      const job: Job = { request, settle, thread: undefined, isSettled: false };
      this.#waiting.add(job);
      this.#dispatch();
    });
  }

  #refusal(signal: AbortSignal | undefined): TripSearchFailure | undefined {
    if (signal?.aborted === true) return new TripSearchFailure('cancelled', 'The request was given up.');
    if (this.#isClosed) return closedFailure();
    if (this.#group === undefined) return new TripSearchFailure('unavailable', 'No timetable has been loaded yet.');
    if (this.#waiting.size < this.#queueLimit || this.#group.busyCount < this.#group.readyCount) return undefined;
    return new TripSearchFailure('overloaded', 'Too many requests are waiting.');
  }

  #count(failure: TripSearchFailure | undefined): void {
    if (failure === undefined) this.#answered += 1;
    else this.#failed[failure.code] = (this.#failed[failure.code] ?? 0) + 1;
  }

  /** Gives waiting requests, first come first, to idle threads. */
  #dispatch(): void {
    for (const job of this.#waiting) {
      const group = this.#group;
      const thread = group?.take();
      if (group === undefined || thread === undefined) return;
      this.#waiting.delete(job);
      void this.#run(job, group, thread);
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

function closedFailure(): TripSearchFailure {
  return new TripSearchFailure('unavailable', 'The planner is closed.');
}
