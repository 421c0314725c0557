/**
 * Node flags of the API and the journey planner: `node <flags> api/server.ts`. The local stack, tests and benchmarks
 * use them.
 *
 * An upload is a stream of short-lived 64 kB buffers, which V8 counts against the young generation. With its usual size
 * (16 MB a half), garbage grows to several times the bytes that ten uploads have in flight. The peak is then some 40 MB
 * higher.
 */
export const API_NODE_FLAGS: readonly string[] = ['--max-semi-space-size=1', '--optimize-for-size'];

/**
 * Where thousands of connections may come. Each is some 20 kB of live objects, and the flags above then collect them
 * again and again. With 10,000 trickled connections other callers' p99 was 155 ms with those flags, and 12 ms with these.
 * Ten uploads at once take some 70 MB more.
 */
export const API_CROWDED_NODE_FLAGS: readonly string[] = ['--max-semi-space-size=4'];

/**
 * A departure board leaves about 150 kB of garbage. With halves of 1 MB every seventh request waited for a collection,
 * with 8 MB every fiftieth. `--optimize-for-size` would save about 20 MB and make each board a third slower.
 */
export const PLANNER_NODE_FLAGS: readonly string[] = ['--max-semi-space-size=8'];

/** One heap of the C library instead of several per thread: saves 28 MB with two search threads. */
export const PLANNER_ENVIRONMENT = { MALLOC_ARENA_MAX: '1' } as const;
