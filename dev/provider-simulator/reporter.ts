/**
 * Sends the reports of sessions to their callback addresses, signed, until an answer of 2xx. A report that is being sent
 * when the process dies is sent again. It also lets time pass for sessions: expiry, and captures that were pending.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../platform/log.ts';
import type { FaultStore } from './faults.ts';
import type { Delivery, Session, Step } from './session.ts';
import type { SessionStore } from './session-store.ts';
import { SIGNATURE_HEADER, signatureOf } from './signature.ts';

const POLL_MS = 500;
const AT_ONCE = 50;
const TIMEOUT_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** About a day. */
const MOST_ATTEMPTS = 1_440;

export interface ReporterOptions {
  readonly sessions: SessionStore;
  readonly faults: FaultStore;
  readonly secret: string;
  readonly log: Logger;
}

export class Reporter {
  readonly #options: ReporterOptions;
  readonly #stopping = new AbortController();
  readonly #busy = new Map<string, Promise<void>>();
  #sleep = new AbortController();
  #ended: Promise<void> | undefined;

  constructor(options: ReporterOptions) {
    this.#options = options;
  }

  start(): void {
    this.#ended = this.#run();
  }

  /** Something may be due. */
  readonly wake = (): void => this.#sleep.abort();

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#ended;
    await Promise.all(this.#busy.values());
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#sleep = new AbortController();
      try {
        await this.#startDue();
      } catch (error) {
        this.#options.log.warn({ err: error }, 'due sessions cannot be read');
      }
      await delay(POLL_MS, undefined, { signal: this.#sleep.signal }).catch(() => undefined);
    }
  }

  async #startDue(): Promise<void> {
    for (const id of await this.#options.sessions.listDue(AT_ONCE)) {
      if (this.#busy.has(id)) continue;
      const work = this.#work(id)
        .catch((error: unknown) => this.#options.log.warn({ err: error, sessionId: id }, 'a report was not sent'))
        .finally(() => this.#busy.delete(id));
      this.#busy.set(id, work);
    }
  }

  /** One delivery at a time of a session, in the order in which they are due. */
  async #work(id: string): Promise<void> {
    const session = await this.#options.sessions.change(id);
    const due = session?.deliveries
      .map((delivery, index) => ({ delivery, index }))
      .filter(({ delivery }) => !delivery.endedAt && delivery.dueAt <= new Date())
      .sort((a, b) => a.delivery.dueAt.getTime() - b.delivery.dueAt.getTime());
    for (const { delivery, index } of due ?? []) {
      if (!session || this.#stopping.signal.aborted) return;
      const done = await this.#deliver(session, delivery);
      await this.#options.sessions.change(id, noteAttempt(index, done));
    }
  }

  async #deliver(session: Session, delivery: Delivery): Promise<boolean> {
    const fault = await this.#options.faults.take('callback');
    if (fault?.mode === 'SLOW') await delay(fault.delayMs, undefined, { signal: this.#stopping.signal });
    if (fault?.mode === 'DROP') return true;
    if (fault?.mode === 'FAIL_BEFORE') return false;
    const copies = fault?.mode === 'DUPLICATE' ? 2 : 1;
    const taken = await Promise.all(Array.from({ length: copies }, () => this.#post(session, delivery)));
    return taken.every(Boolean) && fault?.mode !== 'FAIL_AFTER';
  }

  async #post({ callbackUrl, reference, _id }: Session, { id, type, key, at }: Delivery): Promise<boolean> {
    const body = JSON.stringify({ id, type, sessionId: _id, reference, idempotencyKey: key, at });
    const headers = {
      'content-type': 'application/json',
      [SIGNATURE_HEADER]: signatureOf(this.#options.secret, body, new Date()),
    };
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), this.#stopping.signal]);
    try {
      const answer = await fetch(callbackUrl, { method: 'POST', headers, body, signal, redirect: 'manual' });
      await answer.body?.cancel();
      return answer.ok;
    } catch {
      return false;
    }
  }
}

function noteAttempt(index: number, done: boolean): Step {
  return (session, now) => {
    const deliveries = session.deliveries.map((each, at) => (at === index ? attempted(each, done, now) : each));
    return { ...session, deliveries };
  };
}

function attempted(delivery: Delivery, done: boolean, now: Date): Delivery {
  const attempts = delivery.attempts + 1;
  if (done || attempts >= MOST_ATTEMPTS) return { ...delivery, attempts, endedAt: now };
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** delivery.attempts, LONGEST_PAUSE_MS);
  return { ...delivery, attempts, dueAt: new Date(now.getTime() + pauseMs) };
}
