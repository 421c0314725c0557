/** Who is told how imports go, for figures: the worker's metrics. Told by the store, once of each ending, by whoever's write it was. */
import type { ImportAction, ImportActionState } from '../../workflows/timetable/messages.ts';
import type { ActionRecord, ImportDocument } from './import-model.ts';

export interface ImportObserver {
  stepEnded(action: ImportAction, state: ImportActionState, seconds: number): void;
  importEnded(state: 'OK' | 'FAILED'): void;
}

/** Nothing of a step that has not ended. */
export function tellStep(
  observer: ImportObserver | undefined,
  { actions }: Pick<ImportDocument, 'actions'>,
  action: ImportAction,
): void {
  const { state, startedAt, endedAt }: Partial<ActionRecord> = actions?.[action] ?? {};
  if (!state || !startedAt || !endedAt) return;
  observer?.stepEnded(action, state, (endedAt.getTime() - startedAt.getTime()) / 1_000);
}
