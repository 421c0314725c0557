/** Numbers lines and journey patterns, omits those with unknown references, and completes the patterns' displays. */
import { isKnown, type Numbering, numberRows, rowOf } from './numbering.ts';
import type { PackedInput } from './packed-input.ts';

/** Far more stops than any journey has. Boards and search store positions in few bits. */
const MOST_STOPS = 2000;

export function resolveLines(input: PackedInput, authority: Numbering): Numbering {
  const authorities = input.tables.line.numbers('authority');
  return numberRows(input.tables.line, input.texts, input.rejections, (row) =>
    isKnown(authority, authorities[row] ?? 0) ? undefined : 'unknown authority',
  );
}

export function resolvePatterns(input: PackedInput, line: Numbering, quay: Numbering): Numbering {
  const lines = input.tables.journeyPattern.numbers('line');
  const pattern = numberRows(input.tables.journeyPattern, input.texts, input.rejections, (row) => {
    if (!isKnown(line, lines[row] ?? 0)) return 'unknown line';
    return refusedStops(input, row, quay);
  });
  for (const row of pattern.order) completeDisplays(input, row, quay);
  return pattern;
}

function refusedStops(input: PackedInput, row: number, quay: Numbering): string | undefined {
  const begin = input.patternStopsStart.at(row);
  const end = input.patternStopsStart.at(row + 1);
  if (end - begin < 2) return 'fewer than two stops';
  if (end - begin > MOST_STOPS) return `more than ${MOST_STOPS} stops`;
  const quays = input.tables.patternStop.numbers('quay');
  for (let stop = begin; stop < end; stop++) {
    if (!isKnown(quay, quays[stop] ?? 0)) return 'unknown quay';
  }
  return undefined;
}

/** Patterns that have journeys. Patterns of dead runs or of removed journeys are omitted without a rejection. */
export function patternsInUse(input: PackedInput, pattern: Numbering, journey: Numbering): Numbering {
  const patterns = input.tables.serviceJourney.numbers('pattern');
  const isUsed = new Uint8Array(pattern.order.length);
  for (const row of journey.order) {
    const index = pattern.indexOf[patterns[row] ?? 0] ?? -1;
    if (index >= 0) isUsed[index] = 1;
  }
  let count = 0;
  const newIndex = Int32Array.from(isUsed, (used) => (used === 1 ? count++ : -1));
  return {
    order: pattern.order.filter((_, index) => isUsed[index] === 1),
    indexOf: pattern.indexOf.map((index) => (index < 0 ? -1 : (newIndex[index] ?? -1))),
  };
}

/** Uses the name of the last stop as the missing display. */
function completeDisplays(input: PackedInput, row: number, quay: Numbering): void {
  const frontTexts = input.tables.patternStop.column('frontText').values;
  const end = input.patternStopsStart.at(row + 1);
  const lastQuay = rowOf(quay, input.tables.patternStop.column('quay').values.at(end - 1));
  const lastName = input.tables.quay.column('name').values.at(lastQuay);
  for (let stop = input.patternStopsStart.at(row); stop < end; stop++) {
    if (frontTexts.at(stop) === 0) frontTexts.set(stop, lastName);
  }
}
