/** Puts lines and journey patterns into the tables. */
import { DIRECTIONS, REQUEST_STOP } from '../catalogue/tables.ts';
import type { BookingArrangement, Branding } from '../model/entities.ts';
import { FOR_ALIGHTING, FOR_BOARDING } from '../model/transit.ts';
import { modeNumber } from './add-places.ts';
import type { JourneyPatternInput, LineInput, PatternStopInput } from './input.ts';
import type { PackedInput } from './packed-input.ts';

/** Half the circumference of the earth. Its centimetres fit a section. */
const MOST_PATH_METRES = 20_000_000;

export function addLine(input: PackedInput, line: LineInput): void {
  input.tables.line.add({
    id: line.id,
    name: line.name,
    publicCode: line.publicCode,
    privateCode: line.privateCode,
    description: line.description,
    url: line.url,
    mode: modeNumber(line.mode),
    submode: line.submode,
    authority: line.authorityId,
    operator: line.operatorId,
    groups: line.groupIds,
    colour: line.colour,
    textColour: line.textColour,
    branding: brandingText(line.branding),
    flexibleLineType: line.flexibleLineType,
    booking: bookingText(line.booking),
    notices: line.noticeIds,
  });
}

/**
 * Repeats each display at the stops that follow. Before the first display the text stays empty, and `resolve-lines.ts`
 * uses the name of the last stop.
 */
export function addJourneyPattern(input: PackedInput, pattern: JourneyPatternInput): void {
  input.tables.journeyPattern.add({
    id: pattern.id,
    name: pattern.name,
    line: pattern.lineId,
    direction: pattern.direction === undefined ? 0 : DIRECTIONS.indexOf(pattern.direction),
    notices: pattern.noticeIds,
  });
  let frontText: string | undefined;
  let vias: readonly string[] | undefined;
  for (const stop of pattern.stops) {
    if (stop.frontText !== undefined || stop.vias !== undefined) vias = stop.vias;
    frontText = stop.frontText ?? frontText;
    addPatternStop(input, stop, frontText, vias);
  }
  input.patternStopsStart.push(input.tables.patternStop.count);
}

function addPatternStop(
  input: PackedInput,
  stop: PatternStopInput,
  frontText: string | undefined,
  vias: readonly string[] | undefined,
): void {
  input.tables.patternStop.add({
    quay: stop.quayId,
    flags:
      (stop.forBoarding ? FOR_BOARDING : 0) |
      (stop.forAlighting ? FOR_ALIGHTING : 0) |
      (stop.requestStop === true ? REQUEST_STOP : 0),
    frontText,
    vias,
    booking: bookingText(stop.booking),
    notices: stop.noticeIds,
    path: input.polylines.numberOf(stop.path),
    pathCentimetres: centimetresOf(stop.pathMetres),
  });
}

/** Returns −1 where the path must be measured. */
function centimetresOf(metres: number | undefined): number {
  const isLength = metres !== undefined && metres >= 0 && metres <= MOST_PATH_METRES;
  return isLength ? Math.round(metres * 100) : -1;
}

/** Writes the members in a fixed order, so that equal arrangements are one text. */
export function bookingText(booking: BookingArrangement | undefined): string | undefined {
  if (booking === undefined) return undefined;
  const { methods, bookWhen, latestBookingTime, minimumBookingPeriod, note, contact } = booking;
  const { contactPerson, email, phone, url, furtherDetails } = contact ?? {};
  const contactOut = contact === undefined ? undefined : { contactPerson, email, phone, url, furtherDetails };
  return JSON.stringify({ methods, bookWhen, latestBookingTime, minimumBookingPeriod, note, contact: contactOut });
}

function brandingText(branding: Branding | undefined): string | undefined {
  if (branding === undefined) return undefined;
  const { id, name, shortName, description, url, image } = branding;
  return JSON.stringify({ id, name, shortName, description, url, image });
}
