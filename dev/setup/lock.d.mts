/** Types of lock.mjs for the tests. */
export function withLock<Result>(
  path: string,
  onWait: (pid: number) => void,
  work: () => Promise<Result>,
): Promise<Result>;
