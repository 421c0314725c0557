/**
 * Decides which calls a board shows: the white lists and filters of `estimatedCalls` as one test per trip. Called by
 * `board.ts`.
 */
import type { AuthorityIndex, LineIndex, TripIndex } from '../../../planner/model/indices.ts';
import { TRANSPORT_MODES, type TransportMode } from '../../../planner/model/transport-mode.ts';
import { checkFilters } from './filter-limit.ts';
import { given } from './lists.ts';
import { transportModesOf } from './modes.ts';
import type { RequestContext } from './request-context.ts';

export interface WhiteListed {
  readonly lines?: readonly (string | null)[] | null;
  readonly authorities?: readonly (string | null)[] | null;
}

interface ModeSelect {
  readonly transportMode?: TransportMode | null;
  readonly transportSubModes?: readonly (string | null)[] | null;
}

interface Select extends WhiteListed {
  readonly transportModes?: readonly ModeSelect[] | null;
}

export interface CallFilter {
  readonly select?: readonly Select[] | null;
  readonly not?: readonly Select[] | null;
}

export interface FilterArgs {
  readonly whiteListed?: WhiteListed | null;
  readonly whiteListedModes?: readonly (string | null)[] | null;
  readonly filters?: readonly CallFilter[] | null;
}

/** Tells whether a board shows a trip. The result depends on the journey's line, mode and submode alone. */
export type CallTest = (trip: TripIndex, line: LineIndex) => boolean;

/** Undefined: the board shows every trip. */
export function boardFilter(args: FilterArgs, context: RequestContext): CallTest | undefined {
  checkFilters(args.filters);
  const tests: CallTest[] = [];
  if (args.whiteListed) tests.push(...listTests(args.whiteListed, context));
  const modes = transportModesOf(args.whiteListedModes, context.dialect);
  if (modes) tests.push((trip) => modes.has(modeOf(trip, context)));
  const filters = (args.filters ?? []).map((filter) => filterTest(filter, context));
  if (filters.length > 0) tests.push((trip, line) => filters.some((test) => test(trip, line)));
  return tests.length > 0 ? (trip, line) => tests.every((test) => test(trip, line)) : undefined;
}

function filterTest({ select, not }: CallFilter, context: RequestContext): CallTest {
  const wanted = (select ?? []).map((item) => selectTest(item, context));
  const unwanted = (not ?? []).map((item) => selectTest(item, context));
  return (trip, line) =>
    (wanted.length === 0 || wanted.some((test) => test(trip, line))) && !unwanted.some((test) => test(trip, line));
}

function selectTest(select: Select, context: RequestContext): CallTest {
  const tests = listTests(select, context);
  const modes = select.transportModes ?? [];
  if (modes.length > 0) {
    const modeTests = modes.map((mode) => modeTest(mode, context));
    tests.push((trip, line) => modeTests.some((test) => test(trip, line)));
  }
  return (trip, line) => tests.every((test) => test(trip, line));
}

function listTests({ lines, authorities }: WhiteListed, { timetable }: RequestContext): CallTest[] {
  const { catalogue } = timetable;
  const tests: CallTest[] = [];
  const lineIds = given(lines);
  if (lineIds) {
    const known = new Set<LineIndex | undefined>([...lineIds].map((id) => catalogue.lines.find(id)?.index));
    tests.push((_, line) => known.has(line));
  }
  const authorityIds = given(authorities);
  if (authorityIds) {
    const known = new Set<AuthorityIndex | undefined>(
      [...authorityIds].map((id) => catalogue.authorities.find(id)?.index),
    );
    tests.push((_, line) => known.has(catalogue.lines.at(line).authority));
  }
  return tests;
}

function modeTest({ transportMode, transportSubModes }: ModeSelect, context: RequestContext): CallTest {
  const submodes = given(transportSubModes);
  const { transit } = context.timetable;
  return (trip) => {
    if (transportMode && modeOf(trip, context) !== transportMode) return false;
    const submode = transit.submodeNames[transit.routeSubmode[transit.routeOf(trip)] ?? 0] ?? '';
    return !submodes || submodes.has(submode);
  };
}

function modeOf(trip: TripIndex, { timetable: { transit } }: RequestContext): TransportMode {
  return TRANSPORT_MODES[transit.routeMode[transit.routeOf(trip)] ?? 0] ?? 'unknown';
}
