/**
 * Seats alone, without HTTP and orders: `npm run bench:seating [-- holds]`, 2,000 unless given. Holds on a train of 10
 * carriages, one after the other, with the counts that offers ask for; then 500 callers of one process at once for 40
 * seats. Fails when a hold takes longer than it may, or the wrong number of seats is sold.
 */

import {
  call,
  carriage,
  JOURNEY,
  openTrain,
  request,
  stretch,
  type Train,
} from '../../test/activities/seating/support.ts';
import { stopServers } from '../../test/support/stack.ts';
import { expectThat, hasFailed } from './expectation.ts';

const holds = Number(process.argv[2] ?? 2_000);
const [CARRIAGES, SEATS, CALLS] = [10, 80, 8];
/** Half full, as a train is for most of its sale. */
const HOLDS_A_JOURNEY = (CARRIAGES * SEATS) / 2;
const WARM_HOLDS = 200;
const [CALLERS, FEW_SEATS] = [500, 40];
/** Of a reservation, which may take 250 ms at the 95th percentile. */
const MOST_P95_MS = 50;

async function timed(act: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await act();
  return performance.now() - begun;
}

function tell(what: string, times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  const shown = [0.5, 0.95, 0.99].map((share) => `p${share * 100} ${at(share).toFixed(1)} ms`).join(', ');
  console.log(
    `${what}: ${shown}, ${(1_000 / (times.reduce((sum, ms) => sum + ms, 0) / times.length)).toFixed(0)} a second`,
  );
  return at(0.95);
}

function ride(number: number) {
  const from = number % (CALLS - 1);
  const to = from + 1 + ((number * 7) % (CALLS - 1 - from));
  const datedServiceJourneyId = `${JOURNEY}/${Math.floor(number / HOLDS_A_JOURNEY)}`;
  return stretch(from, to, { datedServiceJourneyId });
}

async function holdOneByOne({ keeper }: Train): Promise<number> {
  const [singles, parties, counts]: [number[], number[], number[]] = [[], [], []];
  for (let number = 0; number < holds + WARM_HOLDS; number++) {
    const places = number % 5 === 4 ? 4 : 1;
    const wanted = call([request(ride(number), { places })]);
    const ms = await timed(() => keeper.hold(wanted));
    const counted = await timed(() => keeper.count(ride(number), { accommodation: 'SEATING', facilities: [] }));
    if (number < WARM_HOLDS) continue;
    (places === 1 ? singles : parties).push(ms);
    counts.push(counted);
  }
  tell('count of free seats', counts);
  tell('hold of four seats', parties);
  return tell('hold of one seat', singles);
}

async function holdAtOnce({ keeper }: Train): Promise<{ readonly sold: number; readonly ms: number }> {
  const calls = Array.from({ length: CALLERS }, () => call([request(stretch(0, 3))]));
  const begun = performance.now();
  const outcomes = await Promise.allSettled(calls.map((each) => keeper.hold(each)));
  const sold = outcomes.filter(({ status }) => status === 'fulfilled').length;
  return { sold, ms: performance.now() - begun };
}

const train = await openTrain(Array.from({ length: CARRIAGES }, (_, at) => carriage(String(at + 1), SEATS)));
const small = await openTrain([carriage('1', FEW_SEATS)]);
try {
  const p95 = await holdOneByOne(train);
  expectThat(`a hold takes at most ${MOST_P95_MS} ms at the 95th percentile`, p95 <= MOST_P95_MS);
  const { sold, ms } = await holdAtOnce(small);
  console.log(`${CALLERS} callers at once: the last had its answer after ${ms.toFixed(0)} ms`);
  expectThat(`${FEW_SEATS} seats are sold to ${CALLERS} callers`, sold === FEW_SEATS);
} finally {
  await Promise.all([train.connection.close(), small.connection.close()]);
  await stopServers();
}
process.exitCode = hasFailed() ? 1 : 0;
