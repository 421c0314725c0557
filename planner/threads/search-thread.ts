/**
 * Entry of a search thread: opens the snapshot it was started with, warms up, then answers one trip request after the other.
 * Started by SearchThread alone. Lives and dies with its snapshot. Imports the planner only, so that it stays small.
 */
import { flushCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { openTimetable } from '../open-timetable.ts';
import { createSearchEngine } from '../search/search-engine.ts';
import { planTrip } from '../trip/plan-trip.ts';
import { TripSearchFailure } from '../trip/trip-search-failure.ts';
import type { ThreadMessage, ThreadStart, TripMessage } from './thread-messages.ts';
import { warmUp } from './warm-up.ts';

const port = parentPort;
if (port === null) throw new Error('search-thread.ts is the entry of a thread; start it by SearchThread.');
const send = (message: ThreadMessage): void => port.postMessage(message);

const { bytes, cancelFlag, warmUpMs } = workerData as ThreadStart;
const cancelled = new Int32Array(cancelFlag);
const timetable = openTimetable(bytes);
const engine = createSearchEngine(timetable);

port.on('message', ({ number, request }: TripMessage) => {
  try {
    const answer = planTrip(timetable, engine, request, () => Atomics.load(cancelled, 0) === number);
    send({ type: 'answer', number, answer });
  } catch (error) {
    if (error instanceof TripSearchFailure) {
      return send({ type: 'failure', number, code: error.code, message: error.message });
    }
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    send({ type: 'failure', number, code: 'failed', message });
  }
});

warmUp(timetable, engine, warmUpMs);
send({ type: 'ready' });
flushCompileCache();
