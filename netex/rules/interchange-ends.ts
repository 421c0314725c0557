/**
 * The four ends of an interchange within its file: MISSING_… for absent ends, DUPLICATE_INTERCHANGES, and the
 * distance between its stops. The dataset stage checks that its journeys and stops fit together (dataset-rules.ts).
 */

import { distanceMetres } from '../geo/distance.ts';
import type { ModelCheck } from '../model/model-check.ts';
import type { ServiceJourneyInterchange, TimetableModel } from '../model/timetable-model.ts';
import type { Check, RuleRun } from './check.ts';
import { demandChildren } from './children.ts';
import { roundBeyond } from './round-beyond.ts';
import { defineSemanticRule } from './rule.ts';

export const MISSING_FROM_SERVICE_JOURNEY_IN_INTERCHANGE = defineSemanticRule({
  code: 'MISSING_FROM_SERVICE_JOURNEY_IN_INTERCHANGE',
  severity: 'ERROR',
  name: 'Mandatory field FromJourneyRef is missing in ServiceJourneyInterchange',
  meaning: 'Interchange without feeder journey',
  example: '<ServiceJourneyInterchange …> without <FromJourneyRef …/>',
  mend: 'Add the FromJourneyRef of the journey that passengers come from.',
});

export const MISSING_TO_SERVICE_JOURNEY_IN_INTERCHANGE = defineSemanticRule({
  code: 'MISSING_TO_SERVICE_JOURNEY_IN_INTERCHANGE',
  severity: 'ERROR',
  name: 'Mandatory field ToJourneyRef is missing in ServiceJourneyInterchange',
  meaning: 'Interchange without consumer journey',
  example: '<ServiceJourneyInterchange …> without <ToJourneyRef …/>',
  mend: 'Add the ToJourneyRef of the journey that passengers go on with.',
});

export const MISSING_FROM_STOP_POINT_IN_INTERCHANGE = defineSemanticRule({
  code: 'MISSING_FROM_STOP_POINT_IN_INTERCHANGE',
  severity: 'ERROR',
  name: 'Mandatory field FromPointRef is missing in ServiceJourneyInterchange',
  meaning: 'Interchange without feeder stop',
  example: '<ServiceJourneyInterchange …> without <FromPointRef …/>',
  mend: 'Add the FromPointRef of the stop point where passengers get off.',
});

export const MISSING_TO_STOP_POINT_IN_INTERCHANGE = defineSemanticRule({
  code: 'MISSING_TO_STOP_POINT_IN_INTERCHANGE',
  severity: 'ERROR',
  name: 'Mandatory field ToPointRef is missing in ServiceJourneyInterchange',
  meaning: 'Interchange without consumer stop',
  example: '<ServiceJourneyInterchange …> without <ToPointRef …/>',
  mend: 'Add the ToPointRef of the stop point where passengers get on.',
});

export const DUPLICATE_INTERCHANGES = defineSemanticRule({
  code: 'DUPLICATE_INTERCHANGES',
  severity: 'WARNING',
  name: 'Duplicate Interchanges found',
  meaning: 'Interchanges with the same from/to stop and journey',
  example: 'Two ServiceJourneyInterchanges from and to the same journeys at the same stop points',
  mend: 'Keep one of them.',
});

export const DISTANCE_BETWEEN_STOP_POINTS_IN_INTERCHANGE_IS_MORE_THAN_MAX_LIMIT = defineSemanticRule({
  code: 'DISTANCE_BETWEEN_STOP_POINTS_IN_INTERCHANGE_IS_MORE_THAN_MAX_LIMIT',
  severity: 'WARNING',
  name: 'Distance between stop points in interchange is more than maximum limit',
  meaning: 'Interchange stops more than 3000 m apart',
  example: 'An interchange between stop points whose quays are 4 km apart',
  mend: 'Name stops that passengers can walk between, or correct the quays of their stop assignments.',
});

export const DISTANCE_BETWEEN_STOP_POINTS_IN_INTERCHANGE_IS_MORE_THAN_WARNING_LIMIT = defineSemanticRule({
  code: 'DISTANCE_BETWEEN_STOP_POINTS_IN_INTERCHANGE_IS_MORE_THAN_WARNING_LIMIT',
  severity: 'WARNING',
  name: 'Distance between stop points in interchange is more than warning limit',
  meaning: 'Interchange stops more than 1000 m apart',
  example: 'An interchange between stop points whose quays are 1.5 km apart',
  mend: 'Name stops that are nearer to each other, or correct the quays of their stop assignments.',
});

