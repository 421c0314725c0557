/** Puts journeys, their dated journeys and interchanges into the tables. */
import { ALTERATIONS, INTERCHANGE_GUARANTEED, INTERCHANGE_STAY_SEATED, PRIORITIES } from '../catalogue/tables.ts';
import { bookingText } from './add-lines.ts';
import { accessibilityNumber, modeNumber } from './add-places.ts';
import type { DatedServiceJourneyInput, InterchangeInput, ServiceJourneyInput } from './input.ts';
import type { PackedInput } from './packed-input.ts';

/** `serviceJourney.mode` of a journey that takes its line's mode. */
export const MODE_OF_LINE = -1;

const ONE_DEPARTURE = [0];

/**
 * Limit for the calls of one frequency journey, its departures times its stops. It allows a departure every half minute
 * of a day with a hundred stops; data with more is wrong.
 */
const MOST_CALLS_OF_JOURNEY = 400_000;
/**
 * Limit for the calls of all frequency journeys together, so that a few lines of a dataset cannot fill the memory. It
 * allows 25 days of a whole country.
 */
const MOST_CALLS_OF_FREQUENCIES = 50_000_000;

export function addServiceJourney(input: PackedInput, journey: ServiceJourneyInput): void {
  if (!areTimes(journey.arrivals, journey.departures)) {
    input.rejections.add('serviceJourney', 'times missing or not ascending', journey.id);
    return;
  }
  const departures = journey.startOffsets ?? ONE_DEPARTURE;
  if (departures.length > 1 && !hasRoomFor(input, departures.length * journey.arrivals.length)) {
    input.rejections.add('serviceJourney', 'more departures than can be', journey.id);
    return;
  }
  const daySet = input.daySets.numberOf(journey.days);
  if (daySet === undefined) {
    input.rejections.add('serviceJourney', 'more sets of days than can be kept', journey.id);
    return;
  }
  input.tables.serviceJourney.add({
    id: journey.id,
    privateCode: journey.privateCode,
    publicCode: journey.publicCode,
    pattern: journey.patternId,
    mode: journey.mode === undefined ? MODE_OF_LINE : modeNumber(journey.mode),
    submode: journey.submode,
    operator: journey.operatorId,
    accessibility: accessibilityNumber(journey.accessibility),
    booking: bookingText(journey.booking),
    notices: journey.noticeIds,
  });
  input.journeyTimesStart.push(input.arrivals.length);
  input.journeyCalls.push(journey.arrivals.length);
  input.journeyDays.push(daySet);
  input.journeySearchable.push(journey.searchable === false ? 0 : 1);
  input.arrivals.pushAll(journey.arrivals);
  input.departures.pushAll(journey.departures);
  input.startOffsets.pushAll(departures);
  input.journeyOffsetsStart.push(input.startOffsets.length);
  addCallNotices(input, journey);
}

function hasRoomFor(input: PackedInput, calls: number): boolean {
  if (calls > MOST_CALLS_OF_JOURNEY || input.frequencyCalls + calls > MOST_CALLS_OF_FREQUENCIES) return false;
  input.frequencyCalls += calls;
  return true;
}

function addCallNotices(input: PackedInput, journey: ServiceJourneyInput): void {
  for (const [position, noticeIds] of journey.callNoticeIds ?? []) {
    for (const notice of noticeIds) input.tables.callNotice.add({ position, notice });
  }
  input.callNoticesStart.push(input.tables.callNotice.count);
}

export function addDatedServiceJourney(input: PackedInput, dated: DatedServiceJourneyInput): void {
  input.tables.datedServiceJourney.add({
    id: dated.id,
    journey: dated.journeyId,
    day: dated.day,
    alteration: ALTERATIONS.indexOf(dated.alteration),
    replaces: dated.replacesIds,
  });
}

export function addInterchange(input: PackedInput, interchange: InterchangeInput): void {
  input.tables.interchange.add({
    id: interchange.id,
    fromJourney: interchange.fromJourneyId,
    fromPosition: interchange.fromPosition,
    toJourney: interchange.toJourneyId,
    toPosition: interchange.toPosition,
    flags:
      (interchange.staySeated ? INTERCHANGE_STAY_SEATED : 0) | (interchange.guaranteed ? INTERCHANGE_GUARANTEED : 0),
    priority: PRIORITIES.indexOf(interchange.priority),
    maximumWaitSeconds: interchange.maximumWaitSeconds ?? -1,
  });
}

function areTimes(arrivals: readonly number[], departures: readonly number[]): boolean {
  if (arrivals.length !== departures.length) return false;
  let before = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < arrivals.length; index++) {
    const arrival = arrivals[index] ?? Number.NaN;
    const departure = departures[index] ?? Number.NaN;
    if (!(arrival >= before && departure >= arrival && departure < Number.MAX_SAFE_INTEGER)) return false;
    before = departure;
  }
  return true;
}
