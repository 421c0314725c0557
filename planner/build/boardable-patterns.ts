/**
 * Finds the journey patterns with searchable journeys that can be boarded at a stop (not at their last), and the stops
 * where they call.
 */
import { FOR_BOARDING } from '../model/transit.ts';
import type { PackedInput } from './packed-input.ts';
import type { Resolved } from './resolve.ts';

export interface BoardablePatterns {
  /** 1 where a searchable journey calls and the stop is a point, not an area. */
  readonly isUsed: Uint8Array;
  readonly patternCount: number;
  /**
   * The patterns of a stop are `patterns` between `start[stop]` and `start[stop + 1]`. A pattern that can be boarded
   * there twice occurs twice.
   */
  readonly start: Int32Array;
  readonly patterns: Int32Array;
}

export function boardablePatterns(input: PackedInput, resolved: Resolved): BoardablePatterns {
  const stopCount = resolved.quay.order.length;
  const patternCount = resolved.journeyPattern.order.length;
  const isSearched = searchedPatterns(input, resolved);
  const isArea = Uint8Array.from(resolved.quay.order, (row) =>
    input.tables.quay.column('area').values.at(row) ? 1 : 0,
  );
  const isUsed = new Uint8Array(stopCount);
  const start = new Int32Array(stopCount + 1);
  visitCalls(input, resolved, isSearched, (stop, _pattern, isBoardable) => {
    if (isArea[stop] === 1) return;
    isUsed[stop] = 1;
    if (isBoardable) start[stop + 1] = (start[stop + 1] ?? 0) + 1;
  });
  for (let stop = 0; stop < stopCount; stop++) start[stop + 1] = (start[stop + 1] ?? 0) + (start[stop] ?? 0);
  const patterns = new Int32Array(start[stopCount] ?? 0);
  const next = start.slice();
  visitCalls(input, resolved, isSearched, (stop, pattern, isBoardable) => {
    if (isArea[stop] === 1 || !isBoardable) return;
    const entry = next[stop] ?? 0;
    patterns[entry] = pattern;
    next[stop] = entry + 1;
  });
  return { isUsed, patternCount, start, patterns };
}

function searchedPatterns(input: PackedInput, resolved: Resolved): Uint8Array {
  const isSearched = new Uint8Array(resolved.journeyPattern.order.length);
  const patterns = input.tables.serviceJourney.numbers('pattern');
  for (const row of resolved.serviceJourney.order) {
    const pattern = resolved.journeyPattern.indexOf[patterns[row] ?? 0] ?? -1;
    if (pattern >= 0 && input.journeySearchable.at(row) === 1) isSearched[pattern] = 1;
  }
  return isSearched;
}

function visitCalls(
  input: PackedInput,
  resolved: Resolved,
  isSearched: Uint8Array,
  take: (stop: number, pattern: number, isBoardable: boolean) => void,
): void {
  const quays = input.tables.patternStop.numbers('quay');
  const flags = input.tables.patternStop.numbers('flags');
  for (let pattern = 0; pattern < isSearched.length; pattern++) {
    if (isSearched[pattern] === 0) continue;
    const end = resolved.patternStopsStart[pattern + 1] ?? 0;
    for (let entry = resolved.patternStopsStart[pattern] ?? 0; entry < end; entry++) {
      const row = resolved.patternStopRows[entry] ?? 0;
      const stop = resolved.quay.indexOf[quays[row] ?? 0] ?? -1;
      take(stop, pattern, ((flags[row] ?? 0) & FOR_BOARDING) !== 0 && entry < end - 1);
    }
  }
}
