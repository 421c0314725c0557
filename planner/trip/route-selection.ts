/** Finds the routes and service journeys of one `TripSelect`. */
import type { LineIndex } from '../model/indices.ts';
import type { Timetable } from '../model/timetable.ts';
import { TRANSPORT_MODES } from '../model/transport-mode.ts';
import type { TripModes, TripSelect } from './trip-types.ts';

export interface RouteSelection {
  /** 1: the route matches all members but `serviceJourneys`. */
  readonly routes: Uint8Array;
  /** 1: the service journey is named; undefined where the select names none. */
  readonly journeys: Uint8Array | undefined;
}

/** An empty list and unknown ids match nothing. */
export function selectRoutes(timetable: Timetable, select: TripSelect): RouteSelection {
  const { transit, catalogue } = timetable;
  const lines = lineMask(timetable, select);
  const accepts = modeTest(timetable, select.modes);
  const routes = new Uint8Array(transit.routeCount);
  for (let route = 0; route < routes.length; route += 1) {
    const isOfLine = lines === undefined || lines[transit.routeLine[route] as number] === 1;
    if (isOfLine && accepts(transit.routeMode[route] as number, transit.routeSubmode[route] as number))
      routes[route] = 1;
  }
  if (select.serviceJourneys === undefined) return { routes, journeys: undefined };
  const journeys = new Uint8Array(catalogue.serviceJourneys.count);
  for (const id of select.serviceJourneys) {
    const journey = catalogue.serviceJourneys.find(id);
    if (journey !== undefined) journeys[journey.index] = 1;
  }
  return { routes, journeys };
}

/** Lines that match all given members of `lines`, `authorities` and `groupsOfLines`. */
function lineMask({ catalogue }: Timetable, select: TripSelect): Uint8Array | undefined {
  const { lines, authorities, groupsOfLines } = select;
  const lists: Iterable<LineIndex>[] = [];
  if (lines !== undefined) lists.push(lines.flatMap((id) => catalogue.lines.find(id)?.index ?? []));
  if (authorities !== undefined) {
    const known = authorities.flatMap((id) => catalogue.authorities.find(id)?.index ?? []);
    lists.push(known.flatMap((authority) => catalogue.linesOfAuthority(authority)));
  }
  if (groupsOfLines !== undefined) {
    const known = groupsOfLines.flatMap((id) => catalogue.groupsOfLines.find(id)?.index ?? []);
    lists.push(known.flatMap((group) => catalogue.linesOfGroup(group)));
  }
  if (lists.length === 0) return undefined;
  const mask = new Uint8Array(catalogue.lines.count).fill(1);
  for (const list of lists) {
    const named = new Set(list);
    for (let line = 0; line < mask.length; line += 1) if (!named.has(line as LineIndex)) mask[line] = 0;
  }
  return mask;
}

type ModeTest = (mode: number, submode: number) => boolean;

function modeTest({ transit }: Timetable, modes: readonly TripModes[] | undefined): ModeTest {
  if (modes === undefined) return () => true;
  const tests = modes.map(({ mode, submodes }) => {
    const wanted = mode === undefined ? undefined : TRANSPORT_MODES.indexOf(mode);
    const names = submodes === undefined || submodes.length === 0 ? undefined : new Set(submodes);
    const isNamed = transit.submodeNames.map((name) => names?.has(name) ?? true);
    return { wanted, isNamed };
  });
  return (mode, submode) =>
    tests.some(({ wanted, isNamed }) => (wanted === undefined || wanted === mode) && (isNamed[submode] ?? false));
}
