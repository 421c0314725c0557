/**
 * The contract between an area and the HTTP base: its OpenAPI document and one handler per `operationId`. The document
 * is the single source of paths, methods, parameters, bodies, scopes and deprecations; handlers never parse, authorise
 * or format errors.
 */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { DistributionChannel } from '../../activities/shared/catalogue.ts';
import type { SearchRequest } from '../../platform/mongo/search-filter.ts';
import type { SubjectId } from '../../platform/personal/subject-id.ts';
import type { OrganisationId, SettlementId } from '../../workflows/shared/ids.ts';
import type { ServiceError } from '../../workflows/shared/service-error.ts';

/** The caller, from a verified access token. */
export interface Caller {
  readonly clientId: string;
  readonly organisationId: OrganisationId;
  readonly scopes: ReadonlySet<string>;
  /** Timetable codespaces granted; `*` is every one. */
  readonly codespaces: ReadonlySet<string>;
  /** Milliseconds since 1970; includes the allowed clock difference. */
  readonly tokenExpiresAtMs: number;
}

/**
 * Types of an operation's request and answers, as `build:contract` writes them from the document. The default is any
 * operation.
 */
export interface OperationTypes {
  readonly path: Readonly<Record<string, string>>;
  readonly query: object;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
  /** By status; undefined where the answer has no JSON. */
  readonly replies: Readonly<Record<number, unknown>>;
  readonly isSecured: boolean;
  /** Whether the header `Service-Distribution-Channel` is taken. */
  readonly channel: 'required' | 'optional' | 'none';
  readonly isSearch: boolean;
  /** Whether the path has a parameter, so that the resource may be absent or forbidden. */
  readonly namesResource: boolean;
}

type When<Condition extends boolean, T> = Condition extends true ? T : undefined;

type ChannelOf<Use extends OperationTypes['channel']> = {
  readonly required: DistributionChannel;
  readonly optional: DistributionChannel | undefined;
  readonly none: undefined;
}[Use];

export interface OperationContext<O extends OperationTypes = OperationTypes> {
  readonly path: O['path'];
  /** Query parameters, validated and coerced by the document. With `x-search: true` empty: terms are in `search`. */
  readonly query: O['query'];
  /** Parsed search of operations with `x-search`. */
  readonly search: When<O['isSearch'], SearchRequest>;
  /** Lower-case names, `service-…` whatever the operator's prefix is; only the raw values. */
  readonly headers: Readonly<Record<string, string | undefined>> & O['headers'];
  /** That of the request's header, granted to the caller's organisation. Where it is optional, see `channelOrDefault`. */
  readonly channel: ChannelOf<O['channel']>;
  /** Of the request's header, on operations with `x-settlement`: open, of the caller's organisation and channel. */
  readonly settlementId: SettlementId | undefined;
  /** Parsed and validated JSON body; undefined when the operation takes none or streams it. */
  readonly body: O['body'];
  /** Absent only on operations without `security`. */
  readonly caller: When<O['isSecured'], Caller>;
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
  /** Aborted when the caller closes the connection, or when the grace period of a stopping process ends. */
  readonly signal: AbortSignal;
}

/**
 * `Idempotency-Key` of a write. On operations with a JSON body (or none) the endpoint has already claimed the key,
 * compared the request, and replayed or refused. The handler calls `claim()` only for the `workId`. With
 * `x-streamed-body: true` the handler does this work, because requests can only be compared after the body was read:
 *
 * 1. `const claim = await context.idempotency.claim()` before reading the body; 409 while another holds the key.
 * 2. Read the body once. `claim.bodyKnown` false: store it under ids made of `claim.workId`. True: an earlier attempt has
 *    stored it whole, so only hash this one.
 * 3. `const stored = await claim.identify(sha256Hex)` after the body is stored whole, before any other effect.
 *    A reply: return it as it is. Undefined: go on (after a crash: join the work of `workId`). Another body: throws 422.
 *
 * The endpoint renews the claim while the handler runs, then stores its reply or, on failure, releases the key.
 */
export interface Idempotency {
  claim(): Promise<IdempotencyClaim>;
}

