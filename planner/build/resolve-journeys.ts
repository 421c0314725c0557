/**
 * Numbers journeys, dated journeys and interchanges. Journeys that do not fit their pattern or have no day are omitted.
 * A journey that is cancelled on all its days stays, because its dated journeys refer to it.
 */
import { MODE_OF_LINE } from './add-journeys.ts';
import { isKnown, type Numbering, numberRows, rowOf } from './numbering.ts';
import type { PackedInput } from './packed-input.ts';
import { isWithin, type ServicePeriod } from './service-period.ts';

/** Limit of twice the days of the longest snapshot. Other areas read all dated journeys of a journey as one row. */
const MOST_DATED_JOURNEYS = 8_000;

/**
 * Later than any journey ends. A later time is an error, and every search would have to look back over all those days.
 */
const LATEST_SECONDS = 10 * 86_400;

export function resolveJourneys(
  input: PackedInput,
  period: ServicePeriod,
  line: Numbering,
  pattern: Numbering,
): Numbering {
  const patterns = input.tables.serviceJourney.numbers('pattern');
  const ids = input.tables.serviceJourney.numbers('id');
  const isDated = datedJourneyIds(input, period);
  const journey = numberRows(input.tables.serviceJourney, input.texts, input.rejections, (row) => {
    const patternRow = rowOf(pattern, patterns[row] ?? 0);
    if (patternRow < 0) return 'unknown journey pattern';
    const hasNoDay = isDated[ids[row] ?? 0] !== 1 && !hasDay(input, row, period);
    return refusedTimes(input, row, patternRow) ?? (hasNoDay ? 'no service day' : undefined);
  });
  for (const row of journey.order) inheritFromLine(input, row, line, pattern);
  return journey;
}

/** Returns 1 at the text number of each journey that a dated journey of the period names. */
function datedJourneyIds(input: PackedInput, period: ServicePeriod): Uint8Array {
  const isDated = new Uint8Array(input.texts.size);
  const journeys = input.tables.datedServiceJourney.numbers('journey');
  const days = input.tables.datedServiceJourney.numbers('day');
  for (let row = 0; row < journeys.length; row++) if (isWithin(days[row] ?? 0, period)) isDated[journeys[row] ?? 0] = 1;
  return isDated;
}

function refusedTimes(input: PackedInput, row: number, patternRow: number): string | undefined {
  const calls = input.journeyCalls.at(row);
  const stops = input.patternStopsStart.at(patternRow + 1) - input.patternStopsStart.at(patternRow);
  if (calls !== stops) return 'times do not fit its journey pattern';
  const firstOffset = input.journeyOffsetsStart.at(row);
  const endOffset = input.journeyOffsetsStart.at(row + 1);
  if (firstOffset === endOffset) return 'no departure';
  const times = input.journeyTimesStart.at(row);
  for (let offset = firstOffset; offset < endOffset; offset++) {
    const shift = input.startOffsets.at(offset);
    if (input.arrivals.at(times) + shift < 0) return 'times before its service day';
    if (input.departures.at(times + calls - 1) + shift > LATEST_SECONDS) return 'times many days after its service day';
  }
  return undefined;
}

function hasDay(input: PackedInput, row: number, period: ServicePeriod): boolean {
  for (const day of input.daySets.days(input.journeyDays.at(row))) if (isWithin(day, period)) return true;
  return false;
}

/** A journey without its own mode or operator takes its line's. A submode belongs to the mode of the same element. */
function inheritFromLine(input: PackedInput, row: number, line: Numbering, pattern: Numbering): void {
  const { serviceJourney, journeyPattern, line: lines } = input.tables;
  const patternRow = rowOf(pattern, serviceJourney.column('pattern').values.at(row));
  const lineRow = rowOf(line, journeyPattern.column('line').values.at(patternRow));
  const modes = serviceJourney.column('mode').values;
  const submodes = serviceJourney.column('submode').values;
  const operators = serviceJourney.column('operator').values;
  const lineMode = lines.column('mode').values.at(lineRow);
  if (modes.at(row) === MODE_OF_LINE) modes.set(row, lineMode);
  if (submodes.at(row) === 0 && modes.at(row) === lineMode) {
    submodes.set(row, lines.column('submode').values.at(lineRow));
  }
  if (operators.at(row) === 0) operators.set(row, lines.column('operator').values.at(lineRow));
}

export function resolveDatedJourneys(input: PackedInput, period: ServicePeriod, journey: Numbering): Numbering {
  const journeys = input.tables.datedServiceJourney.numbers('journey');
  const days = input.tables.datedServiceJourney.numbers('day');
  const counts = new Int32Array(input.texts.size);
  return numberRows(input.tables.datedServiceJourney, input.texts, input.rejections, (row) => {
    if (!isWithin(days[row] ?? 0, period)) return '';
    const id = journeys[row] ?? 0;
    if (!isKnown(journey, id)) return 'unknown service journey';
    const count = (counts[id] ?? 0) + 1;
    counts[id] = count;
    return count > MOST_DATED_JOURNEYS ? 'more than its journey can have' : undefined;
  });
}

export function resolveInterchanges(input: PackedInput, journey: Numbering): Numbering {
  const table = input.tables.interchange;
  const [fromJourneys, toJourneys] = [table.numbers('fromJourney'), table.numbers('toJourney')];
  const [fromPositions, toPositions] = [table.numbers('fromPosition'), table.numbers('toPosition')];
  return numberRows(table, input.texts, input.rejections, (row) => {
    const from = rowOf(journey, fromJourneys[row] ?? 0);
    const to = rowOf(journey, toJourneys[row] ?? 0);
    if (from < 0 || to < 0) return 'unknown service journey';
    const fits = isPosition(input, from, fromPositions[row]) && isPosition(input, to, toPositions[row]);
    return fits ? undefined : 'position outside its journey';
  });
}

function isPosition(input: PackedInput, journeyRow: number, position: number | undefined): boolean {
  return position !== undefined && position >= 0 && position < input.journeyCalls.at(journeyRow);
}
