/** Dead runs, journeys without passengers: DEAD_RUN_1 to DEAD_RUN_3. */
import type { Check } from './check.ts';
import { demandChildren, idOf } from './children.ts';
import { lineFileRule } from './rule.ts';

export const DEAD_RUN_1 = lineFileRule(
  'DEAD_RUN_1',
  'INFO',
  'DeadRun missing PassingTime references',
  'Dead run without passing times',
  '<DeadRun id="ABC:DeadRun:1" version="1"><JourneyPatternRef …/>…</DeadRun> without passingTimes',
  'Add passingTimes with the time at each point of its pattern.',
);
export const DEAD_RUN_2 = lineFileRule(
  'DEAD_RUN_2',
  'ERROR',
  'DeadRun missing JourneyPattern references',
  'Dead run without journey pattern',
  '<DeadRun id="ABC:DeadRun:1" version="1"><dayTypes>…</dayTypes>…</DeadRun> without JourneyPatternRef',
  'Add the JourneyPatternRef of the pattern that it follows.',
);
export const DEAD_RUN_3 = lineFileRule(
  'DEAD_RUN_3',
  'ERROR',
  'DeadRun missing DayType references',
  'Dead run without day types',
  '<DeadRun id="ABC:DeadRun:1" version="1"><JourneyPatternRef …/>…</DeadRun> without dayTypes',
  'Add dayTypes with a DayTypeRef for each kind of day on which it runs.',
);

const runsOnSomeDay: Check = {
  rules: [DEAD_RUN_3],
  begin(run) {
    let hasDay = false;
    return {
      start: {
        DeadRun() {
          hasDay = false;
        },
        DayTypeRef({ parent }) {
          if (parent?.name === 'dayTypes' && parent.parent?.name === 'DeadRun') hasDay = true;
        },
      },
      end: {
        DeadRun(element) {
          if (hasDay || element.parent?.name !== 'vehicleJourneys') return;
          run.report(
            DEAD_RUN_3,
            element,
            () => `DeadRun${idOf(element)} names no day type; expected dayTypes with a DayTypeRef.`,
          );
        },
      },
    };
  },
};

export const deadRunChecks: readonly Check[] = [
  demandChildren({ element: 'DeadRun', within: 'vehicleJourneys' }, [
    { rule: DEAD_RUN_1, child: 'passingTimes' },
    { rule: DEAD_RUN_2, child: 'JourneyPatternRef' },
  ]),
  runsOnSomeDay,
];
