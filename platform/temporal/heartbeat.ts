/** Sends the heartbeats of an activity while it works. Callers: activities that run longer than a moment. */
import { cancellationSignal, heartbeat } from '@temporalio/activity';

/** Several heartbeats fit into the 5 s after which Temporal gives an activity to another worker. */
const EVERY_MS = 1_000;

/**
 * Runs `task` with a heartbeat every second. Its signal aborts when Temporal no longer wants the activity: the import
 * was cancelled, the worker shuts down, or another worker has taken over.
 */
export async function withHeartbeat<T>(
  task: (signal: AbortSignal, noteProgress: (details: unknown) => void) => Promise<T>,
): Promise<T> {
  let last: unknown;
  const beat = () => heartbeat(last);
  const noteProgress = (details: unknown) => {
    last = details;
  };
  beat();
  const timer = setInterval(beat, EVERY_MS);
  try {
    return await task(cancellationSignal(), noteProgress);
  } finally {
    clearInterval(timer);
  }
}
