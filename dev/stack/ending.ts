/**
 * Ends a command that keeps processes running, on a signal or when its npm has ended. It stops the processes once, in
 * order and within a limit, then exits. The watchdog handles a killed command. Callers: start.ts, tests.
 */
import { watchStarter } from '../setup/starter.mjs';

export interface EndingOptions {
  /** Stops every process in order. */
  readonly stop: () => Promise<void>;
  /** Ends every process at once. */
  readonly kill: () => Promise<void>;
  readonly report: (line: string) => void;
}

export interface Ending {
  /** Aborted as soon as the command has to stop. */
  readonly signal: AbortSignal;
  /** Stops everything and exits with this code. A later call waits for the first. */
  readonly finish: (exitCode: number) => Promise<void>;
}

/** On Ctrl-C in a terminal, npm passes the signal on, so it arrives twice. */
const SAME_SIGNAL_MS = 1_000;
/** Together with {@link KILL_MS} below ten seconds, after which a caller may consider the processes hung. */
const STOP_MS = 8_000;
const KILL_MS = 1_000;

export function endOnSignals({ stop, kill, report }: EndingOptions): Ending {
  const stopping = new AbortController();
  let finishing: Promise<void> | undefined;
  let signalledAt: number | undefined;

  const finish = (exitCode: number): Promise<void> => {
    finishing ??= stopInTime({ stop, kill, report }).then(
      () => {
        if (exitCode === 0) report('Stopped');
        process.exit(exitCode);
      },
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
    return finishing;
  };
  const onSignal = (): void => {
    const now = performance.now();
    if (signalledAt === undefined) {
      signalledAt = now;
      report('Stopping …');
      stopping.abort(new Error('stopped by the user'));
      void finish(0);
    } else if (now - signalledAt > SAME_SIGNAL_MS) {
      report('Stopping at once');
      void kill();
    }
  };

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  watchStarter(() => {
    if (signalledAt === undefined) onSignal();
  });
  // The terminal may close before the processes end.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return { signal: stopping.signal, finish };
}

async function stopInTime({ stop, kill, report }: EndingOptions): Promise<void> {
  const limit = setTimeout(() => {
    report('Not everything has stopped in time; ending it at once');
    void kill();
    setTimeout(() => process.exit(1), KILL_MS);
  }, STOP_MS);
  await stop();
  clearTimeout(limit);
}
