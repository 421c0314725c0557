/** Journey patterns that repeat another: SAME_STOP_POINT_… and IDENTICAL_STOP_POINTS_IN_JOURNEY_PATTERNS. */
import type { ModelCheck } from '../model/model-check.ts';
import type { JourneyPattern, TimetableModel } from '../model/timetable-model.ts';
import { semanticRule } from './semantic-rule.ts';

export const SAME_STOP_POINT_IN_JOURNEY_PATTERNS = semanticRule(
  'SAME_STOP_POINT_IN_JOURNEY_PATTERNS',
  'WARNING',
  'JourneyPatterns have same StopPoints',
  'Two patterns visit the same stop points in the same order',
  'Two JourneyPatterns with the stop points A, B and C',
  'Use one JourneyPattern for all journeys that call at the same stop points.',
);
export const IDENTICAL_STOP_POINTS_IN_JOURNEY_PATTERNS = semanticRule(
  'IDENTICAL_STOP_POINTS_IN_JOURNEY_PATTERNS',
  'INFO',
  'Identical stop points in journey patterns',
  'Two patterns have identical stop sequences including boarding/alighting and displays',
  'Two JourneyPatterns at the same quays, with the same boarding, alighting and displays',
  'Keep one of the patterns and let all journeys refer to it.',
);

/** One finding for each pattern that repeats an earlier one: the repetition is the one to remove. */
function findRepeated(
  patterns: readonly JourneyPattern[],
  keyOf: (pattern: JourneyPattern) => string | undefined,
  report: (pattern: JourneyPattern, earlier: JourneyPattern) => void,
): void {
  const first = new Map<string, JourneyPattern>();
  for (const pattern of patterns) {
    const key = keyOf(pattern);
    if (key === undefined) continue;
    const earlier = first.get(key);
    if (earlier) report(pattern, earlier);
    else first.set(key, pattern);
  }
}

/** Undefined without stops, or when a stop has no reference: equality is then unknown. */
function stopPointsOf(pattern: JourneyPattern): string | undefined {
  let key = '';
  for (const { scheduledStopPointRef } of pattern.stops) {
    if (scheduledStopPointRef === undefined) return undefined;
    key += `${scheduledStopPointRef}\n`;
  }
  return key === '' ? undefined : key;
}

/**
 * Describes what passengers see at the stops: the quay (or the stop point without one), boarding and alighting, and the
 * display. A display stays until the next one. Boarding is allowed unless the file forbids it.
 */
function sightOf(model: TimetableModel, pattern: JourneyPattern): string | undefined {
  let key = '';
  let display = '';
  for (const stop of pattern.stops) {
    const { scheduledStopPointRef, forBoarding, forAlighting } = stop;
    if (scheduledStopPointRef === undefined) return undefined;
    display = stop.destinationDisplayRef ?? display;
    const quay = model.findStopAssignment(scheduledStopPointRef)?.quayRef ?? scheduledStopPointRef;
    key += `${quay} ${forBoarding !== false} ${forAlighting !== false} ${display}\n`;
  }
  return key === '' ? undefined : key;
}

const stopPointsDiffer: ModelCheck = {
  rules: [SAME_STOP_POINT_IN_JOURNEY_PATTERNS],
  check(run, { journeyPatterns }) {
    findRepeated(journeyPatterns, stopPointsOf, (pattern, earlier) =>
      run.report(
        SAME_STOP_POINT_IN_JOURNEY_PATTERNS,
        pattern,
        () =>
          `${pattern.kind} ${pattern.id} visits the same stop points in the same order as ${earlier.id}; expected one pattern for them.`,
      ),
    );
  },
};

const patternsDiffer: ModelCheck = {
  rules: [IDENTICAL_STOP_POINTS_IN_JOURNEY_PATTERNS],
  check(run, model) {
    findRepeated(
      model.journeyPatterns,
      (pattern) => sightOf(model, pattern),
      (pattern, earlier) =>
        run.report(
          IDENTICAL_STOP_POINTS_IN_JOURNEY_PATTERNS,
          pattern,
          () =>
            `${pattern.kind} ${pattern.id} has the same quays, boarding, alighting and destination displays as ${earlier.id}; one of them would do.`,
        ),
    );
  },
};

export const repeatedPatternChecks: readonly ModelCheck[] = [stopPointsDiffer, patternsDiffer];
