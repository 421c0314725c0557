/**
 * Requests while snapshots are swapped: does any fail, does any wait? Against a running planner process, asked at a steady
 * rate while its pointer is moved to the next of several snapshots over and over (the same content under new numbers, unless
 * uploads make others meanwhile).
 *
 *   node dev/bench/planner-swap.ts --url http://127.0.0.1:8084 --mongodb URI --rate 100 --seconds 30 --swaps 5
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connectMongo } from '../../activities/shared/mongo.ts';
import { findPlannerPointer, plannerPointerModel } from '../../activities/shared/planner-snapshot.ts';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8084' },
    mongodb: { type: 'string', default: 'mongodb://127.0.0.1:27017/samferd?directConnection=true' },
    rate: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '30' },
    swaps: { type: 'string', default: '5' },
  },
});
const [rate, seconds, swaps] = [Number(values.rate), Number(values.seconds), Number(values.swaps)];
const QUERY = '{ lines { id publicCode } }';
/** The callers' limit is not what is measured: an error of it would show as a failure. */
const HEADERS = { 'content-type': 'application/json', 'service-client-name': 'samferd-benchmark' };

interface Asked {
  readonly at: number;
  readonly ms: number;
  readonly failure: string | undefined;
}

async function ask(): Promise<Asked> {
  const at = performance.now();
  const failure = await fetch(`${values.url}/journey-planner/v3/graphql`, {
    ...{ method: 'POST', headers: HEADERS, body: JSON.stringify({ query: QUERY }) },
  })
    .then(async (answer) => {
      const { errors } = (await answer.json()) as { errors?: readonly { message: string }[] };
      return errors?.[0]?.message ?? (answer.ok ? undefined : `status ${answer.status}`);
    })
    .catch((error: unknown) => String(error));
  return { at, ms: performance.now() - at, failure };
}

async function load(): Promise<readonly Asked[]> {
  const asked: Promise<Asked>[] = [];
  const begunAt = performance.now();
  for (let count = 0; count < rate * seconds; count++) {
    const dueMs = begunAt + (count * 1_000) / rate - performance.now();
    if (dueMs > 0) await delay(dueMs);
    asked.push(ask());
  }
  return await Promise.all(asked);
}

async function countSwaps(): Promise<number> {
  const text = await (await fetch(`${values.url}/metrics`)).text();
  return Number(/planner_snapshot_load_seconds_count (\d+)/.exec(text)?.[1] ?? 0);
}

const connection = await connectMongo(values.mongodb);
try {
  if (!(await findPlannerPointer(connection))) throw new Error('There is no snapshot: import a dataset first');
  await ask();
  const before = await countSwaps();
  const loading = load();
  for (let swap = 0; swap < swaps; swap++) {
    await delay((seconds * 1_000) / (swaps + 1));
    // The pointer only ever goes up; the planner build goes on above it.
    await plannerPointerModel(connection).updateOne({ _id: 'current' }, { $inc: { build: 1 } });
    await connection
      .collection<{ _id: string; last: number }>('planner_numbers')
      .updateOne({ _id: 'builds' }, { $inc: { last: 1 } });
  }
  const asked = await loading;
  const times = asked.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0).toFixed(1);
  const failures = asked.filter(({ failure }) => failure !== undefined);
  console.log(`${asked.length} requests at ${rate} a second, ${(await countSwaps()) - before} swaps`);
  console.log(`failed: ${failures.length}${failures[0] ? ` (first: ${failures[0].failure})` : ''}`);
  console.log(`ms: p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, longest ${at(1)}`);
  if (failures.length > 0) process.exitCode = 1;
} finally {
  await connection.close();
}
