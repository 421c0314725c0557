/**
 * Published versions that a planner build can never read: their archive is missing or damaged, or cannot be mapped.
 * They are left out, so that one codespace never delays all others. Pure. Callers: the build of a snapshot, the store
 * of builds.
 */
import type { PlannerSource } from './planner-input.ts';

export interface LeftOutVersion extends Pick<PlannerSource, 'codespace' | 'correlationId' | 'kind'> {
  /** Shown to operators. */
  readonly reason: string;
  /** The older version that replaces it; absent: the snapshot has nothing of this kind and codespace. */
  readonly instead?: PlannerSource;
}

/** The versions that a build is finally made from: the planned ones, or their replacements. */
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
