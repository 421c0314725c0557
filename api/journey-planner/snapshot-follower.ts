/**
 * Keeps the newest snapshot in use: looks at the pointer again and again, loads what is new beside what serves, and swaps
 * between two requests. Caller: the planner process. What cannot be loaded is tried again, ever less often, while the one
 * before goes on serving; there is no way back to an older one.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../activities/shared/log.ts';
import type { PlannerPointer } from '../../activities/shared/planner-snapshot.ts';
import { openTimetable, type Timetable, type TripPlannerProcess } from '../../planner/index.ts';
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
  #failures = 0;
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
      await delay(this.#pauseMs(), undefined, { signal }).catch(() => undefined);
    }
  }

  #pauseMs(): number {
    return Math.min(LONGEST_PAUSE_MS, this.#options.everyMs * 2 ** Math.min(this.#failures, 16));
  }

  async #look(): Promise<void> {
    const { findPointer, log } = this.#options;
    let pointer: PlannerPointer | undefined;
    try {
      pointer = await findPointer();
      if (pointer && pointer.build > (this.#inUse?.build ?? 0)) await this.#takeUp(pointer);
      this.#failures = 0;
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      // A database that is away is back sooner than a snapshot that cannot be read is mended.
      this.#failures += pointer ? 1 : 0;
      if (pointer) this.metrics?.loadFailed();
      log.error({ err: error, build: pointer?.build }, 'the newest snapshot cannot be taken into use');
    }
  }

  async #takeUp({ build, ...file }: PlannerPointer): Promise<void> {
    const { loader, threads, log } = this.#options;
    const begunAt = performance.now();
    const bytes = await loader.load({ build, ...file }, this.#stopping.signal);
    const timetable = openTimetable(bytes);
    const replaced = this.#inUse?.timetable;
    // Before the threads have it: their answers are read by it.
    this.#known.set(timetable.snapshotId, timetable);
    await threads.use(bytes);
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
      if (this.#inUse?.timetable.snapshotId !== snapshotId) this.#known.delete(snapshotId);
    }, this.#options.keepReplacedMs ?? KEEP_REPLACED_MS);
    this.#timers.add(timer.unref());
  }
}
