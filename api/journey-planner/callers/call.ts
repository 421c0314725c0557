/**
 * One request as the limits see it: its caller, what is reserved for it, and whether it was counted. The guard creates it
 * before it reads the request. The code that determines the kind of the request counts it, once. `findCall` finds it by
 * the request object. An app without the guard has none.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setRateLimitHeaders } from './rate-limit-headers.ts';
import type { Allowance, Caller, Decision, RateLimits, RequestKind } from './rate-limits.ts';

/**
 * A property of the request, because V8 keeps a WeakMap's values, and all they refer to, until it collects its old
 * generation.
 */
const CALL = Symbol('call');

/** Number of turns (`GRAPHQL_SLICE_MS` each) for which a long answer counts as one more request. */
const TURNS_OF_A_REQUEST = 5;
/** Reserved for an answer that has become long. The longest that the guards admit take so many, 0.4 s. */
const LONG_ANSWER_REQUESTS = 8;

type Remembering = IncomingMessage & { [CALL]?: Call };

export class Call {
  readonly caller: Caller;
  readonly #limits: RateLimits;
  readonly #response: ServerResponse;
  #kind: RequestKind = 'other';
  #reserved = 0;
  #counted = false;
  /** Requests that the turns of a long answer count as, in addition to the request itself. */
  #longAnswer = 0;
  #ended = false;

  constructor(caller: Caller, limits: RateLimits, request: IncomingMessage, response: ServerResponse) {
    this.caller = caller;
    this.#limits = limits;
    this.#response = response;
    setRateLimitHeaders(response, limits.look(caller, 'other'));
    response.once('close', () => this.#end());
    (request as Remembering)[CALL] = this;
  }

  /** Reserves room for the request until its kind is known. Returns false when none is left; then it costs nothing. */
  begin(): boolean {
    this.#kind = this.#limits.kindWithRoom(this.caller);
    this.#reserved = this.#limits.reserve(this.caller, this.#kind, 1);
    this.#counted = this.#reserved === 0;
    return this.#reserved > 0;
  }

  /**
   * Counts the request, and sets the headers with the remaining number. The caller must refuse the request when the
   * decision is negative.
   */
  count(kind: RequestKind, requests = 1): Decision {
    this.#giveBack();
    this.#kind = kind;
    this.#counted = true;
    const decision = this.#limits.take(this.caller, kind, requests);
    setRateLimitHeaders(this.#response, decision);
    return decision;
  }

  /**
   * Call at each turn of an answer. Reserves the work of a long answer once it is long, and counts it at the end. Returns
   * the limit that is used up when the answer must be given up.
   */
  noteTurn(turns: number): Allowance | undefined {
    if (turns % TURNS_OF_A_REQUEST !== 0) return undefined;
    if (this.#ended) {
      this.#limits.note(this.caller);
      return undefined;
    }
    this.#longAnswer += 1;
    if (this.#longAnswer <= this.#reserved) return undefined;
    const more = this.#limits.reserve(this.caller, this.#kind, this.#reserved === 0 ? LONG_ANSWER_REQUESTS : 1);
    this.#reserved += more;
    return more > 0 ? undefined : this.#limits.look(this.caller, this.#kind);
  }

  #giveBack(): void {
    this.#limits.giveBack(this.caller, this.#kind, this.#reserved);
    this.#reserved = 0;
  }

  /** A request whose kind is still unknown counts as one. */
  #end(): void {
    this.#giveBack();
    this.#ended = true;
    const requests = this.#longAnswer + (this.#counted ? 0 : 1);
    if (requests > 0) this.#limits.note(this.caller, requests);
  }
}

export function findCall(request: IncomingMessage): Call | undefined {
  return (request as Remembering)[CALL];
}