export interface IdempotencyClaim {
  /** UUID. The same in every attempt after the first `identify`; new in each attempt before that and without a key. */
  readonly workId: string;
  readonly bodyKnown: boolean;
  identify(sha256Hex: string): Promise<KeptReply | undefined>;
}

interface ReplyHead<Status extends number = number> {
  readonly status: Status;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The answer holds a secret that is stored nowhere. A repeat under the same idempotency key runs the handler again, which
   * finds its work done by the work id.
   */
  readonly unstored?: true;
  /** The person whose data the body holds. Stored under an idempotency key, it is sealed with that person's own key. */
  readonly subject?: SubjectId;
}

/** Any reply, as the HTTP base sends it. */
export interface Reply extends ReplyHead {
  /** Sent as JSON. At most one of `json`, `bytes`, `stream`. */
  readonly json?: unknown;
  /** With `headers['content-type']`. */
  readonly bytes?: Uint8Array | string;
  readonly stream?: Readable;
}

/** The answer of an earlier request with the same key. */
export interface KeptReply extends ReplyHead {
  readonly bytes: Uint8Array | string;
}

interface StreamReply extends ReplyHead {
  readonly stream: Readable;
}

type JsonReply<Status extends number, Json> = ReplyHead<Status> &
  (undefined extends Json ? { readonly json?: Sent<Json> } : { readonly json: Sent<Json> });

/**
 * A value that may be sent for a type of the document: an optional member may be undefined, because JSON leaves it out.
 */
export type Sent<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Sent<Item>[]
      : { readonly [Name in keyof T]: Sent<T[Name]> | (object extends Pick<T, Name> ? undefined : never) };

type JsonReplies<Replies> = {
  [Status in keyof Replies & number]: JsonReply<Status, Replies[Status]>;
}[keyof Replies & number];

export type ReplyOf<O extends OperationTypes> = JsonReplies<O['replies']> | KeptReply | StreamReply;

/** An area's own error format, for paths whose operations have `x-errors: <name>`. */
export type PresentError = (error: ServiceError) => Reply;

export type Operation<O extends OperationTypes = OperationTypes> = (
  context: OperationContext<O>,
) => Promise<ReplyOf<O>>;

/** Throws NOT_FOUND, or a code of 403, when what the path names is not there for this caller. */
export type Find<O extends Pick<OperationTypes, 'path'> = OperationTypes> = (target: {
  readonly path: O['path'];
  readonly caller: Caller;
}) => Promise<unknown>;

/** For an operation that creates the resource of its path: nothing must exist yet. */
export const madeByRequest: Find = async () => {};

export type AreaTypes<Types> = { readonly [Id in keyof Types]: OperationTypes };

/** How each operation below a resource path finds its resource, by `operationId`. */
export type Finds<Types extends AreaTypes<Types>> = {
  readonly [Id in keyof Types as Types[Id]['namesResource'] extends true ? Id : never]: Find<Types[Id]>;
};

export type Handlers<Types extends AreaTypes<Types>> = { readonly [Id in keyof Types]: Operation<Types[Id]> };

/** An area with the types of its own document: it has every operation, and a find for every resource. */
export interface TypedArea<Types extends AreaTypes<Types>> extends Area {
  readonly operations: Handlers<Types>;
  readonly finds: Finds<Types>;
}

/** Some operation or find: which one, only its document knows. */
export type AnyOperation = (context: never) => Promise<Reply>;
export type AnyFind = (target: never) => Promise<unknown>;

export interface Area {
  /** Names the served document, `/api-docs/{name}`; often, but not always, as the area's folder. */
  readonly name: string;
  /** An `openapi.yaml` or `<name>.openapi.yaml` of the area's folder. */
  readonly document: URL;
  readonly operations: Readonly<Record<string, AnyOperation>>;
  /**
   * By `operationId`. Called when the content of a request is wrong. If the resource is absent or forbidden, that is
   * the answer instead, so a caller learns nothing of resources it may not see. Also called before a call is recorded in
   * the audit log. Handlers must not rely on it.
   */
  readonly finds?: Readonly<Record<string, AnyFind>>;
  /** By the name that `x-errors` gives. Everything else is answered with problem+json. */
  readonly errors?: Readonly<Record<string, PresentError>>;
}
