/** Streams taken some at a time, for what asks or writes many at once. Callers: sweeps, the planner build, back-up and restore. */

export interface BatchLimits<Each> {
  readonly count: number;
  /** Ends a batch sooner: at this sum of what each weighs. */
  readonly weight?: { readonly of: (each: Each) => number; readonly limit: number };
}

/** In their order; none is empty, and a batch may pass the limit of weight by its last. */
export async function* batchesOf<Each>(
  all: AsyncIterable<Each> | Iterable<Each>,
  { count, weight }: BatchLimits<Each>,
): AsyncGenerator<Each[], void, undefined> {
  let batch: Each[] = [];
  let sum = 0;
  for await (const each of all) {
    sum += weight?.of(each) ?? 0;
    if (batch.push(each) < count && (weight === undefined || sum < weight.limit)) continue;
    yield batch;
    [batch, sum] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
