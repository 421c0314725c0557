/**
 * One request as the limits see it: who asks, and whether it was counted. Made by the guard before anything is read; whoever finds out
 * what is asked counts it, once. Found again by the request object; absent in an app without the guard.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setRateLimitHeaders } from './rate-limit-headers.ts';
import type { Caller, Decision, RateLimits, RequestKind } from './rate-limits.ts';

/** On the request itself: what a WeakMap holds lives, and all it refers to, until V8 collects its old generation. */
const CALL = Symbol('call');

type Remembering = IncomingMessage & { [CALL]?: Call };

export class Call {
  readonly caller: Caller;
  readonly #limits: RateLimits;
  readonly #response: ServerResponse;
  #counted = false;

  constructor(caller: Caller, limits: RateLimits, request: IncomingMessage, response: ServerResponse) {
    this.caller = caller;
    this.#limits = limits;
    this.#response = response;
    setRateLimitHeaders(response, limits.look(caller, 'other'));
    response.once('close', () => this.#countUnasked());
    (request as Remembering)[CALL] = this;
  }

  /** Counts; the answer's headers say what is left. The caller of this refuses when the decision says so. */
  count(kind: RequestKind, requests = 1): Decision {
    this.#counted = true;
    const decision = this.#limits.take(this.caller, kind, requests);
    setRateLimitHeaders(this.#response, decision);
    return decision;
  }

  /** Refused before it was known what it is: costs nothing. */
  leaveUncounted(): void {
    this.#counted = true;
  }

  /** A request that ended before anybody knew what it was. */
  #countUnasked(): void {
    if (!this.#counted) this.#limits.note(this.caller);
  }
}

export function findCall(request: IncomingMessage): Call | undefined {
  return (request as Remembering)[CALL];
}
