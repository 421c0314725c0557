/** JSON of imports, steps and versions. */
import type { ActionRecord, ImportRecord } from '../../activities/timetable/import-store.ts';
import type { ImportAction } from '../../workflows/timetable/messages.ts';

export function presentStatus({ state, receivedAt, fileName }: ImportRecord) {
  return { state, date: receivedAt.toISOString(), fileName };
}

export function presentImport(record: ImportRecord) {
  const { correlationId, importKey, state, fileName, receivedAt, sizeBytes, findings } = record;
  return {
    correlationId,
    importKey,
    state,
    fileName,
    date: receivedAt.toISOString(),
    bytes: sizeBytes,
    findings: {
      CRITICAL: findings.CRITICAL,
      ERROR: findings.ERROR,
      WARNING: findings.WARNING,
      INFO: findings.INFO,
    },
  };
}

export function presentVersion({ importKey, receivedAt }: ImportRecord) {
  return { importKey, creationDate: receivedAt.toISOString() };
}

/** In the order of the pipeline, without steps that cannot start yet. */
const ACTIONS: readonly ImportAction[] = [
  ...(['FILE_TRANSFER', 'FILE_CLASSIFICATION', 'VALIDATION', 'PUBLICATION', 'PRIVATE_EXPORT'] as const),
  'PLANNER_BUILD',
];

export function presentEvents(record: ImportRecord, now: Date) {
  return ACTIONS.flatMap((action) => {
    const step = record.actions[action];
    return step ? [presentEvent(action, step, record, now)] : [];
  });
}

function presentEvent(action: ImportAction, step: ActionRecord, record: ImportRecord, now: Date) {
  const { startedAt, endedAt, errorCode, details } = step;
  // Steps that were open when the import ended will not run.
  const state = !endedAt && record.state !== 'IN_PROGRESS' ? 'CANCELLED' : step.state;
  const until = endedAt ?? (state === 'STARTED' ? now : startedAt);
  return {
    action,
    state,
    at: (endedAt ?? startedAt).toISOString(),
    durationMs: Math.max(0, until.getTime() - startedAt.getTime()),
    ...(errorCode !== undefined && { errorCode }),
    ...(details !== undefined && { details }),
  };
}
