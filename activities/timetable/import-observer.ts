/**
 * Counts endings of steps and imports, for metrics. The import store calls it after the write that ended them, so
 * exactly once for each ending.
 */
import type { ImportAction, ImportActionState } from '../../workflows/timetable/messages.ts';
import type { ActionRecord, ImportDocument } from './import-model.ts';

export interface ImportObserver {
  stepEnded(action: ImportAction, state: ImportActionState, seconds: number): void;
  importEnded(state: 'OK' | 'FAILED'): void;
}

/** Does nothing for a step that has not ended. */
export function observeStep(
  observer: ImportObserver | undefined,
  { actions }: Pick<ImportDocument, 'actions'>,
  action: ImportAction,
): void {
  const { state, startedAt, endedAt }: Partial<ActionRecord> = actions?.[action] ?? {};
  if (!state || !startedAt || !endedAt) return;
  observer?.stepEnded(action, state, (endedAt.getTime() - startedAt.getTime()) / 1_000);
}
