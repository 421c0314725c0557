/** Answers a call of the merchant, with the fault that a test has ordered for it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Request, Response } from 'express';
import type { FaultStore, FaultyCall } from './faults.ts';

export interface Answer {
  readonly status: number;
  readonly json: unknown;
  /** The answer never comes, as when a network hangs: the caller's own timeout ends the call. */
  readonly withheld?: boolean;
}

export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Longer than any caller waits. */
const WITHHELD_MS = 120_000;

export function answering(faults: FaultStore, call: FaultyCall, run: (request: Request) => Promise<Answer>) {
  return async (request: Request, response: Response): Promise<void> => {
    const fault = await faults.take(call);
    if (fault?.mode === 'SLOW') await delay(fault.delayMs);
    if (fault?.mode === 'FAIL_BEFORE') return fail(response, 503, 'FAULT', 'Failed before the effect, as ordered.');
    const once = () => run(request).catch(toAnswer);
    const runs = fault?.mode === 'DUPLICATE' ? [once(), once()] : [once()];
    const [answer] = (await Promise.all(runs)) as [Answer];
    if (fault?.mode === 'FAIL_AFTER') return fail(response, 500, 'FAULT', 'Failed after the effect, as ordered.');
    if (fault?.mode === 'DROP') request.socket.destroy();
    else if (answer.withheld) await withhold(request, response);
    else response.status(answer.status).json(answer.json);
  };
}

/** A refusal is an answer, which a fault may lose too. */
function toAnswer(error: unknown): Answer {
  if (!(error instanceof Refusal)) throw error;
  return { status: error.status, json: { error: { code: error.code, message: error.message } } };
}

export function fail(response: Response, status: number, code: string, message: string): void {
  response.status(status).json({ error: { code, message } });
}

async function withhold(request: Request, response: Response): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  await delay(WITHHELD_MS, undefined, { signal: gone.signal, ref: false }).catch(() => undefined);
  request.socket.destroy();
}
