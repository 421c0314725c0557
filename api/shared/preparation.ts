/**
 * The checks a request passes before its handler runs, in their order: token and scope, `Accept`, correlation id,
 * parameters, distribution channel, form of the settlement, media type, size, JSON, schema. A resource that is absent or forbidden is
 * answered before faults of content (prefer-not-found.ts). Compiled once at start for each operation; called by the endpoint.
 */
import type { DistributionChannel } from '../../activities/shared/catalogue.ts';
import type { SearchRequest } from '../../platform/mongo/search-filter.ts';
import type { SettlementId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { checkChannel, type FindChannel } from './distribution-channel.ts';
import { negotiate } from './negotiate.ts';
import type { OperationEntry } from './openapi-document.ts';
import type { Caller, OperationContext } from './operation.ts';
import { compileParameters } from './parameters.ts';
import { refuseExpiredToken } from './refuse-expired-token.ts';
import { checkContentType, hasBody, parseBody, readBody } from './request-body.ts';
import type { RequestContext } from './request-context.ts';
import type { Check, SchemaChecks } from './schema-check.ts';
import { compileSearch } from './search.ts';
import { checkSettlement, type FindSettlement } from './settlement-header.ts';

export interface PreparationOptions {
  readonly verifyToken: (context: RequestContext) => Promise<Caller>;
  /** `Service` unless the operator has its own. */
  readonly headerPrefix: string;
  /** Absent on servers none of whose operations take a distribution channel. */
  readonly findChannel?: FindChannel | undefined;
  /** Absent on servers none of whose operations take a settlement. */
  readonly findSettlement?: FindSettlement | undefined;
  /** How long a JSON or form body may take to arrive. */
  readonly bodyTimeoutMs: number;
}

/** The context of a handler without what is checked last: the idempotency key, and whether the settlement is open. */
export type Prepared = Omit<OperationContext, 'idempotency' | 'settlementId'>;

export interface Preparation {
  readonly prepared: Prepared;
  /** Asked for once no stored answer is replayed: a repeat gets its answer also when the settlement was closed since. */
  readonly findSettlement: () => Promise<SettlementId | undefined>;
}

export function compilePreparation(operation: OperationEntry, checks: SchemaChecks, options: PreparationOptions) {
  const checkParameters = compileParameters(operation, checks);
  const parseSearch = operation.search ? compileSearch(operation, checks) : undefined;
  const checkGivenChannel = compileChannelCheck(operation, options);
  const checkGivenSettlement = compileSettlementCheck(operation, options);
  const bodyChecks = new Map<string, Check>();
  if (!operation.streamedBody) {
    for (const [type, pointer] of operation.body) bodyChecks.set(type, checks.compile(pointer));
  }
  return async (context: RequestContext, pathTexts: Readonly<Record<string, string>>): Promise<Preparation> => {
    const { request } = context;
    if (operation.scopes) await authorise(context, operation.scopes, options.verifyToken);
    const accepted = agreeMediaType(context, operation);
    refuseBadCorrelationId(context);
    const headers = neutralHeaders(context, options.headerPrefix);
    const query = queryOf(context);
    const header = (name: string) => headers[neutralName(name, options.headerPrefix)];
    const parameters = checkParameters({ path: pathTexts, query, header });
    const search = parseSearch?.(query);
    const channel = checkGivenChannel && (await checkGivenChannel(headers, context.caller));
    const findSettlement = checkGivenSettlement?.(headers, context.caller, channel) ?? (async () => undefined);
    const body = await readCheckedBody(context, operation, bodyChecks, options.bodyTimeoutMs);
    const { caller, correlationId, log, signal } = context;
    const values = operation.search === 'plain' && search ? { query: valuesOf(search) } : {};
    const found = { search, headers, channel, body, accepted };
    return {
      prepared: { ...parameters, ...values, ...found, caller, correlationId, request, log, signal },
      findSettlement,
    };
  };
}

function compileChannelCheck(
  { channel, operationId }: OperationEntry,
  { findChannel, headerPrefix }: PreparationOptions,
) {
  if (!channel) return undefined;
  if (!findChannel) throw new Error(`${operationId} takes a distribution channel, and this server knows none`);
  const options = { channel, findChannel, headerPrefix };
  return async (headers: Readonly<Record<string, string | undefined>>, caller: Caller | undefined) =>
    await checkChannel(headers, caller, options);
}

function compileSettlementCheck(
  { takesSettlement, operationId }: OperationEntry,
  { findSettlement, headerPrefix }: PreparationOptions,
) {
  if (!takesSettlement) return undefined;
  if (!findSettlement) throw new Error(`${operationId} takes a settlement, and this server knows none`);
  const options = { findSettlement, headerPrefix };
  return (
    headers: Readonly<Record<string, string | undefined>>,
    caller: Caller | undefined,
    channel: DistributionChannel | undefined,
  ) => checkSettlement(headers, { caller, channel }, options);
}

/** Each term of a plain search is given once, as a parameter is. */
function valuesOf({ terms }: SearchRequest): Readonly<Record<string, unknown>> {
  return Object.fromEntries(terms.map(({ field, values }) => [field, values[0]]));
}

async function authorise(
  context: RequestContext,
  scopes: readonly string[],
  verifyToken: PreparationOptions['verifyToken'],
): Promise<void> {
  const caller = await verifyToken(context);
  context.caller = caller;
  context.log = context.log.child({ organisation: caller.organisationId, client: caller.clientId });
  const missing = scopes.filter((scope) => !caller.scopes.has(scope));
  if (missing.length > 0) {
    throw new ServiceError('INSUFFICIENT_SCOPE', `The access token needs the scope ${missing.join(' ')}.`, {
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${missing.join(' ')}"` },
    });
  }
}

function agreeMediaType(context: RequestContext, { anyAccept, produces }: OperationEntry): string | undefined {
  if (anyAccept || produces.length === 0) return produces[0];
  const accepted = negotiate(context.request.headers.accept, produces);
  if (accepted === undefined) throw new ServiceError('NOT_ACCEPTABLE', `The answer can be ${produces.join(' or ')}.`);
  if (produces.length > 1) context.response.appendHeader('vary', 'Accept');
  return accepted;
}

function refuseBadCorrelationId(context: RequestContext): void {
  if (context.correlationIdAccepted) return;
  throw new ServiceError('VALIDATION_FAILED', 'X-Correlation-Id must be a UUID.', {
    errors: [{ pointer: '/header/X-Correlation-Id', code: 'FORMAT', detail: 'must be a UUID' }],
  });
}

export function queryOf(context: RequestContext): URLSearchParams {
  const target = context.request.url ?? '';
  const start = target.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : target.slice(start + 1));
}

