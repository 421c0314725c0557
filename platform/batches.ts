/**
 * Streams taken some at a time, for what asks or writes many at once. Callers: sweeps, the planner build, back-up and
 * restore.
 */

export interface BatchLimits<Each> {
  readonly count: number;
  /** Ends a batch earlier, at this sum of weights. */
  readonly weight?: { readonly of: (each: Each) => number; readonly limit: number };
}

/** Batches in the order of the stream; none is empty. The last item of a batch may exceed the limit of weight. */
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
