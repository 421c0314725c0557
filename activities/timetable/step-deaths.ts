/**
 * Counts how often a step killed its worker. A step marks that it runs and removes the mark when it ends; remaining
 * marks belong to processes that died. So a dataset that kills its worker is detected, while outages of servers,
 * however long, do not count.
 *
 * Callers: the activities of the validation queue. A first attempt at work of usual size sets no mark, so the usual
 * case costs nothing. A second attempt proves the death of the first. Very large work marks each attempt, and one death
 * is enough: such an attempt costs minutes, and its size is the likely reason. An attempt at it writes its mark again
 * and again, so that another attempt waits for it and does not take it for dead.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { ManifestInput } from '../../workflows/timetable/activities.ts';
import { stepMarksPrefix } from './work-keys.ts';

/** More than the deaths that restarts and deployments cause within one short step. */
export const MAX_DEATHS = 4;

/** Unpacked bytes that a step holds or builds from at one time. Twice the largest line file seen. */
export const VERY_LARGE_BYTES = 128 * 1024 * 1024;

export interface StepAttempt {
  readonly attempt: number;
  /** Aborted when the attempt is cancelled or its worker stops. */
  readonly signal: AbortSignal;
  /** Shorter in tests. */
  readonly renewMs?: number;
}

const RENEW_MS = 2_000;
/** A mark that was not written again in so many intervals belongs to a process that died. */
const DEAD_AFTER_INTERVALS = 4;

export class StepDeaths {
  readonly #objects: ObjectStore;
  readonly #input: ManifestInput;
  readonly #attempt: number;
  readonly #signal: AbortSignal;
  readonly #renewMs: number;

  constructor(objects: ObjectStore, input: ManifestInput, { attempt, signal, renewMs = RENEW_MS }: StepAttempt) {
    this.#objects = objects;
    this.#input = input;
    this.#attempt = attempt;
    this.#signal = signal;
    this.#renewMs = renewMs;
  }

  /**
   * Runs `task`, or `otherwise` when the step has killed too many workers before. The mark stays when this process dies.
   * `bytes` is the size of what the step reads.
   */
  async guard<T>(
    { step, bytes }: { readonly step: string; readonly bytes: number },
    task: () => Promise<T>,
    otherwise: () => Promise<T>,
  ): Promise<T> {
    const isVeryLarge = bytes >= VERY_LARGE_BYTES;
    if (this.#attempt === 1 && !isVeryLarge) return await task();
    const prefix = stepMarksPrefix(this.#input, step);
    const deaths = isVeryLarge ? await this.#countDead(prefix) : (await this.#marks(prefix)).size;
    if (deaths >= (isVeryLarge ? 1 : MAX_DEATHS)) return await otherwise();
    return await this.#marked(`${prefix}${this.#attempt}`, task);
  }

  async #marked<T>(mark: string, task: () => Promise<T>): Promise<T> {
    const write = () => this.#objects.put(mark, new Uint8Array(), 'application/octet-stream');
    await write();
    let writing: Promise<unknown> = Promise.resolve();
    const renewal = setInterval(() => {
      writing = writing.then(write).catch(() => undefined);
    }, this.#renewMs);
    try {
      return await task();
    } finally {
      clearInterval(renewal);
      // A write that is still under way would put the mark back.
      await writing;
      await this.#remove(mark);
    }
  }

  /** The process lives, so the mark must go: an outage of the store, which failed the task, is waited for. */
  async #remove(mark: string): Promise<void> {
    for (;;) {
      try {
        return await this.#objects.delete(mark);
      } catch {
        if (this.#signal.aborted) return;
        await delay(this.#renewMs, undefined, { signal: this.#signal }).catch(() => undefined);
      }
    }
  }

  /** Waits until no attempt of a living process remains. */
  async #countDead(prefix: string): Promise<number> {
    let before = await this.#marks(prefix);
    while (before.size > 0) {
      await delay(this.#renewMs * DEAD_AFTER_INTERVALS, undefined, { signal: this.#signal });
      const marks = await this.#marks(prefix);
      if ([...marks].every(([key, writtenAt]) => before.get(key) === writtenAt)) return marks.size;
      before = marks;
    }
    return 0;
  }

  /** When each was written last. */
  async #marks(prefix: string): Promise<ReadonlyMap<string, number>> {
    const marks = new Map<string, number>();
    for await (const { key, lastModified } of this.#objects.list(prefix)) marks.set(key, lastModified.getTime());
    return marks;
  }
}