function neutralName(name: string, prefix: string): string {
  const lower = name.toLowerCase();
  const own = `${prefix.toLowerCase()}-`;
  return lower.startsWith(own) ? `service-${lower.slice(own.length)}` : lower;
}

/** Handlers see `service-…` names with every prefix. Under another prefix, headers literally named `service-…` are left out. */
function neutralHeaders(context: RequestContext, prefix: string): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(context.request.headers)) {
    const neutral = neutralName(name, prefix);
    if (neutral === name && name.startsWith('service-') && prefix.toLowerCase() !== 'service') continue;
    headers[neutral] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}

async function readCheckedBody(
  context: RequestContext,
  operation: OperationEntry,
  checks: ReadonlyMap<string, Check>,
  timeoutMs: number,
): Promise<unknown> {
  const { request } = context;
  if (operation.body.size === 0) return undefined;
  if (!hasBody(request) && !operation.bodyRequired) return undefined;
  const essence = checkContentType(request, [...operation.body.keys()]);
  if (operation.streamedBody) {
    sendContinueWhenRead(context);
    return undefined;
  }
  const bytes = await readBody(context, timeoutMs, operation.bodyLimit?.bytes);
  refuseExpiredToken(context.caller);
  const body = parseBody(bytes, essence, operation);
  const errors = checks.get(essence)?.(body) ?? [];
  if (errors.length > 0) {
    const [first] = errors;
    const detail = `${first?.pointer || 'The body'} ${first?.detail}`;
    throw new ServiceError('VALIDATION_FAILED', detail, { errors });
  }
  return body;
}

/** Asks for the body when the handler reads it, so that an upload can be refused before its bytes are sent. */
function sendContinueWhenRead(context: RequestContext): void {
  context.request.on('newListener', (event: string | symbol) => {
    if (event !== 'data' && event !== 'readable') return;
    context.sendContinue?.();
    context.sendContinue = undefined;
  });
}
