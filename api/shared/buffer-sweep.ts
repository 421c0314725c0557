/**
 * Keeps the dead buffers of streamed bodies few. V8 sees only the small objects in front of the bytes, so it lets tens of
 * megabytes of read chunks pile up before it collects; ten uploads at once would weigh half as much again. While a body
 * runs through the process, a collection of the young generation (about 1 ms) follows each 8 MB of new buffers.
 *
 * Called around the handlers of streamed requests and around streamed answers. Without it everything works, only heavier.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { readonly type: 'minor' }) => void;

const CHECK_INTERVAL_MS = 20;
const NEW_BUFFERS_BYTES = 8_000_000;

let collect: Collect | undefined;
let timer: NodeJS.Timeout | undefined;
let streams = 0;
let floorBytes = 0;

export async function sweepingBuffers<T>(task: () => Promise<T>): Promise<T> {
  streams += 1;
  timer ??= setInterval(sweep, CHECK_INTERVAL_MS).unref();
  try {
    return await task();
  } finally {
    streams -= 1;
    if (streams === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  }
}

function sweep(): void {
  const { arrayBuffers } = process.memoryUsage();
  floorBytes = Math.min(floorBytes, arrayBuffers);
  if (arrayBuffers - floorBytes < NEW_BUFFERS_BYTES) return;
  collect ??= exposeCollector();
  collect({ type: 'minor' });
  floorBytes = process.memoryUsage().arrayBuffers;
}

/** The collector is not part of the language; a flag puts it into contexts made from then on. */
function exposeCollector(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}
