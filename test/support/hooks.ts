/**
 * Stops the servers that tests have started, and ends a run that does not end by itself. Mocha and the lanes of the
 * test runner load it before any test file.
 */
const PATIENCE_MS = 30_000;

const stops: (() => Promise<void>)[] = [];

/** Called by what starts servers, so that a run without servers loads none of it. */
export function stopAtEnd(stop: () => Promise<void>): void {
  stops.push(stop);
}

export async function mochaGlobalTeardown(): Promise<void> {
  for (const stop of stops) await stop();
  endInTime();
}

/** An open handle of a test would keep the run alive for ever, so the run names it and fails. */
function endInTime(): void {
  const end = (): void => {
    const open = process.getActiveResourcesInfo().join(', ');
    console.error(`The run does not end by itself ${PATIENCE_MS / 1_000} s after its last test; still open: ${open}`);
    process.exit(1);
  };
  setTimeout(end, PATIENCE_MS).unref();
}
