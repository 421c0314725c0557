/** Whether a journey's mode fits the quays it calls at: INVALID_TRANSPORT_MODE, INVALID_TRANSPORT_SUB_MODE. */
import type { ModelCheck } from '../model/model-check.ts';
import type { JourneyPattern } from '../model/timetable-model.ts';
import type { RuleRun } from './check.ts';
import { describeStop, geographyOf, type PlacedStop } from './pattern-geography.ts';
import { defineSemanticRule } from './rule.ts';

export const INVALID_TRANSPORT_MODE = defineSemanticRule({
  code: 'INVALID_TRANSPORT_MODE',
  severity: 'ERROR',
  name: 'Invalid transport mode',
  meaning: "A journey's mode of transport differs from the mode of a quay that it calls at",
  example: 'A ServiceJourney of a tram line whose stop point is assigned to a quay of a bus stop',
  mend: 'Assign the stop point to a quay of the right mode, or correct the mode of the journey or its line.',
});

export const INVALID_TRANSPORT_SUB_MODE = defineSemanticRule({
  code: 'INVALID_TRANSPORT_SUB_MODE',
  severity: 'ERROR',
  name: 'Invalid transport sub-mode',
  meaning: 'A journey that is not a rail replacement bus calls at a stop for rail replacement buses',
  example: 'A localBus journey whose stop point is assigned to a quay of a railReplacementBus stop',
  mend: "Assign the stop point to the quay of an ordinary bus stop, or set the journey's BusSubmode to railReplacementBus.",
});

const RAIL_REPLACEMENT = 'railReplacementBus';
/** Quays listed in one message; the number is complete. */
const NAMED_QUAYS = 3;

/**
 * Other modes whose stops a journey of a mode may use. Only newer data has ferries as a water mode of its own, and
 * trolley buses have no stops of their own.
 */
const ALSO_USES: ReadonlyMap<string, readonly string[]> = new Map([
  ['bus', ['coach']],
  ['coach', ['bus']],
  ['trolleyBus', ['bus', 'coach']],
  ['taxi', ['bus', 'coach']],
  ['ferry', ['water']],
  ['water', ['ferry']],
]);

interface Mismatches {
  readonly mode: readonly PlacedStop[];
  readonly submode: readonly PlacedStop[];
}

function mayUse(journeyMode: string, stopMode: string): boolean {
  return journeyMode === stopMode || (ALSO_USES.get(journeyMode)?.includes(stopMode) ?? false);
}

function findMismatches(
  stops: ReadonlyArray<PlacedStop | undefined>,
  journeyMode: string,
  journeySubmode: string | undefined,
): Mismatches {
  const mode: PlacedStop[] = [];
  const submode: PlacedStop[] = [];
  for (const stop of new Set(stops)) {
    const stopMode = stop?.facts.transportMode;
    if (stop === undefined || stopMode === undefined || stopMode === 'unknown' || stopMode === 'all') continue;
    if (!mayUse(journeyMode, stopMode)) mode.push(stop);
    else if (
      journeyMode === stopMode &&
      stop.facts.transportSubmode === RAIL_REPLACEMENT &&
      journeySubmode !== RAIL_REPLACEMENT
    ) {
      submode.push(stop);
    }
  }
  return { mode, submode };
}

function describeQuays(run: RuleRun, stops: readonly PlacedStop[]): string {
  const named = stops
    .slice(0, NAMED_QUAYS)
    .map((stop) => describeStop(run, stop))
    .join(', ');
  return stops.length > NAMED_QUAYS ? `${named} and ${stops.length - NAMED_QUAYS} more` : named;
}

/** Once per journey; journeys of one pattern and mode share the lookup. */
const journeysUseTheirStops: ModelCheck = {
  rules: [INVALID_TRANSPORT_MODE, INVALID_TRANSPORT_SUB_MODE],
  check(run, model) {
    const geography = geographyOf(run, model);
    const known = new Map<JourneyPattern, Map<string, Mismatches>>();
    for (const journey of model.serviceJourneys) {
      const { pattern } = journey;
      const mode = model.transportModeOf(journey);
      if (pattern === undefined || mode === undefined) continue;
      const submode = model.transportSubmodeOf(journey);
      const ofPattern = known.get(pattern) ?? new Map<string, Mismatches>();
      known.set(pattern, ofPattern);
      const key = `${mode} ${submode ?? ''}`;
      const mismatches = ofPattern.get(key) ?? findMismatches(geography.stopsOf(pattern).stops, mode, submode);
      ofPattern.set(key, mismatches);
      if (mismatches.mode.length > 0) {
        run.report(INVALID_TRANSPORT_MODE, journey, () => {
          const modes = [...new Set(mismatches.mode.map((stop) => stop.facts.transportMode))].join(' and ');
          return `ServiceJourney ${journey.id} is ${mode}, but calls at stops for ${modes}: ${describeQuays(run, mismatches.mode)}; expected stops for ${mode}.`;
        });
      }
      if (mismatches.submode.length > 0) {
        run.report(
          INVALID_TRANSPORT_SUB_MODE,
          journey,
          () =>
            `ServiceJourney ${journey.id} is ${submode ?? 'a bus'}, but calls at stops for rail replacement buses: ${describeQuays(run, mismatches.submode)}; expected the submode ${RAIL_REPLACEMENT}.`,
        );
      }
    }
  },
};

export const quayModeChecks: readonly ModelCheck[] = [journeysUseTheirStops];
