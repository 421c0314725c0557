/** Compares periods as written. Never reports invalid dates. Callers: rules on periods. */
import { DAY_MS, readInstant } from '../model/calendar-instant.ts';

/**
 * Whether a period ends before it begins. A last day counts to its end. When only one date has a zone, the other is
 * read in the same.
 */
export function endsBeforeItStarts(from: string, to: string): boolean {
  const start = readInstant(from);
  const end = readInstant(to);
  if (!start || !end) return false;
  const zonesKnown = start.zoneMs !== undefined && end.zoneMs !== undefined;
  const startMs = start.clockMs - (zonesKnown ? (start.zoneMs ?? 0) : 0);
  const endMs = end.clockMs - (zonesKnown ? (end.zoneMs ?? 0) : 0);
  return end.isWholeDay ? endMs + DAY_MS <= startMs : endMs < startMs;
}
