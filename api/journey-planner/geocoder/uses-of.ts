/**
 * Finds the lines and modes that serve quays. They decide a place's importance and categories. The function is pure,
 * over one snapshot.
 */
import type { Timetable } from '../../../planner/index.ts';
import type { StopIndex } from '../../../planner/model/indices.ts';
import { TRANSPORT_MODES, type TransportMode } from '../../../planner/model/transport-mode.ts';

/** Returns the number of lines, and the modes in the order of `TRANSPORT_MODES`. */
export function usesOf(
  { transit }: Timetable,
  quays: readonly StopIndex[],
): { lines: number; modes: readonly TransportMode[] } {
  const lines = new Set<number>();
  const modes = new Set<number>();
  for (const stop of quays) {
    const end = transit.stopRoutesStart[stop + 1] as number;
    for (let at = transit.stopRoutesStart[stop] as number; at < end; at++) {
      const route = transit.stopRoutes[at] as number;
      lines.add(transit.routeLine[route] as number);
      modes.add(transit.routeMode[route] as number);
    }
  }
  return {
    lines: lines.size,
    modes: [...modes].sort((a, b) => a - b).map((mode) => TRANSPORT_MODES[mode] ?? 'unknown'),
  };
}
