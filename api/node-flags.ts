/**
 * How Node is to run the API and the journey planner: `node <flags> api/server.ts`. Used by the local stack, tests and
 * benchmarks.
 *
 * An upload is a stream of short-lived 64 kB buffers. V8 counts them against the young generation, so with its usual size
 * (16 MB a half) garbage piles up to several times what ten uploads have in flight: some 40 MB more at the peak.
 */
export const API_NODE_FLAGS: readonly string[] = ['--max-semi-space-size=1', '--optimize-for-size'];

/** The same for the planner: its heap ends some 25 MB smaller in all, main thread and search threads together. */
export const PLANNER_NODE_FLAGS: readonly string[] = API_NODE_FLAGS;

/**
 * One heap of the C library, which otherwise makes some for each thread: with two search threads 28 MB less. The thresholds stay
 * where they begin, else each great array that was freed raises them; alone they made no difference that could be measured.
 */
export const PLANNER_ENVIRONMENT = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
} as const;
