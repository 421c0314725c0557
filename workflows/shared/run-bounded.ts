/**
 * Runs `task` for 0 … count-1, at most `limit` at a time, in order of index. Rejects with the first failure, after
 * which no further task begins; those under way are the caller's to cancel.
 */
export async function runBounded(count: number, limit: number, task: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    try {
      while (next < count) await task(next++);
    } catch (error) {
      next = count;
      throw error;
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, count) }, lane));
}
