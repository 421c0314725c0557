/**
 * The threads that search one snapshot. Lends out the idle ones, and starts another in place of one that died. A new snapshot
 * gets a new group, so that no thread ever holds two, and the old one's memory goes with its threads.
 */
import { SearchThread } from './search-thread-handle.ts';

export interface ThreadGroupOptions {
  readonly bytes: SharedArrayBuffer;
  readonly size: number;
  readonly warmUpMs: number;
  /** One after the other, for a process that is serving meanwhile. */
  readonly oneByOne: boolean;
  /** A thread has become idle. */
  readonly onIdle: () => void;
  readonly onDeath: () => void;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;

export class ThreadGroup {
  readonly #options: ThreadGroupOptions;
  readonly #threads = new Set<SearchThread>();
  readonly #idle: SearchThread[] = [];
  readonly #starting = new Set<SearchThread>();
  readonly #pauses = new Set<NodeJS.Timeout>();
  #isRetired = false;

  private constructor(options: ThreadGroupOptions) {
    this.#options = options;
  }

  /** All threads are warm, or it rejects and none is left. */
  static async start(options: ThreadGroupOptions): Promise<ThreadGroup> {
    const group = new ThreadGroup(options);
    const places = Array.from({ length: options.size });
    try {
      if (options.oneByOne) for (const _ of places) await group.#startThread();
      else await Promise.all(places.map(() => group.#startThread()));
      return group;
    } catch (error) {
      await group.end();
      throw error;
    }
  }

  get readyCount(): number {
    return this.#threads.size;
  }

  get busyCount(): number {
    return this.#threads.size - this.#idle.length;
  }

  /** Undefined: all are busy. What is taken is given back. */
  take(): SearchThread | undefined {
    return this.#idle.pop();
  }

  giveBack(thread: SearchThread): void {
    if (!this.#threads.has(thread)) return;
    if (this.#isRetired) {
      this.#threads.delete(thread);
      void thread.end();
      return;
    }
    this.#idle.push(thread);
    this.#options.onIdle();
  }

  /** No more requests: idle threads end now, busy ones after their request. */
  retire(): void {
    this.#isRetired = true;
    this.#stopStarting();
    for (const thread of this.#idle.splice(0)) {
      this.#threads.delete(thread);
      void thread.end();
    }
  }

  /** Ends all threads at once; what they were searching rejects. */
  async end(): Promise<void> {
    this.#isRetired = true;
    this.#stopStarting();
    const threads = [...this.#threads, ...this.#starting];
    this.#threads.clear();
    this.#idle.length = 0;
    await Promise.all(threads.map((thread) => thread.end()));
  }

  #stopStarting(): void {
    for (const pause of this.#pauses) clearTimeout(pause);
    this.#pauses.clear();
    for (const thread of this.#starting) void thread.end();
  }

  async #startThread(): Promise<void> {
    const thread = new SearchThread(this.#options.bytes, this.#options.warmUpMs);
    this.#starting.add(thread);
    try {
      await thread.ready;
    } finally {
      this.#starting.delete(thread);
    }
    if (this.#isRetired) return thread.end();
    this.#threads.add(thread);
    this.#idle.push(thread);
    void thread.ended.then(() => this.#replace(thread));
    this.#options.onIdle();
  }

  #replace(dead: SearchThread): void {
    if (!this.#threads.delete(dead)) return;
    const place = this.#idle.indexOf(dead);
    if (place >= 0) this.#idle.splice(place, 1);
    this.#options.onDeath();
    if (!this.#isRetired) this.#startAgain(FIRST_PAUSE_MS);
  }

  #startAgain(pauseMs: number): void {
    this.#startThread().catch(() => {
      if (this.#isRetired) return;
      const pause = setTimeout(() => {
        this.#pauses.delete(pause);
        this.#startAgain(Math.min(pauseMs * 2, LONGEST_PAUSE_MS));
      }, pauseMs);
      this.#pauses.add(pause);
    });
  }
}
