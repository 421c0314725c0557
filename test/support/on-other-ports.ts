/**
 * A free port may be lost to another process before it is bound. Callers: whatever in the tests starts processes or servers on ports that
 * it had to choose before.
 */
const LOST_PORT = /ended while starting|EADDRINUSE/;

/** Calls `start`, which chooses its ports anew each time, once more where it failed as one does whose port is taken. */
export async function onOtherPorts<Result>(start: () => Promise<Result>): Promise<Result> {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof Error && LOST_PORT.test(error.message))) throw error;
    return await start();
  }
}
