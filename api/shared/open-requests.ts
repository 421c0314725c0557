/**
 * Bounds the requests that one caller has open in this process: begun, and their answers not ended. The limit of
 * connections spares trusted proxies, so without this one caller behind a proxy could take all places with slow
 * requests. Callers: the checks before routing.
 */
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { HeldCounts } from './held-counts.ts';
import { isProbe } from './probe-paths.ts';
import type { RequestContext } from './request-context.ts';
import { callerAddress, networkOf, type TrustedProxies } from './trusted-proxies.ts';

export interface OpenRequestLimits {
  /** Of one IPv4 address or IPv6 /64. */
  readonly perAddress: number;
  readonly trustedProxies: TrustedProxies;
}

/** Most requests end sooner. */
const RETRY_AFTER_SECONDS = 1;

export class OpenRequests {
  readonly #limits: OpenRequestLimits;
  readonly #open: HeldCounts;

  constructor(limits: OpenRequestLimits) {
    this.#limits = limits;
    this.#open = new HeldCounts(limits.perAddress);
  }

  /** Counts the request until its answer has ended or is cut. Throws RATE_LIMITED when the caller has too many open. */
  begin(context: RequestContext): void {
    const { path, request, response } = context;
    // A caller at its limit must not make the process look unwell.
    if (isProbe(path)) return;
    const network = networkOf(callerAddress(request, this.#limits.trustedProxies));
    if (!this.#open.take(network)) {
      context.operationId = 'tooManyOpenRequests';
      throw this.#refusal();
    }
    response.once('close', () => this.#open.release(network));
  }

  #refusal(): ServiceError {
    const detail = `${this.#limits.perAddress} requests from this address are open already. Wait until some have ended.`;
    return new ServiceError('RATE_LIMITED', detail, { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
  }
}
