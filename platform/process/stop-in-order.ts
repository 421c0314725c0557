/** Stops the parts of a process. Callers: run-process.ts, start-together.ts. */

/**
 * Awaits each step before the next. A step that fails does not keep the later ones from running. A task that had to be
 * aborted must not cost another part its lease or its last write. Throws the first failure at the end.
 */
export async function stopInOrder(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
