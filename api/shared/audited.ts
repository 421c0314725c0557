/**
 * Records the calls of an operation with `x-audit` in the audit log: an entry before its handler runs and one with the
 * outcome. A call whose first entry cannot be written fails, unless the operation stops harm.
 *
 * A request that is refused earlier changes nothing and is only logged: for a wrong token or body, for a resource that
 * is absent or forbidden, or because the client makes too many. So no caller can fill the log. An operation that stops
 * harm is recorded at once, and is not limited.
 */
import type { IncomingMessage } from 'node:http';
import type { AuditActor, AuditedAction, AuditTrail } from '../../activities/shared/audit.ts';
import type { AuditedCalls } from './audited-calls.ts';
import type { AuditEntryOfOperation, OperationEntry } from './openapi-document.ts';
import type { AnyFind, AnyOperation, OperationContext, Reply } from './operation.ts';

export interface RequestAudit {
  readonly trail: AuditTrail;
  /** The caller's address, behind trusted proxies. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly calls: AuditedCalls;
}

export function audited(
  { audit: entry, operationId }: OperationEntry,
  handler: AnyOperation,
  find: AnyFind | undefined,
  audit: RequestAudit | undefined,
): AnyOperation {
  if (!entry || !audit) return handler;
  return async (context: OperationContext) => {
    const { caller } = context;
    if (!caller) throw new Error(`${operationId} has x-audit but no caller`);
    if (!entry.evenUnrecorded) {
      await find?.({ path: context.path, caller } as never);
      audit.calls.take(caller.clientId);
    }
    const actor: AuditActor = { kind: 'CLIENT', id: caller.clientId, organisationId: caller.organisationId };
    const action = describe(entry, context, actor, audit.addressOf(context.request));
    return await audit.trail.record(action, () => handler(context as never), lastOfLocation);
  };
}

function describe(
  { action, resource, id, evenUnrecorded }: AuditEntryOfOperation,
  { path, correlationId }: OperationContext,
  actor: AuditActor,
  address: string,
): AuditedAction {
  const named = id === undefined ? undefined : path[id];
  return {
    action,
    actor,
    resource: { type: resource, ...(named !== undefined && { id: named }) },
    address,
    correlationId,
    evenUnrecorded,
  };
}

function lastOfLocation({ headers = {} }: Reply): string | undefined {
  const last = headers.location?.split('/').at(-1);
  return last === undefined ? undefined : decodeURIComponent(last);
}
