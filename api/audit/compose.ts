/**
 * Composes the audit area for the API process. It also anchors the log: from time to time it writes the log's head to
 * the object store and to the log output. Caller: api/server.ts, by the area's name.
 */
import { AuditAnchors } from '../../activities/audit/audit-anchors.ts';
import { AuditLog } from '../../activities/audit/audit-log.ts';
import { AuditWatch } from '../../activities/audit/audit-watch.ts';
import { auditShape } from '../../activities/shared/audit.ts';
import { repeat } from '../../platform/process/repeat.ts';
import type { AreaComposition } from '../shared/area-composition.ts';
import { createAuditArea } from './routes.ts';

/** At most the entries of this time can be cut from the end without a trace in the object store. */
const ANCHOR_EVERY_MS = 60_000;

export const composition: AreaComposition = {
  config: auditShape,
  compose: ({ mongo: connection, log, registry, objects, readConfig }) => {
    const { AUDIT_KEYS: keys } = readConfig(auditShape);
    const auditLog = new AuditLog({ connection, keys, log });
    const watch = new AuditWatch({ auditLog, anchors: new AuditAnchors(objects, keys), keys, log, registry });
    // The metric of the watch says what matters of a turn.
    const turns = { turnsOf: () => () => undefined };
    const anchoring = repeat('audit-anchors', ANCHOR_EVERY_MS, { log, turns }, () => watch.anchor());
    return { area: createAuditArea({ auditLog }), onListenerClosed: () => anchoring.stop() };
  },
};
