/**
 * Whether a caller may ask now, and what he has left: by the minute and, for callers without a name, by the second too. A request is
 * counted when it is let in; one that is refused costs nothing. Knows nothing of HTTP.
 */
import type { CallerLimits } from './caller-limits.ts';
import { RequestWindow } from './request-window.ts';

/** Of one address, and of one name if the caller has a proper one. */
export interface Caller {
  readonly name: string | undefined;
  readonly network: string;
}

export type RequestKind = 'trip' | 'other';

/** Values of the `Rate-Limit-…` headers. */
export interface Allowance {
  readonly allowed: number;
  readonly used: number;
  readonly range: 'per-minute' | 'per-second';
  readonly endsAtMs: number;
}

export interface Decision extends Allowance {
  readonly accepted: boolean;
}

/** Hears of each count by the minute, to tell other processes. */
export type CountListener = (key: string, requests: number, endsAtMs: number) => void;

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

export class RateLimits {
  readonly #limits: CallerLimits;
  readonly #minutes: RequestWindow;
  readonly #seconds: RequestWindow;
  readonly #now: () => number;
  /** Set by the part that shares the counts. */
  onCount: CountListener | undefined;

  constructor(limits: CallerLimits, now: () => number = Date.now) {
    this.#limits = limits;
    this.#now = now;
    this.#minutes = new RequestWindow(MINUTE_MS, limits.RATE_LIMIT_MAX_CALLERS);
    this.#seconds = new RequestWindow(SECOND_MS, limits.RATE_LIMIT_MAX_CALLERS);
  }

  /** The caller as he counts: names at will from one address would otherwise be requests at will. */
  admit(caller: Caller): Caller {
    const key = keyOf(caller, 'other');
    const now = this.#now();
    if (caller.name === undefined || this.#minutes.knows(key, now)) return caller;
    const names = `names ${caller.network}`;
    if (this.#minutes.used(names, now) >= this.#limits.RATE_LIMIT_NAMES_PER_ADDRESS) {
      return { ...caller, name: undefined };
    }
    this.#minutes.add(names, 1, now);
    this.#minutes.add(key, 0, now);
    return caller;
  }

  /** The caller's allowance, without counting a request. */
  look(caller: Caller, kind: RequestKind): Allowance {
    const now = this.#now();
    return {
      allowed: this.#perMinute(caller, kind),
      used: this.#minutes.used(keyOf(caller, kind), now),
      range: 'per-minute',
      endsAtMs: this.#minutes.endsAt(now),
    };
  }

  /** Whether there is room for one more request of any kind: asked before a body is read. */
  hasRoom(caller: Caller): boolean {
    return (['trip', 'other'] as const).some((kind) => {
      const { used, allowed } = this.look(caller, kind);
      return used < allowed;
    });
  }

  /** Counts `requests` if all of them fit. */
  take(caller: Caller, kind: RequestKind, requests: number): Decision {
    const now = this.#now();
    const key = keyOf(caller, kind);
    const minute = this.look(caller, kind);
    if (minute.used + requests > minute.allowed) return { ...minute, accepted: false };
    const perSecond = this.#perSecond(caller, kind);
    if (perSecond !== undefined) {
      const used = this.#seconds.used(key, now);
      const second = { allowed: perSecond, used, endsAtMs: this.#seconds.endsAt(now) };
      if (used + requests > perSecond) return { ...second, range: 'per-second', accepted: false };
      this.#seconds.add(key, requests, now);
    }
    this.#count(key, requests, now);
    return { ...minute, used: minute.used + requests, accepted: true };
  }

  /** Counts work done before the check: an unreadable body, an answer of no route. It is never refused, so the count may exceed the limit. */
  note(caller: Caller): void {
    const other = this.look(caller, 'other');
    this.#count(keyOf(caller, other.used < other.allowed ? 'other' : 'trip'), 1, this.#now());
  }

  /** Adds the counts of another process. */
  addFromOthers(key: string, requests: number, endsAtMs: number): void {
    const now = this.#now();
    if (this.#minutes.endsAt(now) === endsAtMs) this.#minutes.add(key, requests, now);
  }

  #count(key: string, requests: number, now: number): void {
    this.#minutes.add(key, requests, now);
    this.onCount?.(this.#minutes.keyOf(key), requests, this.#minutes.endsAt(now));
  }

  #perMinute({ name }: Caller, kind: RequestKind): number {
    if (name !== undefined) return this.#limits.RATE_LIMIT_IDENTIFIED;
    return kind === 'trip' ? this.#limits.RATE_LIMIT_TRIPS_PER_MINUTE : this.#limits.RATE_LIMIT_OTHERS_PER_MINUTE;
  }

  #perSecond({ name }: Caller, kind: RequestKind): number | undefined {
    if (name !== undefined) return undefined;
    return kind === 'trip' ? this.#limits.RATE_LIMIT_TRIPS_PER_SECOND : this.#limits.RATE_LIMIT_OTHERS_PER_SECOND;
  }
}

/** A named caller has one count for everything. */
function keyOf({ name, network }: Caller, kind: RequestKind): string {
  return name === undefined ? `${kind} ${network}` : `name ${network} ${name}`;
}
