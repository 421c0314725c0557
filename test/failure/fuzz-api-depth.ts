/** How deep a fuzz run came: of each operation the share of allowed requests that succeeded. Used by fuzz-api.ts. */
import type { TestedDocument } from './fuzz-api-document.ts';
import type { Verdict } from './schemathesis.ts';

/** No data of this run lets them succeed. */
const NEVER: Readonly<Record<string, string>> = {
  resolveRefund: 'no provider of this run refuses a refund',
  resolveCredit: 'no provider of this run refuses a credit',
  searchZones: 'the timetable of the trains has no fare zones',
};

export interface Depth {
  readonly lines: readonly string[];
  /** Operations that can succeed, and never did. */
  readonly unreached: readonly string[];
}

export function depthOf(verdicts: readonly Verdict[], operations: TestedDocument['operations']): Depth {
  const rates = operations.map(({ operationId, label }) => {
    const ofAll = verdicts.flatMap(({ rates: each }) => each[label] ?? []);
    const [accepted, all] = [sum(ofAll, 'accepted'), sum(ofAll, 'all')];
    return { operationId, accepted, all, why: NEVER[operationId] };
  });
  const lines = rates.map(({ operationId, accepted, all, why }) => {
    const share = all === 0 ? 0 : Math.round((100 * accepted) / all);
    return `${operationId}: ${accepted} of ${all} succeeded (${share} %)${why === undefined ? '' : `: ${why}`}`;
  });
  const unreached = rates.filter(({ accepted, why }) => accepted === 0 && why === undefined);
  return { lines, unreached: unreached.map(({ operationId }) => operationId) };
}

function sum(rates: Verdict['rates'][string][], member: 'accepted' | 'all'): number {
  return rates.reduce((total, rate) => total + rate[member], 0);
}
