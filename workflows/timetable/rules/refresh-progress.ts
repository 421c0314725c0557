/** How far a refresh has come: its query, its details in the Temporal UI, and what one run hands to the next. Pure. */
import type { Codespace } from '../../shared/ids.ts';
import type { DatasetRefreshProgress } from '../messages.ts';

export const REFRESH_BEGINS: DatasetRefreshProgress = {
  day: null,
  round: 1,
  after: null,
  refreshed: 0,
  emptied: 0,
  left: 0,
  failed: 0,
  failedCodespaces: [],
};

/** Named in the details; the log has them all. */
const NAMED = 20;

const MINUTE_MS = 60_000;
/**
 * Before each further round. Datasets that are still broken after the last wait for the next night, or a newer build.
 */
const PAUSES_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS] as const;

export type RefreshOutcome = 'SHOWN' | 'EMPTY' | 'NOT_NEWER' | 'WITHDRAWN' | 'DEFECT';

export function withOutcome(
  progress: DatasetRefreshProgress,
  codespace: Codespace,
  outcome: RefreshOutcome,
): DatasetRefreshProgress {
  switch (outcome) {
    case 'SHOWN':
      return { ...progress, refreshed: progress.refreshed + 1 };
    case 'EMPTY':
      return { ...progress, refreshed: progress.refreshed + 1, emptied: progress.emptied + 1 };
    case 'DEFECT':
      return {
        ...progress,
        failed: progress.failed + 1,
        failedCodespaces: [...progress.failedCodespaces, codespace].slice(0, NAMED),
      };
    default:
      return { ...progress, left: progress.left + 1 };
  }
}

/** The next round and the pause before it; undefined when all is well, or enough was tried. */
export function nextRound(
  progress: DatasetRefreshProgress,
): { readonly pauseMs: number; readonly progress: DatasetRefreshProgress } | undefined {
  const pauseMs = PAUSES_MS[progress.round - 1];
  if (progress.failed === 0 || pauseMs === undefined) return undefined;
  return {
    pauseMs,
    progress: { ...progress, round: progress.round + 1, after: null, failed: 0, failedCodespaces: [] },
  };
}

/** Markdown for the Temporal UI. */
export function describeRefresh(progress: DatasetRefreshProgress): string {
  const { day, round, after, refreshed, emptied, left, failed, failedCodespaces } = progress;
  const counts = `${refreshed} made anew (${emptied} with nothing left to run), ${left} left as they were, ${failed} failed`;
  const names = failed === 0 ? '' : `: ${failedCodespaces.join(', ')}${failed > failedCodespaces.length ? ' …' : ''}`;
  return `**${day ?? 'beginning'}**, round ${round}${after === null ? '' : `, at ${after}`}: ${counts}${names}`;
}
