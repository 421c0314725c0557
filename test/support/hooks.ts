/** Loaded by mocha before any test file: ends the servers that tests have started, and a run that something keeps alive. */
import { stopServers } from './stack.ts';

const PATIENCE_MS = 30_000;

export async function mochaGlobalTeardown(): Promise<void> {
  await stopServers();
  endInTime();
}

/** What a test left open would keep the run alive for ever: it is told, and fails the run. */
function endInTime(): void {
  const end = (): void => {
    const open = process.getActiveResourcesInfo().join(', ');
    console.error(`The run does not end by itself ${PATIENCE_MS / 1_000} s after its last test; still open: ${open}`);
    process.exit(1);
  };
  setTimeout(end, PATIENCE_MS).unref();
}
