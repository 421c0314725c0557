/**
 * How the audit log names an operator's command: the command and its host, never the person. Callers: the commands of
 * this folder.
 */
import { hostname } from 'node:os';
import type { AuditedAction, AuditTrail } from '../activities/shared/audit.ts';

export function commandOf(name: string): Pick<AuditedAction, 'actor' | 'address'> {
  return { actor: { kind: 'COMMAND', id: name }, address: hostname() };
}

export type RecordClient = <Result>(
  verb: string,
  clientId: string | undefined,
  act: () => Promise<Result>,
  idOf?: (result: Result) => string,
) => Promise<Result>;

/** They stop harm: they go on when the audit log cannot be written. */
const EVEN_UNRECORDED: ReadonlySet<string> = new Set(['disable']);

/** Records the changes of `npm run client` under the actions that the operations of `/admin/clients` have. */
export function recordClientIn(trail: AuditTrail): RecordClient {
  return async (verb, clientId, act, idOf) => {
    const resource = { type: 'client', ...(clientId !== undefined && { id: clientId }) };
    const action = { action: `client.${verb}`, resource, evenUnrecorded: EVEN_UNRECORDED.has(verb) };
    return await trail.record({ ...commandOf('client'), ...action }, act, idOf);
  };
}
