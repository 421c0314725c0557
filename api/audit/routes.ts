/** The audit area: who changed what. openapi.yaml describes the operation. */
import type { AuditEntry } from '../../activities/audit/audit-entry.ts';
import type { AuditLog } from '../../activities/audit/audit-log.ts';
import type { AuditFilter } from '../../activities/audit/audit-query.ts';
import type { OperationContext, TypedArea } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';

export interface AuditDependencies {
  readonly auditLog: Pick<AuditLog, 'list'>;
}

type ListContext = OperationContext<Operations['listAuditEntries']>;

const EVERY_ORGANISATION = 'organisation:any';
const DEFAULT_LIMIT = 100;

export function createAuditArea({ auditLog }: AuditDependencies): TypedArea<Operations> {
  return {
    name: 'audit',
    document: new URL('./openapi.yaml', import.meta.url),
    operations: {
      listAuditEntries: async (context) => {
        const { after = 0, limit = DEFAULT_LIMIT } = context.query;
        const entries = await auditLog.list(filterOf(context), after, limit);
        const nextAfter = entries.at(-1)?._id ?? after;
        return { status: 200, json: { entries: entries.map(presentEntry), nextAfter } };
      },
    },
    finds: {},
  };
}

function filterOf({ query: { from, to, after: _, limit: __, ...equal }, caller }: ListContext): AuditFilter {
  return {
    ...equal,
    readers: caller.scopes.has(EVERY_ORGANISATION) ? 'ANY' : caller.organisationId,
    ...(from !== undefined && { from: new Date(from) }),
    ...(to !== undefined && { to: new Date(to) }),
  };
}

function presentEntry({ _id, at, ...entry }: AuditEntry) {
  return { sequence: _id, at: at.toISOString(), ...entry };
}
