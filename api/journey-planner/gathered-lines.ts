/**
 * Log lines go out together, some times a second: each request writes one, and a system call for each took a quarter as long as a
 * board. Called by `start-planner.ts`. A process that exits writes what it has; one that is killed loses the lines of the last
 * moment, at most {@link LONGEST_MS} of them.
 */
import type { DestinationStream } from 'pino';

const LONGEST_MS = 100;
const MOST_CHARACTERS = 16_384;

export interface GatheredLines extends DestinationStream {
  /** Known to pino, which calls it after a fatal line. */
  flushSync(): void;
}

/** @param out writes at once, as `pino.destination` does unless told otherwise. */
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
    // Later exit listeners may still log, and no timer runs any more.
    isOver = true;
    flushSync();
  });
  return {
    flushSync,
    write(line) {
      lines += line;
      if (isOver || lines.length >= MOST_CHARACTERS) flushSync();
      // Keeps no process alive that has nothing else to do: its end writes them.
      else timer ??= setTimeout(flushSync, LONGEST_MS).unref();
    },
  };
}
