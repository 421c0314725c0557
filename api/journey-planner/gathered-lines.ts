/**
 * Writes log lines together, several times a second. Each request logs one line, and a system call for each took a
 * quarter of the time of a board. A process that exits writes its pending lines. A killed process loses those of the
 * last {@link LONGEST_MS}. Caller: `start-planner.ts`.
 */
import type { DestinationStream } from 'pino';

const LONGEST_MS = 100;
const MOST_CHARACTERS = 16_384;

export interface GatheredLines extends DestinationStream {
  /** pino calls it after a fatal line. */
  flushSync(): void;
}

/** @param out writes at once, as `pino.destination` does by default */
export function gatherLines(out: DestinationStream): GatheredLines {
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const flushSync = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const text = lines;
    lines = '';
    if (text !== '') out.write(text);
  };
  process.once('exit', () => {
    // Later exit listeners may still log, but no timer runs any more, so write at once from here on.
    isOver = true;
    flushSync();
  });
  return {
    flushSync,
    write(line) {
      lines += line;
      if (isOver || lines.length >= MOST_CHARACTERS) flushSync();
      // The timer must not keep the process alive. The exit listener writes the rest.
      else timer ??= setTimeout(flushSync, LONGEST_MS).unref();
    },
  };
}
