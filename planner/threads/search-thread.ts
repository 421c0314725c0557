/**
 * Entry module of a search thread. It opens its first snapshot, warms up, then answers one trip request after the
 * other. Between two requests it may change to another snapshot. Only SearchThread starts it. It imports the planner
 * alone, so that the thread stays small.
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
/** Undefined after a change until the next request, so that the old engine is freed before the new one is made. */
let engine: SearchEngine | undefined;
let prepared: Opened | undefined;
/**
 * Garbage collection also drops code compiled for the previous snapshot, which the new one needs at first. So it waits.
 */
const COLLECT_AFTER_MS = 10_000;
let collecting: NodeJS.Timeout | undefined;

const messageOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

function answer(number: number, request: TripRequest): void {
  try {
    engine ??= createSearchEngine(inUse.timetable);
    const found = planTrip(inUse.timetable, engine, request, () => Atomics.load(cancelled, 0) === number);
    send({ type: 'answer', number, answer: found });
  } catch (error) {
    const isKnown = error instanceof TripSearchFailure;
    const [code, message] = isKnown ? [error.code, error.message] : (['failed', messageOf(error)] as const);
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

/** Throws if the snapshot cannot be opened here, although another thread could. The thread then ends. */
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
 * Warms up with two snapshots in turn. V8 binds code to the only instance of an object that it has seen. After the
 * first change it would compile that code again, slowly and under load.
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
