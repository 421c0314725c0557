/**
 * Counts the links of each address that are not valid. A link that is valid is always served: thousands of customers of
 * one mobile network share an address, and 128 bits are not found by guessing.
 */
import type { IncomingMessage } from 'node:http';
import { RequestWindow } from '../../shared/request-window.ts';
import { callerAddress, networkOf, type TrustedProxies } from '../../shared/trusted-proxies.ts';

const WINDOW_MS = 60_000;
/** Addresses counted at a time; a further one replaces the one with the fewest. */
const MOST_ADDRESSES = 20_000;

export interface WrongLinkLimits {
  /** From one IPv4 address or IPv6 /64. */
  readonly perMinute: number;
  readonly trustedProxies: TrustedProxies;
  /** Tests give their own. */
  readonly now?: () => number;
}

export class WrongLinks {
  readonly #limits: WrongLinkLimits;
  readonly #now: () => number;
  readonly #window = new RequestWindow(WINDOW_MS, MOST_ADDRESSES);

  constructor(limits: WrongLinkLimits) {
    this.#limits = limits;
    this.#now = limits.now ?? Date.now;
  }

  /** Counts one. The seconds to wait where the address has used up its number; undefined otherwise. */
  note(request: IncomingMessage): number | undefined {
    const now = this.#now();
    const address = networkOf(callerAddress(request, this.#limits.trustedProxies));
    this.#window.add(address, 1, now);
    if (this.#window.used(address, now) <= this.#limits.perMinute) return undefined;
    return Math.max(1, Math.ceil((this.#window.endsAt(now) - now) / 1_000));
  }
}
