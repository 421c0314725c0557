/**
 * The group of search threads. It lends idle threads, replaces dead ones, and changes all of them to a new snapshot. In
 * a change, every thread first opens the new snapshot beside the old one; then all switch.
 *
 * Threads survive a change, because their compiled code makes them fast. Compiling it again would take a core from
 * running searches.
 */
import { openTimetable } from '../open-timetable.ts';
import { SearchThread, type ThreadPatience } from './search-thread-handle.ts';
import type { NumberedSnapshot } from './thread-messages.ts';

export interface ThreadGroupOptions {
  readonly bytes: SharedArrayBuffer;
  readonly size: number;
  readonly warmUpMs: number;
  readonly patience?: ThreadPatience;
  /** Called when a thread has become idle. */
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
  #snapshot: NumberedSnapshot;
  #isEnded = false;

  private constructor(options: ThreadGroupOptions) {
    this.#options = options;
    this.#snapshot = { number: 1, bytes: options.bytes };
  }

  /** Resolves when all threads are warm. Otherwise it rejects and ends all of them. */
  static async start(options: ThreadGroupOptions): Promise<ThreadGroup> {
    const group = new ThreadGroup(options);
    const places = Array.from({ length: options.size });
    try {
      await Promise.all(places.map(() => group.#startThread()));
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

  /** Lends an idle thread; undefined when all are busy. The caller must give it back. */
  take(): SearchThread | undefined {
    return this.#idle.pop();
  }

  giveBack(thread: SearchThread): void {
    if (!this.#threads.has(thread)) return;
    this.#idle.push(thread);
    this.#options.onIdle();
  }

  /**
   * Resolves when every later request runs on this snapshot. Rejects without any change when a thread cannot open it.
   * Await it before the next call.
   */
  async change(bytes: SharedArrayBuffer): Promise<void> {
    const next: NumberedSnapshot = { number: this.#snapshot.number + 1, bytes };
    try {
      // With all threads dead, their replacements would fail repeatedly; so the snapshot is checked here.
      if (this.#threads.size === 0) openTimetable(bytes);
      // Threads change one after the other, so the rest serve meanwhile.
      for (const thread of [...this.#threads]) await thread.prepare(next);
    } catch (error) {
      for (const thread of this.#threads) thread.forget();
      throw error;
    }
    this.#snapshot = next;
    for (const thread of [...this.#threads, ...this.#starting]) thread.switchTo(next);
  }

  /** Ends all threads at once. Their running searches reject. */
  async end(): Promise<void> {
    this.#isEnded = true;
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
    const thread = new SearchThread(this.#snapshot, this.#options.warmUpMs, this.#options.patience);
    this.#starting.add(thread);
    try {
      await thread.ready;
    } finally {
      this.#starting.delete(thread);
    }
    if (this.#isEnded) return thread.end();
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
    if (!this.#isEnded) this.#startAgain(FIRST_PAUSE_MS);
  }

  #startAgain(pauseMs: number): void {
    this.#startThread().catch(() => {
      if (this.#isEnded) return;
      const pause = setTimeout(() => {
        this.#pauses.delete(pause);
        this.#startAgain(Math.min(pauseMs * 2, LONGEST_PAUSE_MS));
      }, pauseMs);
      this.#pauses.add(pause);
    });
  }
}
