/**
 * The life of a process. It starts and says so in one log line, and on SIGTERM or SIGINT it stops its parts in order.
 * On SIGHUP it reads again the files that may have been replaced. A start that fails ends the process with one
 * sentence.
 */
import { type Logger, redactText } from '../log.ts';
import { stopTracing } from '../tracing/tracing.ts';
import { stopInOrder } from './stop-in-order.ts';

export interface Started {
  readonly log: Logger;
  readonly url: string;
  /** On SIGHUP, which otherwise ends the process. */
  readonly reload?: (() => void) | undefined;
  /** Run in this order by stopInOrder, also when one fails. */
  readonly stop: readonly (() => Promise<unknown>)[];
}

/** For a signal before there is anything to stop. PID 1 ignores signals without a handler. */
const leave = (): never => process.exit(0);

export async function runProcess(start: () => Promise<Started>): Promise<void> {
  process.on('SIGTERM', leave).on('SIGINT', leave);
  let started: Started;
  try {
    started = await start();
  } catch (error) {
    process.stderr.write(`${redactText(error instanceof Error ? error.message : String(error))}\n`);
    process.exit(1);
  }
  const { log, url, reload, stop } = started;
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    stopInOrder([...stop, stopTracing]).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'could not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal).off('SIGTERM', leave).off('SIGINT', leave);
  if (reload) process.on('SIGHUP', reload);
  // A rejection without a handler leaves an unknown state, so the supervisor must restart the process.
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection');
    process.exit(1);
  });
  log.info({ url }, 'ready');
}
