/**
 * One operation of a document with its handler: checks, idempotency key, handler, error format. Compiled once at start, called by
 * dispatch for each request. Never throws: every failure becomes a reply.
 */
import type { IdempotencyStore } from '../../platform/idempotency/idempotency-store.ts';
import { sweepingBuffers } from './buffer-sweep.ts';
import { type DeprecationDates, setDeprecationHeaders } from './deprecation.ts';
import { type AnswerSeal, KeySession, unkeyed } from './idempotency.ts';
import { jsonFingerprint, keyScope, readKey } from './idempotency-key.ts';
import type { OperationEntry } from './openapi-document.ts';
import type { AnyFind, AnyOperation, Idempotency, PresentError, Reply } from './operation.ts';
import { preferNotFound } from './prefer-not-found.ts';
import { compilePreparation, type PreparationOptions, type Prepared, queryOf } from './preparation.ts';
import { presentError } from './present-error.ts';
import type { RequestContext } from './request-context.ts';
import type { SchemaChecks } from './schema-check.ts';

export interface EndpointOptions extends PreparationOptions {
  /** Absent on servers none of whose operations take a key. */
  readonly idempotency: IdempotencyStore | undefined;
  /** Seals stored answers that hold personal data. */
  readonly answerSeal?: AnswerSeal | undefined;
  readonly deprecation: DeprecationDates;
}

/** An area's parts of one operation. */
export interface OperationParts {
  readonly handler: AnyOperation;
  readonly find: AnyFind | undefined;
  readonly present: PresentError | undefined;
}

export type Endpoint = (context: RequestContext, path: Readonly<Record<string, string>>) => Promise<Reply>;

export function compileEndpoint(
  operation: OperationEntry,
  { handler, find, present }: OperationParts,
  checks: SchemaChecks,
  options: EndpointOptions,
): Endpoint {
  const prepare = compilePreparation(operation, checks, options);
  return async (context, path) => {
    context.operationId = operation.operationId;
    if (operation.deprecated) setDeprecationHeaders(context, operation, path, options.deprecation);
    let keys: KeySession | undefined;
    let reply: Reply;
    try {
      const prepared = await prepare(context, path);
      keys = openKeySession(operation, context, options);
      const stored = operation.streamedBody ? undefined : await keys?.claimFor(fingerprintOf(context, prepared));
      if (stored) return stored;
      const idempotency: Idempotency = keys ?? unkeyed();
      // The document has checked that the request is what the handler's types say.
      const run = () => handler({ ...prepared, idempotency } as never);
      reply = await (operation.streamedBody ? sweepingBuffers(run) : run());
    } catch (error) {
      reply = presentError(context, await preferNotFound(error, find, context.caller, path), present);
    }
    try {
      await keys?.settle(reply);
      return reply;
    } catch (error) {
      reply.stream?.destroy();
      return presentError(context, error, present);
    }
  };
}

function openKeySession(
  operation: OperationEntry,
  context: RequestContext,
  { idempotency: store, answerSeal }: EndpointOptions,
): KeySession | undefined {
  if (!operation.takesIdempotencyKey || !context.caller || !store) return undefined;
  const key = readKey(context);
  if (key === undefined) return undefined;
  return new KeySession(store, key, keyScope(context.caller, operation.method, context.path, key), context, answerSeal);
}

function fingerprintOf(context: RequestContext, prepared: Prepared): string {
  return jsonFingerprint(context.request.method ?? '', context.path, queryOf(context), prepared.body);
}
