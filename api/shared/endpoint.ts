/**
 * One operation of a document with its handler: checks, idempotency key, handler, error format. Compiled once at start, called by
 * dispatch for each request. Never throws: every failure becomes a reply.
 */
import type { RequestAudit } from './audited.ts';
import { sweepingBuffers } from './buffer-sweep.ts';
import { hasMember } from './deprecated-members.ts';
import { type DeprecationDates, setDeprecationHeaders } from './deprecation.ts';
import { type AnswerSeal, type IdempotencyParts, KeySession, unkeyed } from './idempotency.ts';
import { jsonFingerprint, keyScope, readKey } from './idempotency-key.ts';
import type { OperationEntry } from './openapi-document.ts';
import type { AnyFind, AnyOperation, Idempotency, PresentError, Reply } from './operation.ts';
import { preferNotFound } from './prefer-not-found.ts';
import { compilePreparation, type PreparationOptions, type Prepared, queryOf } from './preparation.ts';
import { presentError } from './present-error.ts';
import type { RequestContext } from './request-context.ts';
import type { SchemaChecks } from './schema-check.ts';
import { noteOtherRequest } from './stream-pace.ts';

export interface EndpointOptions extends PreparationOptions {
  /** Absent on servers none of whose operations take a key. */
  readonly idempotency: IdempotencyParts | undefined;
  /** Seals stored answers that hold personal data. */
  readonly answerSeal?: AnswerSeal | undefined;
  readonly deprecation: DeprecationDates;
  /** Records the operations with `x-audit`. Absent in tests of other parts. */
  readonly audit?: RequestAudit | undefined;
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
    if (!operation.streamedBody) noteOtherRequest();
    let keys: KeySession | undefined;
    let reply: Reply;
    try {
      const { prepared, findSettlement } = await prepare(context, path);
      if (operation.deprecatedMembers.some((member) => hasMember(prepared.body, member))) {
        // The same operation, without that member.
        setDeprecationHeaders(context, { successor: operation.path }, path, options.deprecation);
      }
      keys = openKeySession(operation, context, options);
      const stored = operation.streamedBody ? undefined : await keys?.claimFor(fingerprintOf(context, prepared));
      if (stored) return stored;
      const settlementId = await findSettlement();
      const idempotency: Idempotency = keys ?? unkeyed();
      // The document has checked that the request is what the handler's types say.
      const run = () => handler({ ...prepared, settlementId, idempotency } as never);
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
  { idempotency, answerSeal }: EndpointOptions,
): KeySession | undefined {
  if (!operation.takesIdempotencyKey || !context.caller || !idempotency) return undefined;
  const key = readKey(context);
  if (key === undefined) return undefined;
  return new KeySession(
    idempotency,
    keyScope(context.caller, operation.method, context.path, key),
    context,
    answerSeal,
  );
}

function fingerprintOf(context: RequestContext, prepared: Prepared): string {
  return jsonFingerprint(context.request.method ?? '', context.path, queryOf(context), prepared.body);
}
