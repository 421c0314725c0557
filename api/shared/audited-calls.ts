/**
 * Limits the calls of one client that the audit log records. All processes write one chain, so a client that adds
 * entries without pause would delay everybody's recorded acts. Each process counts by itself.
 */
import { z } from 'zod';
import { ServiceError } from '../../workflows/shared/service-error.ts';

export const auditedCallsShape = {
  /** Recorded calls of one client in a minute, all at once or one by one. Acts that stop harm are not counted. */
  AUDITED_CALLS_PER_MINUTE: z.coerce.number().int().positive().default(60),
};

interface Remaining {
  readonly calls: number;
  readonly atMs: number;
}

const MINUTE_MS = 60_000;
/** More than an installation has clients that write. The least recent ones are forgotten above it. */
const MOST_CLIENTS = 10_000;

export class AuditedCalls {
  readonly #perMinute: number;
  readonly #now: () => number;
  /** The least recent client first. */
  readonly #remaining = new Map<string, Remaining>();

  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /** Counts a call. Throws RATE_LIMITED, with the seconds to wait, when the client has none left. */
  take(clientId: string): void {
    const now = this.#now();
    const calls = this.#callsLeft(clientId, now);
    if (calls < 1) {
      const seconds = Math.ceil(((1 - calls) * MINUTE_MS) / this.#perMinute / 1_000);
      throw new ServiceError('RATE_LIMITED', 'This client makes too many changes that are recorded. Try again later.', {
        headers: { 'retry-after': String(seconds) },
      });
    }
    this.#remaining.delete(clientId);
    this.#remaining.set(clientId, { calls: calls - 1, atMs: now });
    const [leastRecent] = this.#remaining.keys();
    if (this.#remaining.size > MOST_CLIENTS && leastRecent !== undefined) this.#remaining.delete(leastRecent);
  }

  /** Grows evenly with time, up to the calls of a minute. */
  #callsLeft(clientId: string, now: number): number {
    const known = this.#remaining.get(clientId);
    if (!known) return this.#perMinute;
    return Math.min(this.#perMinute, known.calls + ((now - known.atMs) / MINUTE_MS) * this.#perMinute);
  }
}
