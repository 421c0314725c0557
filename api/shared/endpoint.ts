/**
 * One operation of a document together with its handler: the steps each request passes before the handler runs, in their
 * order. Compiled once at start.
 */
import type { IdempotencyStore } from '../../activities/shared/idempotency-store.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { sweepingBuffers } from './buffer-sweep.ts';
import { type DeprecationDates, setDeprecationHeaders } from './deprecation.ts';
import type { Exchange } from './exchange.ts';
import { jsonFingerprint, KeySession, keyScope, readKey, unkeyed } from './idempotency.ts';
import { negotiate } from './media-types.ts';
import type { OperationEntry } from './openapi-document.ts';
import type { Caller, Idempotency, Operation, OperationContext, PresentError, Reply } from './operation.ts';
import { compileParameters } from './parameters.ts';
import { presentError } from './present-error.ts';
import { checkContentType, hasBody, parseBody, readBody } from './request-body.ts';
import type { Check, SchemaChecks } from './schema-check.ts';
import { compileSearch } from './search.ts';

export interface EndpointOptions {
  readonly verifyToken: (exchange: Exchange) => Promise<Caller>;
  /** Absent on servers none of whose operations take a key. */
  readonly idempotency: IdempotencyStore | undefined;
  readonly deprecation: DeprecationDates;
  /** `Service` unless the operator has its own. */
  readonly headerPrefix: string;
  /** How long a JSON or form body may take to arrive. */
  readonly bodyTimeoutMs: number;
}

export type Endpoint = (exchange: Exchange, path: Readonly<Record<string, string>>) => Promise<Reply>;

type Prepared = Omit<OperationContext, 'idempotency'>;

export function compileEndpoint(
  operation: OperationEntry,
  handler: Operation,
  checks: SchemaChecks,
  present: PresentError | undefined,
  options: EndpointOptions,
): Endpoint {
  const prepare = compilePreparation(operation, checks, options);
  return async (exchange, path) => {
    exchange.operationId = operation.operationId;
    if (operation.deprecated) setDeprecationHeaders(exchange, operation, path, options.deprecation);
    let keys: KeySession | undefined;
    let reply: Reply;
    try {
      const context = await prepare(exchange, path);
      keys = openKeySession(operation, exchange, options.idempotency);
      const stored = operation.streamedBody ? undefined : await keys?.claimFor(fingerprintOf(exchange, context));
      if (stored) return stored;
      const idempotency: Idempotency = keys ?? unkeyed();
      const run = () => handler({ ...context, idempotency });
      reply = await (operation.streamedBody ? sweepingBuffers(run) : run());
    } catch (error) {
      reply = presentError(exchange, error, present);
    }
    try {
      await keys?.settle(reply);
      return reply;
    } catch (error) {
      reply.stream?.destroy();
      return presentError(exchange, error, present);
    }
  };
}

function compilePreparation(operation: OperationEntry, checks: SchemaChecks, options: EndpointOptions) {
  const checkParameters = compileParameters(operation, checks);
  const parseSearch = operation.search ? compileSearch(operation, checks) : undefined;
  const bodyChecks = new Map<string, Check>();
  if (!operation.streamedBody) {
    for (const [type, pointer] of operation.body) bodyChecks.set(type, checks.compile(pointer));
  }
  return async (exchange: Exchange, pathTexts: Readonly<Record<string, string>>): Promise<Prepared> => {
    const { request } = exchange;
    if (operation.scopes) await authorise(exchange, operation.scopes, options.verifyToken);
    const accepted = agreeMediaType(exchange, operation.produces);
    refuseBadCorrelationId(exchange);
    const headers = neutralHeaders(exchange, options.headerPrefix);
    const query = queryOf(exchange);
    const header = (name: string) => headers[neutralName(name, options.headerPrefix)];
    const parameters = checkParameters({ path: pathTexts, query, header });
    const search = parseSearch?.(query);
    const body = await readCheckedBody(exchange, operation, bodyChecks, options.bodyTimeoutMs);
    const { caller, correlationId, log, signal } = exchange;
    return { ...parameters, search, headers, body, caller, correlationId, accepted, request, log, signal };
  };
}

