/** Clients that ask at a steady rate, whatever the answers take: what is late counts as late. */
import { type Agent, type OutgoingHttpHeaders, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export interface Answered {
  readonly ms: number;
  /** 0 when there was no answer; `body` then says why. */
  readonly status: number;
  readonly body: string;
}

export interface Load {
  readonly answers: readonly Answered[];
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly longest: number;
}

export interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string;
}

export function call({ method, url, headers, body }: Call, agent: Agent): Promise<Answered> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const fail = (error: Error): void => resolve({ ms: performance.now() - begun, status: 0, body: error.message });
    const outgoing = request(url, { method, agent, headers }, (incoming) => {
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

/** `send` is asked for the first, second, … answer when it is due, also while earlier ones are outstanding. */
export async function steadyLoad(
  rate: number,
  seconds: number,
  send: (count: number) => Promise<Answered>,
): Promise<Load> {
  const pending: Promise<Answered>[] = [];
  const begun = performance.now();
  for (let count = 0; count < rate * seconds; count++) {
    const due = begun + (count * 1000) / rate - performance.now();
    if (due > 0) await delay(due);
    pending.push(send(count));
  }
  return summarise(await Promise.all(pending));
}

export function summarise(answers: readonly Answered[]): Load {
  const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? Number.NaN;
  return { answers, p50: at(0.5), p95: at(0.95), p99: at(0.99), longest: at(1) };
}

export function tellLoad(name: string, { answers, p50, p95, p99, longest }: Load): void {
  const figures = [p50, p95, p99, longest].map((ms) => ms.toFixed(1));
  console.log(
    `${name}: ${answers.length} requests, p50 ${figures[0]}, p95 ${figures[1]}, p99 ${figures[2]}, longest ${figures[3]} ms`,
  );
}
