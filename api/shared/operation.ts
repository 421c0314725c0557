/**
 * What an area gives the HTTP base: its OpenAPI document and one handler per `operationId`. The document is the single
 * source of paths, methods, parameters, bodies, scopes and deprecations; handlers never parse, authorise or format errors.
 */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { OrganisationId } from '../../workflows/shared/ids.ts';

/** Who calls, from a verified access token. */
export interface Caller {
  readonly clientId: string;
  readonly organisationId: OrganisationId;
  readonly scopes: ReadonlySet<string>;
  /** Timetable codespaces granted; `*` is every one. */
  readonly codespaces: ReadonlySet<string>;
}

export interface OperationContext {
  readonly path: Readonly<Record<string, string>>;
  /** Query parameters, validated and coerced by the document. */
  readonly query: Readonly<Record<string, unknown>>;
  /** Lower-case names; only the raw values. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Parsed, validated JSON body; undefined when the operation takes none or streams it. */
  readonly body: unknown;
  /** Absent only on operations without `security`. Handlers that need it call `requireCaller(context)`. */
  readonly caller: Caller | undefined;
  readonly correlationId: string;
  readonly log: Logger;
  /** The raw request, for operations whose body is streamed (`x-streamed-body: true`) or that need `Accept`. */
  readonly request: IncomingMessage;
  /** Aborted when the caller goes away or the process stops hard. */
  readonly signal: AbortSignal;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. At most one of `json`, `bytes`, `stream`. */
  readonly json?: unknown;
  /** With `headers['content-type']`. */
  readonly bytes?: Uint8Array | string;
  readonly stream?: Readable;
}

export type Operation = (context: OperationContext) => Promise<Reply>;

export interface Area {
  /** Names the served document: `/api-docs/{name}`. */
  readonly name: string;
  /** The area's `openapi.yaml`. */
  readonly document: URL;
  readonly operations: Readonly<Record<string, Operation>>;
}
