/** Bounds of a validation thread, each with its reason. */
export interface ThreadLimits {
  /** Time limit for a file of any size… */
  readonly baseMs: number;
  /** …plus this much for each million bytes. A slow machine needs 100 ms; the rest is for faulty files. */
  readonly perMegabyteMs: number;
  /** Compiling a schema takes 5–11 s on an idle core; a busy machine needs more. */
  readonly compileMs: number;
  /** JavaScript heap of the thread; ids and references of a very large file fill most of it. */
  readonly heapMegabytes: number;
  /** The memory of the schema validation never shrinks: above this limit, the thread is replaced after the file. */
  readonly schemaMemoryBytes: number;
  /**
   * Resident size of the process at which the file is given up: packed numbers, the result and the file itself are
   * outside of the heap. Without a limit the system ends a process that takes too much, and with it the worker.
   */
  readonly processBytes: number;
}

export const THREAD_LIMITS: ThreadLimits = {
  baseMs: 60_000,
  perMegabyteMs: 2_000,
  compileMs: 300_000,
  heapMegabytes: 256,
  schemaMemoryBytes: 512 * 1024 * 1024,
  processBytes: Number.POSITIVE_INFINITY,
};

export function timeLimitMs(limits: ThreadLimits, sizeBytes: number): number {
  return Math.max(0, Math.round(limits.baseMs + (limits.perMegabyteMs * sizeBytes) / 1e6));
}
