/**
 * Required speed between a journey's stops: HIGH_SPEED, WARNING_SPEED, LOW_SPEED.
 *
 * Distances are straight lines, so the true speed is higher. Two times in whole minutes may be off by two minutes
 * together. A journey is reported only if it is too fast, or too slow, at any rounding. Without time between two stops
 * there is no speed: SAME_DEPARTURE_ARRIVAL_TIME reports it. Stops after a decreasing time are not checked:
 * TIMETABLED_PASSING_TIME_NON_INCREASING_TIME reports it. Windows of flexible stops are not times.
 */
import { clockText } from '../model/clock-time.ts';
import type { ModelCheck } from '../model/model-check.ts';
import { ABSENT } from '../model/passing-times.ts';
import type { ServiceJourney, TimetableModel } from '../model/timetable-model.ts';
import type { RuleRun } from './check.ts';
import { findModeLimits, type ModeLimits } from './mode-limits.ts';
import { describeMetres, describeStop, geographyOf, metresBetween, type PlacedStops } from './pattern-geography.ts';
import { roundBeyond } from './round-beyond.ts';
import { defineSemanticRule, type Rule } from './rule.ts';

const MEND = 'Check the passing times at both stops, and which quays they are assigned to.';

export const HIGH_SPEED = defineSemanticRule({
  code: 'HIGH_SPEED',
  severity: 'ERROR',
  name: 'Too fast travel in ServiceJourney',
  meaning: 'Between two stops the journey would have to be faster than its mode of transport can be',
  example: 'A bus that departs at 10:00 and arrives 30 km away at 10:05',
  mend: MEND,
});

export const WARNING_SPEED = defineSemanticRule({
  code: 'WARNING_SPEED',
  severity: 'WARNING',
  name: 'Fast travel in ServiceJourney',
  meaning: 'Between two stops the journey would have to be faster than its mode of transport usually is',
  example: 'A bus that departs at 10:00 and arrives 10 km away at 10:05',
  mend: MEND,
});

export const LOW_SPEED = defineSemanticRule({
  code: 'LOW_SPEED',
  severity: 'WARNING',
  name: 'Slow travel in ServiceJourney',
  meaning: 'Between two stops the journey is slower than its mode of transport usually is',
  example: 'A bus that departs at 10:00 and arrives 1 km away at 11:00',
  mend: MEND,
});

const KM_PER_HOUR = 3.6;
/** Rounding of two times in whole minutes together. */
const ROUNDING_SECONDS = 120;
/** Closer than this, positions say nothing about speed. */
const SAME_SPOT_METRES = 1;

const speedsArePlausible: ModelCheck = {
  rules: [HIGH_SPEED, WARNING_SPEED, LOW_SPEED],
  check(run, model) {
    const geography = geographyOf(run, model);
    for (const journey of model.serviceJourneys) {
      const limits = findModeLimits(model.transportModeOf(journey));
      if (limits && journey.pattern) checkJourney(run, model, journey, limits, geography.stopsOf(journey.pattern));
    }
  },
};

function checkJourney(
  run: RuleRun,
  model: TimetableModel,
  journey: ServiceJourney,
  limits: ModeLimits,
  pattern: PlacedStops,
): void {
  const { arrival, departure, stop } = model.passingTimes;
  const end = journey.firstTime + journey.timeCount;
  for (let index = journey.firstTime + 1; index < end; index++) {
    const before = index - 1;
    const left = (departure[before] === ABSENT ? arrival[before] : departure[before]) as number;
    const reached = (arrival[index] === ABSENT ? departure[index] : arrival[index]) as number;
    if (left === ABSENT || reached === ABSENT) continue;
    if (reached < left || isReversed(arrival, departure, before) || isReversed(arrival, departure, index)) return;
    const metres = hopMetres(pattern, stop[before] as number, stop[index] as number);
    if (reached === left || !(metres >= SAME_SPOT_METRES)) continue;
    const rounding = roundingSeconds(left, reached);
    const seconds = reached - left;
    const slowestKmPerHour = (metres / (seconds + rounding)) * KM_PER_HOUR;
    const rule = ruleFor(slowestKmPerHour, (metres / Math.max(seconds - rounding, 1)) * KM_PER_HOUR, limits);
    if (rule)
      run.report(rule, model.placeOfTime(journey, index), () => describe(run, model, journey, index, rule, limits));
  }
}

function roundingSeconds(left: number, reached: number): number {
  return left % 60 === 0 && reached % 60 === 0 ? ROUNDING_SECONDS : 0;
}

function isReversed(arrival: Int32Array, departure: Int32Array, index: number): boolean {
  const leaves = departure[index] as number;
  return leaves !== ABSENT && leaves < (arrival[index] as number);
}

/** A time may refer to no stop of the pattern, and a journey may have no times at some stops. */
function hopMetres({ stops, hopMetres }: PlacedStops, from: number, to: number): number {
  if (from < 0 || to < 0) return Number.NaN;
  return to === from + 1 ? (hopMetres[to] as number) : metresBetween(stops[from], stops[to]);
}

function ruleFor(slowestKmPerHour: number, fastestKmPerHour: number, limits: ModeLimits): Rule | undefined {
  if (fastestKmPerHour < limits.minimumKmPerHour) return LOW_SPEED;
  if (slowestKmPerHour > limits.maximumKmPerHour) return HIGH_SPEED;
  return slowestKmPerHour > limits.warningKmPerHour ? WARNING_SPEED : undefined;
}

function describe(
  run: RuleRun,
  model: TimetableModel,
  journey: ServiceJourney,
  index: number,
  rule: Rule,
  limits: ModeLimits,
): string {
  const { arrival, departure, stop } = model.passingTimes;
  const left = (departure[index - 1] === ABSENT ? arrival[index - 1] : departure[index - 1]) as number;
  const reached = (arrival[index] === ABSENT ? departure[index] : arrival[index]) as number;
  const stops = journey.pattern ? geographyOf(run, model).stopsOf(journey.pattern).stops : [];
  const from = stops[stop[index - 1] as number];
  const to = stops[stop[index] as number];
  const metres = metresBetween(from, to);
  const kmPerHour = (metres / (reached - left)) * KM_PER_HOUR;
  const limit = limitOf(rule, limits);
  const rounding = roundingSeconds(left, reached) === 0 ? '' : ', two minutes of rounding allowed for';
  return (
    `ServiceJourney ${journey.id} leaves ${describeStop(run, from)} at ${clockText(left)} and is at ${describeStop(run, to)}, ` +
    `${describeMetres(metres)} away, at ${clockText(reached)}: ${roundBeyond(kmPerHour, limit, kmPerHour < 10 ? 1 : 0)} km/h; ` +
    `expected at ${rule === LOW_SPEED ? 'least' : 'most'} ${limit} km/h for ${model.transportModeOf(journey)}${rounding}.`
  );
}

function limitOf(rule: Rule, limits: ModeLimits): number {
  if (rule === LOW_SPEED) return limits.minimumKmPerHour;
  return rule === HIGH_SPEED ? limits.maximumKmPerHour : limits.warningKmPerHour;
}

export const speedChecks: readonly ModelCheck[] = [speedsArePlausible];
