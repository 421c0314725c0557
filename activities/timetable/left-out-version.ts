/**
 * Published versions that a planner build cannot read, for good: their archive is gone or damaged, or cannot be mapped. They are
 * left out, so that one codespace never keeps all others waiting. Pure. Callers: the build of a snapshot, the store of builds.
 */
import type { PlannerSource } from './planner-input.ts';

export interface LeftOutVersion extends Pick<PlannerSource, 'codespace' | 'correlationId' | 'kind'> {
  /** For operators. */
  readonly reason: string;
  /** The older version taken in its place; none: nothing of this kind and codespace is in the snapshot. */
  readonly instead?: PlannerSource;
}

/** What a build is made from in the end: the planned versions, or those taken in their place. */
export function usedSources(
  planned: readonly PlannerSource[],
  leftOut: readonly LeftOutVersion[],
): readonly PlannerSource[] {
  const byImport = new Map(leftOut.map((version) => [version.correlationId, version]));
  const used = (source: PlannerSource | undefined): readonly PlannerSource[] => {
    if (source === undefined) return [];
    const found = byImport.get(source.correlationId);
    return found ? used(found.instead) : [source];
  };
  return planned.flatMap(used);
}
