/**
 * Assignments of stop points to quays, and displays: PASSENGER_STOP_ASSIGNMENT_1 to 3, DESTINATION_DISPLAY_1 and 2.
 */
import { HashSet } from '../dataset/hash-set.ts';
import type { Check } from './check.ts';
import { demandChildren, idOf } from './children.ts';
import { defineStructureRule } from './rule.ts';

export const PASSENGER_STOP_ASSIGNMENT_1 = defineStructureRule({
  code: 'PASSENGER_STOP_ASSIGNMENT_1',
  severity: 'ERROR',
  name: 'PassengerStopAssignment missing ScheduledStopPointRef',
  meaning: 'Stop assignment without scheduled stop point',
  example: '<PassengerStopAssignment …><QuayRef ref="NSR:Quay:1"/></PassengerStopAssignment>',
  mend: 'Add the ScheduledStopPointRef of the stop point that the quay is for.',
});

export const PASSENGER_STOP_ASSIGNMENT_2 = defineStructureRule({
  code: 'PASSENGER_STOP_ASSIGNMENT_2',
  severity: 'ERROR',
  name: 'PassengerStopAssignment missing QuayRef',
  meaning: 'Stop assignment without quay',
  example: '<PassengerStopAssignment …><ScheduledStopPointRef …/></PassengerStopAssignment>',
  mend: 'Add the QuayRef of the quay in the stop register.',
});

export const PASSENGER_STOP_ASSIGNMENT_3 = defineStructureRule({
  code: 'PASSENGER_STOP_ASSIGNMENT_3',
  severity: 'WARNING',
  name: 'PassengerStopAssignment duplicated Quay assignment',
  meaning: 'Same quay assigned more than once',
  example: 'Two PassengerStopAssignments with <QuayRef ref="NSR:Quay:1"/>',
  mend: 'Use one scheduled stop point per quay.',
});

export const DESTINATION_DISPLAY_1 = defineStructureRule({
  code: 'DESTINATION_DISPLAY_1',
  severity: 'ERROR',
  name: 'DestinationDisplay missing FrontText',
  meaning: 'Destination display without front text',
  example: '<DestinationDisplay id="ABC:DestinationDisplay:1" version="1"/>',
  mend: 'Add the FrontText that passengers see on the vehicle.',
});

export const DESTINATION_DISPLAY_2 = defineStructureRule({
  code: 'DESTINATION_DISPLAY_2',
  severity: 'ERROR',
  name: 'DestinationDisplay missing DestinationDisplayRef on Via',
  meaning: 'Via entry without destination display reference',
  example: '<vias><Via/></vias>',
  mend: 'Add the DestinationDisplayRef of the place that is passed.',
});

/** Within one list of assignments; each repetition counts. */
const quayIsAssignedOnce: Check = {
  rules: [PASSENGER_STOP_ASSIGNMENT_3],
  begin(run) {
    let assigned = new HashSet();
    return {
      start: {
        stopAssignments() {
          assigned = new HashSet();
        },
        QuayRef(element) {
          const assignment = element.parent;
          const { ref } = element.attributes;
          if (ref === undefined || assignment?.name !== 'PassengerStopAssignment') return;
          run.hasher.hash(ref);
          if (assigned.add(run.hasher.high, run.hasher.low)) return;
          run.report(
            PASSENGER_STOP_ASSIGNMENT_3,
            assignment,
            () =>
              `PassengerStopAssignment${idOf(assignment)} assigns ${ref}, which another one assigns too; expected each quay once.`,
          );
        },
      },
    };
  },
};

export const stopAssignmentChecks: readonly Check[] = [
  demandChildren({ element: 'PassengerStopAssignment', within: 'stopAssignments' }, [
    { rule: PASSENGER_STOP_ASSIGNMENT_1, child: 'ScheduledStopPointRef' },
    { rule: PASSENGER_STOP_ASSIGNMENT_2, child: 'QuayRef' },
  ]),
  quayIsAssignedOnce,
  demandChildren({ element: 'DestinationDisplay', within: 'destinationDisplays' }, [
    { rule: DESTINATION_DISPLAY_1, child: 'FrontText', filled: true },
  ]),
  demandChildren({ element: 'Via', within: 'vias', around: 'DestinationDisplay' }, [
    { rule: DESTINATION_DISPLAY_2, child: 'DestinationDisplayRef' },
  ]),
];
