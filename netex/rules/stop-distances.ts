/**
 * Distances between neighbouring stops of a pattern: DISTANCE_BETWEEN_STOP_POINTS_MORE_THAN and _LESS_THAN_EXPECTED.
 */
import type { ModelCheck } from '../model/model-check.ts';
import type { JourneyPattern, TimetableModel } from '../model/timetable-model.ts';
import { findModeLimits, type ModeLimits, mostLenient } from './mode-limits.ts';
import { describeMetres, describeStop, geographyOf } from './pattern-geography.ts';
import { defineSemanticRule } from './rule.ts';

const EXAMPLE_OF_FAR =
  'A bus pattern whose neighbouring stop points are assigned to quays in two towns, 40 km from each other';
const EXAMPLE_OF_NEAR = 'A bus pattern that calls at both quays of one stop, 20 m from each other';

export const DISTANCE_BETWEEN_STOP_POINTS_MORE_THAN_EXPECTED = defineSemanticRule({
  code: 'DISTANCE_BETWEEN_STOP_POINTS_MORE_THAN_EXPECTED',
  severity: 'WARNING',
  name: 'Distance between stop points is more than expected',
  meaning: "Neighbouring stops of a pattern are further apart than is usual for its journeys' mode of transport",
  example: EXAMPLE_OF_FAR,
  mend: 'Check which quays the two stop points are assigned to, and whether a stop between them is missing.',
});

export const DISTANCE_BETWEEN_STOP_POINTS_LESS_THAN_EXPECTED = defineSemanticRule({
  code: 'DISTANCE_BETWEEN_STOP_POINTS_LESS_THAN_EXPECTED',
  severity: 'WARNING',
  name: 'Distance between stop points is less than expected',
  meaning: "Neighbouring stops of a pattern are closer than is usual for its journeys' mode of transport",
  example: EXAMPLE_OF_NEAR,
  mend: 'Check which quays the two stop points are assigned to, and whether both are meant to be served.',
});

interface LimitsOfPattern {
  limits: ModeLimits;
  readonly modes: string[];
}

/**
 * A pattern has no mode of its own: its journeys have, or else the line. When they differ (a bus in place of some
 * trains), the most lenient limits apply.
 */
function limitsOfPatterns(model: TimetableModel): Map<JourneyPattern, LimitsOfPattern> {
  const found = new Map<JourneyPattern, LimitsOfPattern>();
  const withoutLimits = new Set<JourneyPattern>();
  for (const journey of model.serviceJourneys) {
    const { pattern } = journey;
    const mode = model.transportModeOf(journey);
    if (pattern === undefined || mode === undefined) continue;
    const known = found.get(pattern);
    if (known?.modes.includes(mode) || withoutLimits.has(pattern)) continue;
    const limits = findModeLimits(mode);
    if (!limits) {
      withoutLimits.add(pattern);
      found.delete(pattern);
    } else if (known) {
      known.limits = mostLenient(known.limits, limits);
      known.modes.push(mode);
    } else found.set(pattern, { limits, modes: [mode] });
  }
  for (const pattern of model.journeyPatterns) {
    if (found.has(pattern) || withoutLimits.has(pattern)) continue;
    const mode = model.findLineOfPattern(pattern)?.transportMode;
    const limits = findModeLimits(mode);
    if (mode !== undefined && limits) found.set(pattern, { limits, modes: [mode] });
  }
  return found;
}

const stopsAreAsFarApartAsUsual: ModelCheck = {
  rules: [DISTANCE_BETWEEN_STOP_POINTS_MORE_THAN_EXPECTED, DISTANCE_BETWEEN_STOP_POINTS_LESS_THAN_EXPECTED],
  check(run, model) {
    const geography = geographyOf(run, model);
    for (const [pattern, { limits, modes }] of limitsOfPatterns(model)) {
      const { stops, hopMetres } = geography.stopsOf(pattern);
      for (let place = 1; place < stops.length; place++) {
        const metres = hopMetres[place] as number;
        const isFar = metres > limits.maximumHopMetres;
        // A rule of its own covers a pattern that stays at its quay.
        const isNear = metres < limits.minimumHopMetres && stops[place]?.id !== stops[place - 1]?.id;
        if (!isFar && !isNear) continue;
        const rule = isFar
          ? DISTANCE_BETWEEN_STOP_POINTS_MORE_THAN_EXPECTED
          : DISTANCE_BETWEEN_STOP_POINTS_LESS_THAN_EXPECTED;
        run.report(rule, pattern.stops[place] ?? pattern, () => {
          const limit = isFar ? limits.maximumHopMetres : limits.minimumHopMetres;
          const bound = `at ${isFar ? 'most' : 'least'} ${describeMetres(limit)}`;
          const ends = `${describeStop(run, stops[place - 1])} to ${describeStop(run, stops[place])}`;
          return `${pattern.kind} ${pattern.id}: it is ${describeMetres(metres, limit)} from ${ends}; expected ${bound} for ${modes.join(' or ')}.`;
        });
      }
    }
  },
};

export const stopDistanceChecks: readonly ModelCheck[] = [stopsAreAsFarApartAsUsual];
