/**
 * Keeps the newest snapshot in use: polls the pointer, loads a new snapshot while the present one serves, and swaps between two
 * requests. Caller: the planner process. A failed load is retried at growing intervals while the present snapshot serves. The
 * follower never returns to an older snapshot, and never follows a pointer that is not signed.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type PlannerPointer, UntrustedPointerError } from '../../activities/shared/planner-snapshot.ts';
import { SnapshotDamagedError } from '../../activities/shared/planner-snapshot-file.ts';
import { openTimetable, type Timetable, type TripPlannerProcess } from '../../planner/index.ts';
import { collectGarbage } from '../../planner/threads/collect-garbage.ts';
import type { Logger } from '../../platform/log.ts';
import type { PlannerMetrics, SnapshotInUse } from './planner-metrics.ts';
import type { SnapshotLoader } from './snapshot-loader.ts';
import { warmUp } from './warm-up.ts';

export interface SnapshotFollowerOptions {
  /** Throws UntrustedPointerError. */
  readonly findPointer: () => Promise<PlannerPointer | undefined>;
  readonly loader: Pick<SnapshotLoader, 'load' | 'forgetOthers'>;
  readonly threads: Pick<TripPlannerProcess, 'use'>;
  readonly log: Logger;
  readonly everyMs: number;
  /** Tests set a shorter time. */
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
  #fault: string | undefined;
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

  /** Begins to follow the pointer. It loads the first snapshot after it has returned. */
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
      this.#notePointer(undefined);
      if (!pointer || pointer.build <= (this.#inUse?.build ?? 0) || this.#mustWait(pointer.build)) return;
      await this.#try(pointer);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      if (error instanceof UntrustedPointerError) this.#notePointer(error);
      else log.warn({ err: error }, 'the pointer to the newest snapshot cannot be read');
    }
  }

  /** Logs a fault once: the pointer is read each second. */
  #notePointer(fault: UntrustedPointerError | undefined): void {
    this.metrics?.untrusted('pointer', fault !== undefined);
    if (fault && fault.message !== this.#fault) this.#options.log.error({ err: fault }, 'the pointer is not followed');
    this.#fault = fault?.message;
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
      this.metrics?.untrusted('object', error instanceof SnapshotDamagedError);
      this.#options.log.error({ err: error, build, failures }, 'the newest snapshot cannot be taken into use');
    }
  }

  /** Delays the retry of a failed snapshot more after each failure. A newer snapshot is loaded at once. */
  #mustWait(build: number): boolean {
    return this.#failed?.build === build && performance.now() < this.#failed.again;
  }

  async #takeUp({ build, ...file }: PlannerPointer): Promise<void> {
    const { loader, threads, log } = this.#options;
    const begunAt = performance.now();
    const bytes = await loader.load({ build, ...file }, this.#stopping.signal);
    const timetable = openTimetable(bytes);
    const replaced = this.#inUse?.timetable;
    // The threads' answers need this entry, so add it before they get the snapshot.
    this.#known.set(timetable.snapshotId, timetable);
    try {
      await threads.use(bytes);
    } catch (error) {
      // No request needs the snapshot before the next attempt, and the entry would keep it in memory.
      if (timetable.snapshotId !== replaced?.snapshotId) this.#known.delete(timetable.snapshotId);
      throw error;
    }
    if (!replaced) warmUp(timetable);
    this.#inUse = { timetable, build, sizeBytes: file.sizeBytes };
    const seconds = (performance.now() - begunAt) / 1_000;
    this.metrics?.swapped(seconds);
    this.metrics?.untrusted('object', false);
    log.info({ build, snapshotId: timetable.snapshotId, seconds }, 'a snapshot is in use');
    if (replaced && replaced.snapshotId !== timetable.snapshotId) this.#forgetLater(replaced.snapshotId);
    await loader.forgetOthers([timetable.snapshotId]);
  }

  /** Waits, because requests that began with the snapshot may still read its indexes. */
  #forgetLater(snapshotId: string): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (this.#inUse?.timetable.snapshotId === snapshotId || !this.#known.delete(snapshotId)) return;
      collectGarbage();
    }, this.#options.keepReplacedMs ?? KEEP_REPLACED_MS);
    this.#timers.add(timer.unref());
  }
}
