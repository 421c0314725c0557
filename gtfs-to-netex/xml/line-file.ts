/** Shared input of every part of a line's file. Callers: the XML of lines, patterns, journeys. */
import { stopName } from '../timetable/stop-name.ts';
import type { Line, Pattern, Timetable } from '../timetable/timetable.ts';
import type { NetexNames } from './netex-names.ts';

export interface LineFile {
  readonly timetable: Timetable;
  readonly names: NetexNames;
  readonly line: Line;
}

/** Last part of the ids of a pattern and its route. */
export function patternKey(line: Line, pattern: Pattern): string {
  return `${line.key}-${pattern.number}`;
}

export function patternName({ timetable }: LineFile, { stops }: Pattern): string {
  const end = (stop: number | undefined): string => stopName(timetable.feed, stop ?? -1);
  return `${end(stops[0])} - ${end(stops.at(-1))}`;
}
