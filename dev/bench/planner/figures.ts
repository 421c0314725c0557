/**
 * Measures latencies and throughput of one planner: sequential rounds for the percentiles, two clients at once for the
 * throughput.
 */
import { GraphqlClient, type Timed } from './graphql-client.ts';
import type { Question } from './questions.ts';

export interface Figures {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** Answers per second with two clients. */
  readonly throughput: number;
}

const CLIENTS = 2;
const THROUGHPUT_MS = 10_000;

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Sends every query once, one after the other. */
export async function askAll(url: string, questions: readonly Question[]): Promise<Timed[]> {
  const client = new GraphqlClient(url);
  const answers: Timed[] = [];
  try {
    for (const question of questions) answers.push(await client.ask(question));
    return answers;
  } finally {
    client.close();
  }
}

async function throughputOf(url: string, questions: readonly Question[]): Promise<number> {
  const begun = performance.now();
  let [next, answered] = [0, 0];
  const one = async (): Promise<void> => {
    const client = new GraphqlClient(url);
    while (performance.now() - begun < THROUGHPUT_MS) {
      await client.ask(questions[next++ % questions.length] as Question);
      answered += 1;
    }
    client.close();
  };
  await Promise.all(Array.from({ length: CLIENTS }, one));
  return (answered * 1000) / (performance.now() - begun);
}

/** Runs `warmUps` rounds first, whose times are not counted. */
export async function measure(url: string, questions: readonly Question[], warmUps: number): Promise<Figures> {
  for (let round = 0; round < warmUps; round += 1) await askAll(url, questions);
  const times = (await askAll(url, questions)).map(({ ms }) => ms).toSorted((a, b) => a - b);
  return {
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    p99: percentile(times, 0.99),
    throughput: await throughputOf(url, questions),
  };
}
