/** The manifest of the audit area: the log of who changed clients, keys, codespaces, catalogues and back-ups. */
import { defineArea } from '../../platform/area.ts';
import { AUDIT_TRAIL, type AuditTrail, auditShape } from '../shared/audit.ts';
import { AUDIT_ANCHORS } from './audit-anchors.ts';
import { AuditLog } from './audit-log.ts';
import { AUDIT_ENTRIES } from './audit-query.ts';
import { countUnrecordedActs } from './unrecorded-acts.ts';

/** No process changes or removes an entry. */
const APPEND = ['find', 'insert'] as const;

export const auditArea = defineArea({
  name: 'audit',
  servedBy: 'api',
  collections: [
    {
      definition: AUDIT_ENTRIES,
      restored: 'ADDED',
      uses: {
        api: APPEND,
        auth: APPEND,
        'operations-worker': APPEND,
        'sales-customers-worker': APPEND,
        client: APPEND,
      },
    },
  ],
  objects: [{ prefix: AUDIT_ANCHORS, restored: 'ADDED', uses: { api: ['get', 'put', 'list'] } }],
  dashboardRows: ['Audit log'],
  provide: ({ mongo, log, registry, readConfig }, interfaces) => {
    const onUnrecorded = countUnrecordedActs(registry);
    let opened: AuditLog | undefined;
    // Opened late: a process that records nothing has no AUDIT_KEYS.
    const readKeys = () => readConfig(auditShape).AUDIT_KEYS;
    const open = () => (opened ??= new AuditLog({ connection: mongo, log, onUnrecorded, keys: readKeys() }));
    const trail: AuditTrail = { record: async (action, act, idOf) => await open().record(action, act, idOf) };
    interfaces.provide(AUDIT_TRAIL, trail);
  },
});
