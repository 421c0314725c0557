/**
 * How Node is to run the API and the journey planner: `node <flags> api/server.ts`. Used by the local stack, tests and
 * benchmarks.
 *
 * An upload is a stream of short-lived 64 kB buffers. V8 counts them against the young generation, so with its usual size
 * (16 MB a half) garbage piles up to several times what ten uploads have in flight: some 40 MB more at the peak.
 */
export const API_NODE_FLAGS: readonly string[] = ['--max-semi-space-size=1', '--optimize-for-size'];

/**
 * Of the planner. A board leaves some 150 kB of garbage: with a young generation of 1 MB a half every seventh request waited for it to
 * be collected, with 8 MB every fiftieth. `--optimize-for-size` would save some 20 MB and take a third longer for each board.
 */
export const PLANNER_NODE_FLAGS: readonly string[] = ['--max-semi-space-size=8'];

/** One heap of the C library, which otherwise makes some for each thread: with two search threads 28 MB less. */
export const PLANNER_ENVIRONMENT = { MALLOC_ARENA_MAX: '1' } as const;