const MAXIMUM_METRES = 3000;
const WARNING_METRES = 1000;

export const interchangeEndChecks: readonly Check[] = [
  demandChildren({ element: 'ServiceJourneyInterchange', within: 'journeyInterchanges' }, [
    { rule: MISSING_FROM_SERVICE_JOURNEY_IN_INTERCHANGE, child: 'FromJourneyRef' },
    { rule: MISSING_TO_SERVICE_JOURNEY_IN_INTERCHANGE, child: 'ToJourneyRef' },
    { rule: MISSING_FROM_STOP_POINT_IN_INTERCHANGE, child: 'FromPointRef' },
    { rule: MISSING_TO_STOP_POINT_IN_INTERCHANGE, child: 'ToPointRef' },
  ]),
];

/** The rules on missing ends report interchanges that lack one. */
const interchangeIsSaidOnce: ModelCheck = {
  rules: [DUPLICATE_INTERCHANGES],
  check(run, { interchanges }) {
    const first = new Map<string, ServiceJourneyInterchange>();
    for (const interchange of interchanges) {
      const { fromJourneyRef, toJourneyRef, fromPointRef, toPointRef } = interchange;
      if (!fromJourneyRef || !toJourneyRef || !fromPointRef || !toPointRef) continue;
      const key = `${fromJourneyRef} ${fromPointRef} ${toJourneyRef} ${toPointRef}`;
      const other = first.get(key);
      if (other) {
        run.report(
          DUPLICATE_INTERCHANGES,
          interchange,
          () =>
            `The interchange ${interchange.id} is the same as ${other.id} (line ${other.line}): from ${fromJourneyRef} at ${fromPointRef} to ${toJourneyRef} at ${toPointRef}; expected it once.`,
        );
      } else first.set(key, interchange);
    }
  },
};

/** Compares the positions of the quays that the stop points are assigned to; silent when one of them is unknown. */
const stopsAreNear: ModelCheck = {
  rules: [
    DISTANCE_BETWEEN_STOP_POINTS_IN_INTERCHANGE_IS_MORE_THAN_MAX_LIMIT,
    DISTANCE_BETWEEN_STOP_POINTS_IN_INTERCHANGE_IS_MORE_THAN_WARNING_LIMIT,
  ],
  check(run, model) {
    for (const interchange of model.interchanges) {
      const { fromPointRef, toPointRef } = interchange;
      if (!fromPointRef || !toPointRef || fromPointRef === toPointRef) continue;
      const [from, to] = [positionOf(run, model, fromPointRef), positionOf(run, model, toPointRef)];
      if (!from || !to) continue;
      const metres = distanceMetres(from.latitude, from.longitude, to.latitude, to.longitude);
      if (metres <= WARNING_METRES) continue;
      const tooFar = metres > MAXIMUM_METRES;
      const limit = tooFar ? MAXIMUM_METRES : WARNING_METRES;
      run.report(
        tooFar
          ? DISTANCE_BETWEEN_STOP_POINTS_IN_INTERCHANGE_IS_MORE_THAN_MAX_LIMIT
          : DISTANCE_BETWEEN_STOP_POINTS_IN_INTERCHANGE_IS_MORE_THAN_WARNING_LIMIT,
        interchange,
        () =>
          `The stops of the interchange ${interchange.id} are ${roundBeyond(metres, limit, 0)} m apart: ${fromPointRef} (${from.quay}) and ${toPointRef} (${to.quay}); expected at most ${limit} m.`,
      );
    }
  },
};

function positionOf(
  run: RuleRun,
  model: TimetableModel,
  stopPoint: string,
): { quay: string; latitude: number; longitude: number } | undefined {
  const quay = model.findStopAssignment(stopPoint)?.quayRef;
  if (quay === undefined) return undefined;
  const { latitude, longitude } = run.findStop(quay) ?? {};
  return latitude === undefined || longitude === undefined ? undefined : { quay, latitude, longitude };
}

export const interchangeEndModelChecks: readonly ModelCheck[] = [interchangeIsSaidOnce, stopsAreNear];
