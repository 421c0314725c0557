/**
 * The collection of audit entries, and what its readers may ask for. Callers: the audit log, the manifest, the
 * operation that reads it.
 */
import type { mongo } from 'mongoose';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import type { AuditEntry } from './audit-entry.ts';

export const AUDIT_ENTRIES = new CollectionDefinition<AuditEntry>('audit_entries', [
  { name: 'of_organisation', key: { 'actor.organisationId': 1, _id: 1 } },
  { name: 'of_actor', key: { 'actor.id': 1, _id: 1 } },
  { name: 'of_resource', key: { 'resource.type': 1, 'resource.id': 1, _id: 1 } },
  { name: 'of_action', key: { action: 1, _id: 1 } },
  { name: 'in_time', key: { at: 1 } },
]);

export interface AuditFilter {
  /** The organisation whose clients' entries are meant; ANY: all entries. */
  readonly readers: OrganisationId | 'ANY';
  /** Inclusive. */
  readonly from?: Date;
  /** Exclusive. */
  readonly to?: Date;
  readonly actor?: string;
  readonly action?: string;
  readonly resourceType?: string;
  readonly resourceId?: string;
}

export function toMongo({
  readers,
  from,
  to,
  actor,
  action,
  resourceType,
  resourceId,
}: AuditFilter): mongo.Filter<AuditEntry> {
  const at = { ...(from && { $gte: from }), ...(to && { $lt: to }) };
  return {
    ...(readers !== 'ANY' && { 'actor.organisationId': readers }),
    ...((from || to) && { at }),
    ...(actor !== undefined && { 'actor.id': actor }),
    ...(action !== undefined && { action }),
    ...(resourceType !== undefined && { 'resource.type': resourceType }),
    ...(resourceId !== undefined && { 'resource.id': resourceId }),
  };
}
