/**
 * Entry of a search thread: opens the snapshot it was started with, warms up, then answers one trip request after the other and
 * changes to another snapshot between two of them. Started by SearchThread alone. Imports the planner only, so that it stays small.
 */
import { flushCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { Timetable } from '../model/timetable.ts';
import { openTimetable } from '../open-timetable.ts';
import { createSearchEngine } from '../search/search-engine.ts';
import type { SearchEngine } from '../search/search-types.ts';
import { planTrip } from '../trip/plan-trip.ts';
import { TripSearchFailure } from '../trip/trip-search-failure.ts';
import type { TripRequest } from '../trip/trip-types.ts';
import { collectGarbage } from './collect-garbage.ts';
import type { NumberedSnapshot, ThreadMessage, ThreadOrder, ThreadStart } from './thread-messages.ts';
import { warmUp } from './warm-up.ts';

const port = parentPort;
if (port === null) throw new Error('search-thread.ts is the entry of a thread; start it by SearchThread.');
const send = (message: ThreadMessage): void => port.postMessage(message);

const { snapshot, cancelFlag, warmUpMs } = workerData as ThreadStart;
const cancelled = new Int32Array(cancelFlag);

interface Opened {
  readonly number: number;
  readonly timetable: Timetable;
}

const open = ({ number, bytes }: NumberedSnapshot): Opened => ({ number, timetable: openTimetable(bytes) });

let inUse = open(snapshot);
/** Undefined after a change until the next request: while it is made, that of the snapshot before is gone already. */
let engine: SearchEngine | undefined;
let prepared: Opened | undefined;
/** Not at once: a collection also throws away code that was compiled for the snapshot before, just when the new one needs it. */
const COLLECT_AFTER_MS = 10_000;
let collecting: NodeJS.Timeout | undefined;

const messageOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

function answer(number: number, request: TripRequest): void {
  try {
    engine ??= createSearchEngine(inUse.timetable);
    const found = planTrip(inUse.timetable, engine, request, () => Atomics.load(cancelled, 0) === number);
    send({ type: 'answer', number, answer: found });
  } catch (error) {
    const isTold = error instanceof TripSearchFailure;
    const [code, message] = isTold ? [error.code, error.message] : (['failed', messageOf(error)] as const);
    send({ type: 'failure', number, code, message });
  }
}

function prepare(next: NumberedSnapshot): void {
  try {
    prepared = open(next);
    send({ type: 'prepared' });
  } catch (error) {
    send({ type: 'refused', message: messageOf(error) });
  }
}

/** Throws, and ends the thread so, when it cannot be opened here though it could elsewhere. */
function changeTo(next: NumberedSnapshot): void {
  if (next.number <= inUse.number) return;
  inUse = prepared?.number === next.number ? prepared : open(next);
  [engine, prepared] = [undefined, undefined];
  clearTimeout(collecting);
  collecting = setTimeout(collectGarbage, COLLECT_AFTER_MS);
}

port.on('message', (order: ThreadOrder) => {
  if (order.type === 'trip') answer(order.number, order.request);
  else if (order.type === 'prepare') prepare(order.snapshot);
  else if (order.type === 'switch') changeTo(order.snapshot);
  else prepared = undefined;
});

/**
 * Warmed by two snapshots, one after the other: code compiled while there is only one of a thing is bound to it, and would have
 * to be compiled again, slowly and under load, after the first change.
 */
function warmUpTwice(): void {
  const other = open(snapshot).timetable;
  warmUp(other, createSearchEngine(other), warmUpMs / 2);
  engine = createSearchEngine(inUse.timetable);
  warmUp(inUse.timetable, engine, warmUpMs / 2);
}

warmUpTwice();
send({ type: 'ready' });
flushCompileCache();
