/**
 * Another process may take a free port before it is bound. Callers: tests that choose ports first and then start
 * processes or servers on them.
 */
const LOST_PORT = /ended while starting|EADDRINUSE/;

/** Calls `start`, which chooses new ports each time, and calls it once more when a port was taken. */
export async function onOtherPorts<Result>(start: () => Promise<Result>): Promise<Result> {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof Error && LOST_PORT.test(error.message))) throw error;
    return await start();
  }
}
