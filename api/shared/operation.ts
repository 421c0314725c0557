/**
 * What an area gives the HTTP base: its OpenAPI document and one handler per `operationId`. The document is the single
 * source of paths, methods, parameters, bodies, scopes and deprecations; handlers never parse, authorise or format errors.
 */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { SearchRequest } from '../../platform/mongo/search-filter.ts';
import type { CustomerNumber, OrganisationId } from '../../workflows/shared/ids.ts';
import type { ServiceError } from '../../workflows/shared/service-error.ts';

/** Who calls, from a verified access token. */
export interface Caller {
  readonly clientId: string;
  readonly organisationId: OrganisationId;
  readonly scopes: ReadonlySet<string>;
  /** Timetable codespaces granted; `*` is every one. */
  readonly codespaces: ReadonlySet<string>;
  /** Milliseconds since 1970; the tolerance between the clocks is counted in. */
  readonly tokenExpiresAtMs: number;
}

export interface OperationContext {
  readonly path: Readonly<Record<string, string>>;
  /** Query parameters, validated and coerced by the document. */
  readonly query: Readonly<Record<string, unknown>>;
  /** Parsed search of operations with `x-search`; undefined on others. */
  readonly search: SearchRequest | undefined;
  /** Lower-case names, `service-…` whatever the operator's prefix is; only the raw values. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Parsed and validated JSON body; undefined when the operation takes none or streams it. */
  readonly body: unknown;
  /** Absent only on operations without `security`. Handlers that need it call `requireCaller(context)`. */
  readonly caller: Caller | undefined;
  readonly correlationId: string;
  readonly log: Logger;
  /** Always present; without an `Idempotency-Key` it claims nothing and replays nothing. See {@link Idempotency}. */
  readonly idempotency: Idempotency;
  /**
   * Response media type agreed by `Accept` with what the document lists for the operation's 2xx answers; undefined when
   * it lists none.
   */
  readonly accepted: string | undefined;
  /** The raw request, for operations whose body is streamed (`x-streamed-body: true`) or that need `Accept`. */
  readonly request: IncomingMessage;
  /** Aborted when the caller goes away or the process stops hard. */
  readonly signal: AbortSignal;
}

/**
 * `Idempotency-Key` of a write. On operations with a JSON body (or none) the router has already claimed the key, compared
 * the request and replayed or refused; the handler only uses `claim()` for the `workId`. With `x-streamed-body: true` the
 * handler does it, since only reading the body tells whether the request is the same:
 *
 * 1. `const claim = await context.idempotency.claim()` before reading the body; 409 while another holds the key.
 * 2. Read the body once. `claim.bodyKnown` false: store it under ids made of `claim.workId`. True: an earlier attempt has
 *    stored it whole, so only hash this one.
 * 3. `const stored = await claim.identify(sha256Hex)` after the body is stored whole, before any other effect.
 *    A Reply: return it as it is. Undefined: go on (after a crash: join the work of `workId`). Another body: throws 422.
 *
 * The router keeps the claim alive while the handler runs, then stores its reply or, on failure, releases the key.
 */
export interface Idempotency {
  claim(): Promise<IdempotencyClaim>;
}

export interface IdempotencyClaim {
  /** UUID, the same in every attempt once one has identified its body; fresh until then, and when there is no key. */
  readonly workId: string;
  readonly bodyKnown: boolean;
  identify(sha256Hex: string): Promise<Reply | undefined>;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. At most one of `json`, `bytes`, `stream`. */
  readonly json?: unknown;
  /** With `headers['content-type']`. */
  readonly bytes?: Uint8Array | string;
  readonly stream?: Readable;
  /** The person whose data the body holds. Stored under an idempotency key, it is sealed with that person's own key. */
  readonly personal?: { readonly customerNumber: CustomerNumber };
}

/** An area's own shape of errors, for paths whose operations carry `x-errors: <name>`. */
export type PresentError = (error: ServiceError) => Reply;

export type Operation = (context: OperationContext) => Promise<Reply>;

/** Throws NOT_FOUND when what the path names is not there for this caller. */
export type Find = (target: Pick<OperationContext, 'path'> & { readonly caller: Caller }) => Promise<unknown>;

export interface Area {
  /** Names the served document: `/api-docs/{name}`. */
  readonly name: string;
  /** The area's `openapi.yaml`. */
  readonly document: URL;
  readonly operations: Readonly<Record<string, Operation>>;
  /**
   * By `operationId`. Asked when a request is refused for what it holds: that a resource is absent is told first, so that
   * nobody learns anything of one he may not see. Handlers must not rely on it.
   */
  readonly finds?: Readonly<Record<string, Find>>;
  /** By the name that `x-errors` gives. Everything else is answered with problem+json. */
  readonly errors?: Readonly<Record<string, PresentError>>;
}
