/**
 * Node flags of the API and the journey planner: `node <flags> api/server.ts`. Used by the local stack, tests and benchmarks.
 *
 * An upload is a stream of short-lived 64 kB buffers. V8 counts them against the young generation, so with its usual size
 * (16 MB a half) garbage piles up to several times what ten uploads have in flight: some 40 MB more at the peak.
 */
export const API_NODE_FLAGS: readonly string[] = ['--max-semi-space-size=1', '--optimize-for-size'];

/**
 * A departure board leaves about 150 kB of garbage. With halves of 1 MB every seventh request waited for a collection, with 8 MB every
 * fiftieth. `--optimize-for-size` would save about 20 MB and make each board a third slower.
 */
export const PLANNER_NODE_FLAGS: readonly string[] = ['--max-semi-space-size=8'];

/** One heap of the C library instead of several per thread: saves 28 MB with two search threads. */
export const PLANNER_ENVIRONMENT = { MALLOC_ARENA_MAX: '1' } as const;
