/** The quays of journey patterns' stops: MISSING_SCHEDULED_STOP_ASSIGNMENT and SAME_QUAY_REF_IN_CONSECUTIVE_…. */
import type { ModelCheck } from '../model/model-check.ts';
import type { JourneyPattern, TimetableModel } from '../model/timetable-model.ts';
import { semanticRule } from './semantic-rule.ts';

export const MISSING_SCHEDULED_STOP_ASSIGNMENT = semanticRule(
  'MISSING_SCHEDULED_STOP_ASSIGNMENT',
  'ERROR',
  'Missing ScheduledStopAssignment for StopPointInJourneyPattern',
  'A stop point used by a pattern has no passenger stop assignment',
  'A JourneyPattern calls at ABC:ScheduledStopPoint:1, which no PassengerStopAssignment names',
  'Add a PassengerStopAssignment with the stop point and its quay in the stop register.',
);
export const SAME_QUAY_REF_IN_CONSECUTIVE_STOP_POINTS_IN_JOURNEY_PATTERN = semanticRule(
  'SAME_QUAY_REF_IN_CONSECUTIVE_STOP_POINTS_IN_JOURNEY_PATTERN',
  'WARNING',
  'Same quay refs in consecutive stop points',
  'Two neighbouring stops of a pattern map to the same quay',
  'Stops 3 and 4 of a JourneyPattern are both at NSR:Quay:1',
  'Take one of the stops out, or assign the right quay to its stop point.',
);

/**
 * Any assignment counts: PASSENGER_STOP_ASSIGNMENT_2 reports one without a quay, and a stop point that stands for an
 * area has a FlexibleStopAssignment and no quay. A pattern with dead runs only takes no passengers and needs none.
 */
const stopIsAssigned: ModelCheck = {
  rules: [MISSING_SCHEDULED_STOP_ASSIGNMENT],
  check(run, model) {
    let unused: ReadonlySet<JourneyPattern> | undefined;
    for (const pattern of model.journeyPatterns) {
      for (const stop of pattern.stops) {
        const { scheduledStopPointRef } = stop;
        if (scheduledStopPointRef === undefined || model.findStopAssignment(scheduledStopPointRef)) continue;
        unused ??= patternsOfDeadRunsOnly(model);
        if (unused.has(pattern)) break;
        run.report(
          MISSING_SCHEDULED_STOP_ASSIGNMENT,
          stop,
          () =>
            `${pattern.kind} ${pattern.id} calls at ${scheduledStopPointRef}, which is assigned to no quay; expected a PassengerStopAssignment for it.`,
        );
      }
    }
  },
};

function patternsOfDeadRunsOnly({ deadRuns, serviceJourneys }: TimetableModel): ReadonlySet<JourneyPattern> {
  const patterns = new Set<JourneyPattern>();
  for (const { pattern } of deadRuns) if (pattern) patterns.add(pattern);
  for (const { pattern } of serviceJourneys) if (pattern) patterns.delete(pattern);
  return patterns;
}

const neighboursDiffer: ModelCheck = {
  rules: [SAME_QUAY_REF_IN_CONSECUTIVE_STOP_POINTS_IN_JOURNEY_PATTERN],
  check(run, model) {
    for (const pattern of model.journeyPatterns) {
      let previous: string | undefined;
      for (const [index, stop] of pattern.stops.entries()) {
        const { scheduledStopPointRef } = stop;
        const assignment =
          scheduledStopPointRef === undefined ? undefined : model.findStopAssignment(scheduledStopPointRef);
        const quay = assignment?.quayRef;
        if (quay !== undefined && quay === previous) {
          run.report(
            SAME_QUAY_REF_IN_CONSECUTIVE_STOP_POINTS_IN_JOURNEY_PATTERN,
            stop,
            () =>
              `${pattern.kind} ${pattern.id} calls at ${quay} twice running, as stop ${index} and stop ${index + 1}; expected another quay for one of them.`,
          );
        }
        previous = quay;
      }
    }
  },
};

export const patternQuayChecks: readonly ModelCheck[] = [stopIsAssigned, neighboursDiffer];
