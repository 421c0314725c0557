/**
 * How a command that keeps processes running ends: on a signal, or when the npm that started it is gone. It stops its processes once, in
 * order and within a limit, then exits. Callers: start.ts, tests. A killed command is the watchdog's matter.
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
  /** Aborts as soon as the command has to stop. */
  readonly signal: AbortSignal;
  /** Stops everything and exits with this code. A later call waits for the first. */
  readonly finish: (exitCode: number) => Promise<void>;
}

/** A terminal's Ctrl-C reaches npm and this process, and npm passes it on: the same signal arrives twice. */
const SAME_SIGNAL_MS = 1_000;
/** With {@link KILL_MS} below ten seconds, after which a caller may take the processes for stuck. */
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
  // The terminal may be gone before the processes are.
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
