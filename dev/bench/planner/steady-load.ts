/** Clients that ask at a steady rate, whatever the answers take: what is late counts as late. */
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Question } from './questions.ts';

export interface Answered {
  readonly ms: number;
  readonly status: number;
  readonly body: string;
}

export interface Load {
  readonly answers: readonly Answered[];
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

const HEADERS = { 'content-type': 'application/json', 'ET-Client-Name': 'samferd-bench' };

export function post(url: string, agent: Agent, body: string): Promise<Answered> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const fail = (error: Error): void => resolve({ ms: performance.now() - begun, status: 0, body: error.message });
    const outgoing = request(url, { method: 'POST', agent, headers: HEADERS }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.once('error', fail);
      incoming.once('end', () => {
        const ms = performance.now() - begun;
        resolve({ ms, status: incoming.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') });
      });
    });
    outgoing.once('error', fail);
    outgoing.end(body);
  });
}

export async function steadyLoad(
  url: string,
  questions: readonly Question[],
  rate: number,
  seconds: number,
): Promise<Load> {
  const agent = new Agent({ keepAlive: true });
  const bodies = questions.map(({ query, variables }) => JSON.stringify({ query, variables }));
  const pending: Promise<Answered>[] = [];
  const begun = performance.now();
  for (let count = 0; count < rate * seconds; count++) {
    const due = begun + (count * 1000) / rate - performance.now();
    if (due > 0) await delay(due);
    pending.push(post(url, agent, bodies[count % bodies.length] as string));
  }
  const answers = await Promise.all(pending);
  agent.destroy();
  const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? Number.NaN;
  return { answers, p50: at(0.5), p99: at(0.99), longest: at(1) };
}
