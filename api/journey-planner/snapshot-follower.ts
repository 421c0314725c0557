/**
 * Keeps the newest snapshot in use: looks at the pointer again and again, loads what is new beside what serves, and swaps
 * between two requests. Caller: the planner process. What cannot be loaded is tried again, ever less often, while the one
 * before goes on serving; there is no way back to an older one.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { PlannerPointer } from '../../activities/shared/planner-snapshot.ts';
import { openTimetable, type Timetable, type TripPlannerProcess } from '../../planner/index.ts';
import { collectGarbage } from '../../planner/threads/collect-garbage.ts';
import type { Logger } from '../../platform/log.ts';
import type { PlannerMetrics, SnapshotInUse } from './planner-metrics.ts';
import type { SnapshotLoader } from './snapshot-loader.ts';
import { warmUp } from './warm-up.ts';

export interface SnapshotFollowerOptions {
  readonly findPointer: () => Promise<PlannerPointer | undefined>;
  readonly loader: Pick<SnapshotLoader, 'load' | 'forgetOthers'>;
  readonly threads: Pick<TripPlannerProcess, 'use'>;
  readonly log: Logger;
  readonly everyMs: number;
  /** Shorter in tests. */
  readonly keepReplacedMs?: number;
}

/** Longer than any request lives. */
const KEEP_REPLACED_MS = 60_000;
const LONGEST_PAUSE_MS = 60_000;

export class SnapshotFollower {
  readonly #options: SnapshotFollowerOptions;
  readonly #stopping = new AbortController();
  readonly #known = new Map<string, Timetable>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #inUse: SnapshotInUse | undefined;
  #failed: { readonly build: number; readonly failures: number; readonly again: number } | undefined;
  #following: Promise<void> = Promise.resolve();
  metrics: PlannerMetrics | undefined;

  constructor(options: SnapshotFollowerOptions) {
    this.#options = options;
  }

  get inUse(): SnapshotInUse | undefined {
    return this.#inUse;
  }

  find(snapshotId: string): Timetable | undefined {
    return this.#known.get(snapshotId);
  }

  /** Begins to follow; nothing is loaded yet when this returns. */
  start(): void {
    this.#following = this.#follow();
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the process stops'));
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#following;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#look();
      await delay(this.#options.everyMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    const { findPointer, log } = this.#options;
    try {
      const pointer = await findPointer();
      if (!pointer || pointer.build <= (this.#inUse?.build ?? 0) || this.#isToWait(pointer.build)) return;
      await this.#try(pointer);
    } catch (error) {
      if (!this.#stopping.signal.aborted) log.warn({ err: error }, 'the pointer to the newest snapshot cannot be read');
    }
  }

  async #try(pointer: PlannerPointer): Promise<void> {
    const { build } = pointer;
    try {
      await this.#takeUp(pointer);
      this.#failed = undefined;
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      const failures = this.#failed?.build === build ? this.#failed.failures + 1 : 1;
      const pauseMs = Math.min(LONGEST_PAUSE_MS, this.#options.everyMs * 2 ** Math.min(failures, 16));
      this.#failed = { build, failures, again: performance.now() + pauseMs };
      this.metrics?.loadFailed();
      this.#options.log.error({ err: error, build, failures }, 'the newest snapshot cannot be taken into use');
    }
  }

  /** Retries a failed snapshot ever less often; a newer one at once. */
  #isToWait(build: number): boolean {
    return this.#failed?.build === build && performance.now() < this.#failed.again;
  }

  async #takeUp({ build, ...file }: PlannerPointer): Promise<void> {
    const { loader, threads, log } = this.#options;
    const begunAt = performance.now();
    const bytes = await loader.load({ build, ...file }, this.#stopping.signal);
    const timetable = openTimetable(bytes);
    const replaced = this.#inUse?.timetable;
    // Before the threads have it: their answers are read by it.
    this.#known.set(timetable.snapshotId, timetable);
    try {
      await threads.use(bytes);
    } catch (error) {
      // Tried again or not, nobody asks for it before; it would hold a whole snapshot in memory.
      if (timetable.snapshotId !== replaced?.snapshotId) this.#known.delete(timetable.snapshotId);
      throw error;
    }
    if (!replaced) warmUp(timetable);
    this.#inUse = { timetable, build, sizeBytes: file.sizeBytes };
    const seconds = (performance.now() - begunAt) / 1_000;
    this.metrics?.swapped(seconds);
    log.info({ build, snapshotId: timetable.snapshotId, seconds }, 'a snapshot is in use');
    if (replaced && replaced.snapshotId !== timetable.snapshotId) this.#forgetLater(replaced.snapshotId);
    await loader.forgetOthers([timetable.snapshotId]);
  }

  /** Requests that began on it may still be reading its indexes. */
  #forgetLater(snapshotId: string): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (this.#inUse?.timetable.snapshotId === snapshotId || !this.#known.delete(snapshotId)) return;
      collectGarbage();
    }, this.#options.keepReplacedMs ?? KEEP_REPLACED_MS);
    this.#timers.add(timer.unref());
  }
}