async function authorise(
  exchange: Exchange,
  scopes: readonly string[],
  verifyToken: EndpointOptions['verifyToken'],
): Promise<void> {
  const caller = await verifyToken(exchange);
  exchange.caller = caller;
  exchange.log = exchange.log.child({ organisation: caller.organisationId, client: caller.clientId });
  const missing = scopes.filter((scope) => !caller.scopes.has(scope));
  if (missing.length > 0) {
    throw new ServiceError('INSUFFICIENT_SCOPE', `The access token needs the scope ${missing.join(' ')}.`, {
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${missing.join(' ')}"` },
    });
  }
}

function agreeMediaType(exchange: Exchange, produces: readonly string[]): string | undefined {
  if (produces.length === 0) return undefined;
  const accepted = negotiate(exchange.request.headers.accept, produces);
  if (accepted === undefined) throw new ServiceError('NOT_ACCEPTABLE', `The answer can be ${produces.join(' or ')}.`);
  if (produces.length > 1) exchange.response.appendHeader('vary', 'Accept');
  return accepted;
}

function refuseBadCorrelationId(exchange: Exchange): void {
  if (exchange.correlationIdAccepted) return;
  throw new ServiceError('VALIDATION_FAILED', 'X-Correlation-Id must be a UUID.', {
    errors: [{ pointer: '/header/X-Correlation-Id', code: 'FORMAT', detail: 'must be a UUID' }],
  });
}

function queryOf(exchange: Exchange): URLSearchParams {
  const target = exchange.request.url ?? '';
  const start = target.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : target.slice(start + 1));
}

function neutralName(name: string, prefix: string): string {
  const lower = name.toLowerCase();
  const own = `${prefix.toLowerCase()}-`;
  return lower.startsWith(own) ? `service-${lower.slice(own.length)}` : lower;
}

/** Handlers see `service-…` names whatever the operator's prefix is; headers that only look so are left out. */
function neutralHeaders(exchange: Exchange, prefix: string): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(exchange.request.headers)) {
    const neutral = neutralName(name, prefix);
    if (neutral === name && name.startsWith('service-') && prefix.toLowerCase() !== 'service') continue;
    headers[neutral] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}

async function readCheckedBody(
  exchange: Exchange,
  operation: OperationEntry,
  checks: ReadonlyMap<string, Check>,
  timeoutMs: number,
): Promise<unknown> {
  const { request } = exchange;
  if (operation.body.size === 0) return undefined;
  if (!hasBody(request) && !operation.bodyRequired) return undefined;
  const essence = checkContentType(request, [...operation.body.keys()]);
  if (operation.streamedBody) {
    letBodyComeWhenRead(exchange);
    return undefined;
  }
  const body = parseBody(await readBody(exchange, timeoutMs), essence);
  const errors = checks.get(essence)?.(body) ?? [];
  if (errors.length > 0) {
    const [first] = errors;
    const detail = `${first?.pointer || 'The body'} ${first?.detail}`;
    throw new ServiceError('VALIDATION_FAILED', detail, { errors });
  }
  return body;
}

/** A refused upload is then refused before its bytes travel. */
function letBodyComeWhenRead(exchange: Exchange): void {
  exchange.request.on('newListener', (event: string | symbol) => {
    if (event !== 'data' && event !== 'readable') return;
    exchange.sendContinue?.();
    exchange.sendContinue = undefined;
  });
}

function openKeySession(
  operation: OperationEntry,
  exchange: Exchange,
  store: IdempotencyStore | undefined,
): KeySession | undefined {
  if (!operation.takesIdempotencyKey || !exchange.caller || !store) return undefined;
  const key = readKey(exchange);
  if (key === undefined) return undefined;
  return new KeySession(store, keyScope(exchange.caller, operation.method, exchange.path, key), exchange);
}

function fingerprintOf(exchange: Exchange, context: Prepared): string {
  return jsonFingerprint(exchange.request.method ?? '', exchange.path, queryOf(exchange), context.body);
}
