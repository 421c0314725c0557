/**
 * Answers refusals late when a process has many of them, so that a caller which ignores `Retry-After` and comes again at
 * once keeps its connections waiting, and not the event loop. The first refusals of each second are answered at once.
 * Only refusals for a limit: 429, and 503 where the process is full. Caller: the app.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceError } from '../../workflows/shared/service-error.ts';

export interface LateRefusalLimits {
  /** Refusals of all callers that are answered at once, in a second. */
  readonly promptPerSecond: number;
  /** At least, and at most twice as much: callers that come together are then spread. */
  readonly lateMs: number;
  /** Held at a time. Further ones are answered at once, since each holds some 10 kB. */
  readonly mostHeld: number;
}

/** A caller at the limit of connections of its address (1,000) then sends 1,000 refused requests a second at most. */
const USUAL: LateRefusalLimits = { promptPerSecond: 50, lateMs: 1_000, mostHeld: 5_000 };

const SECOND_MS = 1_000;

/** A limit refused the request: nothing has failed, and the answer says when to come again. */
export function isLimitRefusal({ code, cause, headers }: ServiceError): boolean {
  if (code === 'RATE_LIMITED') return true;
  return code === 'UNAVAILABLE' && cause === undefined && headers['retry-after'] !== undefined;
}

export class LateRefusals {
  readonly #limits: LateRefusalLimits;
  readonly #now: () => number;
  #prompt = 0;
  #secondBeganAt = Number.NEGATIVE_INFINITY;
  #held = 0;

  constructor(limits: LateRefusalLimits = USUAL, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Returns when the refusal may be answered, or its caller has gone. */
  async wait(signal: AbortSignal): Promise<void> {
    const { promptPerSecond, lateMs, mostHeld } = this.#limits;
    const now = this.#now();
    if (now - this.#secondBeganAt >= SECOND_MS) {
      this.#secondBeganAt = now;
      this.#prompt = 0;
    }
    this.#prompt += 1;
    if (this.#prompt <= promptPerSecond || this.#held >= mostHeld) return;
    this.#held += 1;
    try {
      await delay(lateMs * (1 + Math.random()), undefined, { signal });
    } catch {
      // The caller has gone.
    } finally {
      this.#held -= 1;
    }
  }
}
