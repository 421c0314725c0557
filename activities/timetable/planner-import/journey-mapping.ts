/**
 * Maps service journeys to the planner's: times at every stop of the pattern, days, frequencies, notices of calls.
 * Callers: the import of a file. A journey without a day or a dated journey in the period is left out.
 */
import type { HeadwayEntity } from '../../../netex/entities/entity-types.ts';
import { ABSENT } from '../../../netex/model/passing-times.ts';
import type { TimetableBuilder } from '../../../planner/build/input.ts';
import type { ServiceDay } from '../../../planner/model/indices.ts';
import { type EntityStore, INTEGERS_PER_TIME, NO_PATTERN_STOP, type StoredJourney, TIME } from './entity-store.ts';
import { fillTimes } from './fill-times.ts';
import type { NoticeIndex } from './notice-index.ts';
import type { MappedPattern, Scope } from './scope.ts';
import { toAccessibility, toBooking } from './small-mappings.ts';
import { toSubmode, toTransportMode } from './transport-modes.ts';

const NO_DAYS: readonly ServiceDay[] = [];
/** Departures of one frequency group: more than one a second of two days is a mistake. */
const MOST_DEPARTURES = 172_800;

/** Ids of the file's stop points in patterns, by the numbers that passing times have. */
export function patternStopIds(store: EntityStore): readonly string[] {
  return [...store.patternStopNumbers.keys()];
}

export interface JourneyImport {
  readonly scope: Scope;
  readonly builder: TimetableBuilder;
  readonly notices: NoticeIndex;
  readonly patternStopIds: readonly string[];
}

/** True when it was given to the builder; otherwise it was counted there. */
export function importJourney(
  context: JourneyImport,
  journey: StoredJourney,
  pattern: MappedPattern,
  days: readonly ServiceDay[],
): boolean {
  const { scope, builder, notices } = context;
  const leaveOut = (reason: string): false => {
    builder.reject('serviceJourney', reason, journey.id);
    return false;
  };
  const calls = readCalls(context, journey, pattern);
  if (calls === undefined) return leaveOut('a passing time names no stop of its pattern');
  const times = fillTimes(calls, pattern.hopMetres);
  if (times === undefined) return leaveOut('no time at the first or last stop');
  const startOffsets = offsetsOf(scope, journey, times.departures[0] as number);
  if (startOffsets?.length === 0) return leaveOut('a frequency without first departure, last departure and interval');
  const line = scope.findLine(pattern.lineId);
  builder.addServiceJourney({
    id: journey.id,
    privateCode: journey.privateCode,
    publicCode: journey.publicCode,
    patternId: pattern.id,
    mode: journey.transportMode === undefined ? undefined : toTransportMode(journey.transportMode),
    submode: toSubmode(journey.transportSubmode),
    operatorId: journey.operatorRef,
    accessibility: toAccessibility(journey.wheelchairAccess ?? line?.wheelchairAccess),
    booking: toBooking(journey.booking),
    noticeIds: notices.find(journey.id),
    callNoticeIds: calls.noticeIds,
    arrivals: times.arrivals,
    departures: times.departures,
    startOffsets,
    days: isOff(journey) ? NO_DAYS : days,
    searchable: pattern.hasArea ? false : undefined,
  });
  return true;
}

/** True for a journey that is marked as never running. */
function isOff({ serviceAlteration }: StoredJourney): boolean {
  return serviceAlteration === 'cancellation' || serviceAlteration === 'replaced';
}

interface Calls {
  readonly arrivals: number[];
  readonly departures: number[];
  readonly earliestDepartures: number[];
  readonly latestArrivals: number[];
  readonly noticeIds: Map<number, readonly string[]> | undefined;
}

/** Undefined when a time fits no stop. */
function readCalls(context: JourneyImport, { times }: StoredJourney, pattern: MappedPattern): Calls | undefined {
  const count = pattern.stops.length;
  const absent = (): number[] => new Array<number>(count).fill(ABSENT);
  const calls = { arrivals: absent(), departures: absent(), earliestDepartures: absent(), latestArrivals: absent() };
  const { notices } = context;
  let noticeIds: Map<number, readonly string[]> | undefined;
  for (let at = 0; at < times.length; at += INTEGERS_PER_TIME) {
    const position = positionOf(context, times[at + TIME.patternStop] as number, at / INTEGERS_PER_TIME, pattern);
    if (position === undefined) return undefined;
    calls.arrivals[position] = times[at + TIME.arrival] as number;
    calls.departures[position] = times[at + TIME.departure] as number;
    calls.earliestDepartures[position] = times[at + TIME.earliest] as number;
    calls.latestArrivals[position] = times[at + TIME.latest] as number;
    if (notices.isEmpty) continue;
    const found = notices.findHashed(
      (times[at + TIME.idHigh] as number) >>> 0,
      (times[at + TIME.idLow] as number) >>> 0,
    );
    if (found) {
      noticeIds ??= new Map();
      noticeIds.set(position, found);
    }
  }
  return { ...calls, noticeIds };
}

function positionOf(
  { patternStopIds: ids }: JourneyImport,
  patternStop: number,
  place: number,
  { stops, positions }: MappedPattern,
): number | undefined {
  if (patternStop === NO_PATTERN_STOP) return place < stops.length ? place : undefined;
  const id = ids[patternStop];
  // The times are nearly always in the order of the stops.
  if (stops[place]?.id === id) return place;
  return id === undefined ? undefined : positions.get(id);
}

/** Offsets of a frequency journey's departures; undefined for other journeys. */
function offsetsOf(scope: Scope, journey: StoredJourney, firstDeparture: number): readonly number[] | undefined {
  const groups = [...journey.headways, ...journey.headwayRefs.flatMap((ref) => scope.find('headways', ref) ?? [])];
  if (groups.length === 0 && journey.kind !== 'TemplateServiceJourney' && journey.headwayRefs.length === 0) {
    return undefined;
  }
  const offsets = new Set<number>();
  for (const group of groups) for (const departure of departuresOf(group)) offsets.add(departure - firstDeparture);
  return [...offsets].sort((a, b) => a - b);
}

function* departuresOf({ firstDeparture, lastDeparture, intervalSeconds }: HeadwayEntity): Generator<number> {
  if (firstDeparture === ABSENT || intervalSeconds === undefined || intervalSeconds <= 0) return;
  let left = MOST_DEPARTURES;
  for (let time = firstDeparture; time <= lastDeparture && left > 0; time += intervalSeconds, left--) yield time;
}
