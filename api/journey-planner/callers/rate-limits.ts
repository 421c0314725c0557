/**
 * Decides whether a caller may send a request, and how much remains. It counts by the minute for the caller, its
 * address and its network. For a caller without a name it counts by the second too. Only admitted requests count. The
 * possible further cost of running requests is reserved, so requests at once get no more than one after the other. This
 * module knows nothing of HTTP.
 */

import { RequestWindow } from '../../shared/request-window.ts';
import { type CallerLimits, totalsOf } from './caller-limits.ts';
import type { CallerNetworks } from './caller-networks.ts';

/** One name from one address, or everyone without a valid name from that address. */
export interface Caller extends CallerNetworks {
  readonly name: string | undefined;
}

export type RequestKind = 'trip' | 'other';

/** Values of the `Rate-Limit-…` headers. */
export interface Allowance {
  readonly allowed: number;
  readonly used: number;
  readonly range: 'per-minute' | 'per-second';
  readonly endsAtMs: number;
  /** The callers that share the limit. */
  readonly of: 'caller' | 'address' | 'network';
}

export interface Decision extends Allowance {
  readonly accepted: boolean;
}

/** Receives each count by the minute with the limit it counts towards, to share it with other processes. */
export type CountListener = (key: string, requests: number, allowed: number, endsAtMs: number) => void;

interface Limit {
  readonly of: Allowance['of'];
  readonly window: RequestWindow;
  readonly key: string;
  readonly allowed: number;
}

/** Each kind has its own table, because an address may send any number of names, which must not evict other counts. */
type Table = 'name' | 'unidentified' | 'address' | 'network';

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

export class RateLimits {
  readonly #limits: CallerLimits;
  readonly #totals: ReturnType<typeof totalsOf>;
  readonly #minutes: Readonly<Record<Table, RequestWindow>>;
  readonly #seconds: RequestWindow;
  readonly #now: () => number;
  /** Set by the part that shares the counts. */
  onCount: CountListener | undefined;

  constructor(limits: CallerLimits, now: () => number = Date.now) {
    this.#limits = limits;
    this.#totals = totalsOf(limits);
    this.#now = now;
    const minute = () => new RequestWindow(MINUTE_MS, limits.RATE_LIMIT_MAX_CALLERS);
    this.#minutes = { name: minute(), unidentified: minute(), address: minute(), network: minute() };
    this.#seconds = new RequestWindow(SECOND_MS, limits.RATE_LIMIT_MAX_CALLERS);
  }

  /** Returns what remains of the limit by the minute that the caller reaches first, without counting a request. */
  look(caller: Caller, kind: RequestKind): Allowance {
    return this.#tightest(this.#perMinute(caller, kind), this.#now());
  }

  /** A request of unknown kind counts as this one: a kind with room, if there is one. */
  kindWithRoom(caller: Caller): RequestKind {
    return leftOf(this.look(caller, 'other')) > 0 ? 'other' : 'trip';
  }

  /** Reserves as much of `requests` as is left, and returns that number. `giveBack` must follow. */
  reserve(caller: Caller, kind: RequestKind, requests: number): number {
    const reserved = Math.min(requests, Math.max(0, leftOf(this.look(caller, kind))));
    for (const { window, key } of this.#perMinute(caller, kind)) window.reserve(key, reserved);
    return reserved;
  }

  giveBack(caller: Caller, kind: RequestKind, reserved: number): void {
    for (const { window, key } of this.#perMinute(caller, kind)) window.reserve(key, -reserved);
  }

  /** Counts `requests` if all of them fit. */
  take(caller: Caller, kind: RequestKind, requests: number): Decision {
    const now = this.#now();
    const minutes = this.#perMinute(caller, kind);
    const second = this.#perSecond(caller, kind);
    for (const limit of second ? [...minutes, second] : minutes) {
      if (limit.window.used(limit.key, now) + requests > limit.allowed) {
        return { ...allowanceOf(limit, now), accepted: false };
      }
    }
    second?.window.add(second.key, requests, now);
    this.#count(minutes, requests, now);
    return { ...this.#tightest(minutes, now), accepted: true };
  }

  /**
   * Counts work done before the check, such as an unreadable body or an unknown route. It never refuses, so the count
   * may exceed the limit.
   */
  note(caller: Caller, requests = 1): void {
    this.#count(this.#perMinute(caller, this.kindWithRoom(caller)), requests, this.#now());
  }

  /** Adds the counts of another process. */
  addFromOthers(key: string, requests: number, endsAtMs: number): void {
    const now = this.#now();
    const window = this.#minutes[tableOf(key)];
    if (window.endsAt(now) === endsAtMs) window.add(key, requests, now);
  }

  #count(limits: readonly Limit[], requests: number, now: number): void {
    for (const { window, key, allowed } of limits) {
      window.add(key, requests, now);
      this.onCount?.(key, requests, allowed, window.endsAt(now));
    }
  }

  #tightest(limits: readonly Limit[], now: number): Allowance {
    const [first, ...others] = limits.map((limit) => allowanceOf(limit, now)) as [Allowance, ...Allowance[]];
    return others.reduce((least, each) => (leftOf(each) < leftOf(least) ? each : least), first);
  }

  #perMinute({ name, address, network }: Caller, kind: RequestKind): readonly Limit[] {
    const { RATE_LIMIT_IDENTIFIED, RATE_LIMIT_TRIPS_PER_MINUTE, RATE_LIMIT_OTHERS_PER_MINUTE } = this.#limits;
    const unidentified = kind === 'trip' ? RATE_LIMIT_TRIPS_PER_MINUTE : RATE_LIMIT_OTHERS_PER_MINUTE;
    const windows = this.#minutes;
    return [
      name === undefined
        ? { of: 'caller', window: windows.unidentified, key: `${kind} ${address}`, allowed: unidentified }
        : { of: 'caller', window: windows.name, key: `name ${address} ${name}`, allowed: RATE_LIMIT_IDENTIFIED },
      { of: 'address', window: windows.address, key: `address ${address}`, allowed: this.#totals.address },
      { of: 'network', window: windows.network, key: `network ${network}`, allowed: this.#totals.network },
    ];
  }

  #perSecond({ name, address }: Caller, kind: RequestKind): Limit | undefined {
    if (name !== undefined) return undefined;
    const { RATE_LIMIT_TRIPS_PER_SECOND, RATE_LIMIT_OTHERS_PER_SECOND } = this.#limits;
    const allowed = kind === 'trip' ? RATE_LIMIT_TRIPS_PER_SECOND : RATE_LIMIT_OTHERS_PER_SECOND;
    return { of: 'caller', window: this.#seconds, key: `${kind} ${address}`, allowed };
  }
}

function tableOf(key: string): Table {
  const [kind] = key.split(' ', 1);
  return kind === 'name' || kind === 'address' || kind === 'network' ? kind : 'unidentified';
}

function allowanceOf({ of, window, key, allowed }: Limit, now: number): Allowance {
  const range = window.lengthMs === MINUTE_MS ? 'per-minute' : 'per-second';
  return { of, allowed, used: window.used(key, now), range, endsAtMs: window.endsAt(now) };
}

function leftOf({ allowed, used }: Allowance): number {
  return allowed - used;
}
