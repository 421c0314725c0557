/** Periods of validity in a file with a CompositeFrame: COMPOSITE_FRAME_3 to 6. */

import type { Check } from './check.ts';
import { idOf, watchChildren } from './children.ts';
import { endsBeforeItStarts } from './dates.ts';
import { defineStructureRule, type Rule } from './rule.ts';

function periodRule(code: string, name: string, meaning: string, example: string, mend: string): Rule {
  return defineStructureRule({ code, severity: 'ERROR', name, meaning, example, mend });
}

const ADD_DAY = 'Add a FromDate, a ToDate or both.';
const TURN = 'Correct FromDate or ToDate so that the period begins before it ends.';

export const COMPOSITE_FRAME_3 = periodRule(
  'COMPOSITE_FRAME_3',
  'CompositeFrame - missing ValidBetween',
  'A ValidBetween has neither FromDate nor ToDate',
  '<ValidBetween/>',
  ADD_DAY,
);
export const COMPOSITE_FRAME_4 = periodRule(
  'COMPOSITE_FRAME_4',
  'CompositeFrame - invalid ValidBetween',
  'A ValidBetween ends before it starts',
  '<ValidBetween><FromDate>2026-02-01T00:00:00</FromDate><ToDate>2026-01-01T00:00:00</ToDate></ValidBetween>',
  TURN,
);
export const COMPOSITE_FRAME_5 = periodRule(
  'COMPOSITE_FRAME_5',
  'CompositeFrame - invalid AvailabilityCondition',
  'An AvailabilityCondition ends before it starts',
  '<AvailabilityCondition …><FromDate>2026-02-01T00:00:00</FromDate><ToDate>2026-01-01T00:00:00</ToDate></AvailabilityCondition>',
  TURN,
);
export const COMPOSITE_FRAME_6 = periodRule(
  'COMPOSITE_FRAME_6',
  'CompositeFrame - missing AvailabilityCondition',
  'An AvailabilityCondition has neither FromDate nor ToDate',
  '<AvailabilityCondition id="ABC:AvailabilityCondition:1" version="1"/>',
  ADD_DAY,
);

function periodCheck(name: string, empty: Rule, backwards: Rule): Check {
  return {
    rules: [empty, backwards],
    begin(run) {
      let hasComposite = false;
      const watched = watchChildren({ element: name }, ['FromDate', 'ToDate'], (element, texts) => {
        const from = texts.get('FromDate');
        const to = texts.get('ToDate');
        if (!hasComposite) return;
        if (from === undefined && to === undefined) {
          run.report(
            empty,
            element,
            () => `${name}${idOf(element)} has neither FromDate nor ToDate; expected one or both.`,
          );
        } else if (from !== undefined && to !== undefined && endsBeforeItStarts(from, to)) {
          run.report(
            backwards,
            element,
            () => `${name}${idOf(element)} runs from ${from} to ${to}; expected the end after the beginning.`,
          );
        }
      });
      return {
        start: {
          ...watched.start,
          CompositeFrame() {
            hasComposite = true;
          },
        },
        end: watched.end,
      };
    },
  };
}

export const validityPeriodChecks: readonly Check[] = [
  periodCheck('ValidBetween', COMPOSITE_FRAME_3, COMPOSITE_FRAME_4),
  periodCheck('AvailabilityCondition', COMPOSITE_FRAME_6, COMPOSITE_FRAME_5),
];
