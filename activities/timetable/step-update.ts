/** Writes a step of an import into its document. Callers: the stores of this folder. Pure. */
import type { ImportAction, ImportActionState } from '../../workflows/timetable/messages.ts';
import type { ActionDetails } from './import-model.ts';

export interface StepChange {
  readonly state: ImportActionState;
  readonly errorCode?: string;
  readonly details?: ActionDetails;
}

/** The step's new value as an aggregation expression: a recorded start keeps its instant. */
export function stepUpdate(action: ImportAction, progress: StepChange, now: Date): Record<string, unknown> {
  const step = `$actions.${action}`;
  const ended = progress.state !== 'STARTED' && progress.state !== 'PENDING';
  return {
    state: progress.state,
    // A step that only waited begins when it starts.
    startedAt: ended ? { $ifNull: [`${step}.startedAt`, now] } : now,
    ...(ended && { endedAt: now }),
    ...(progress.errorCode !== undefined && { errorCode: { $literal: progress.errorCode } }),
    ...(progress.details !== undefined && { details: { $literal: progress.details } }),
  };
}
