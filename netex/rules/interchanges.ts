/** An interchange's own values in a line file: INTERCHANGE_1 to 3. */
import { parseDuration } from '../model/clock-time.ts';
import type { OpenElement } from '../xml/scan.ts';
import type { Check } from './check.ts';
import { idOf } from './children.ts';
import { lineFileRule } from './rule.ts';

export const INTERCHANGE_1 = lineFileRule(
  'INTERCHANGE_1',
  'WARNING',
  'Interchange invalid properties',
  'Interchange uses Planned or Advertised',
  '<ServiceJourneyInterchange …><Planned>true</Planned>',
  'Leave Planned and Advertised out; an interchange that is sent is both.',
);
export const INTERCHANGE_2 = lineFileRule(
  'INTERCHANGE_2',
  'WARNING',
  'Interchange unexpected MaximumWaitTime',
  'Guaranteed interchange with a maximum wait of zero',
  '<Guaranteed>true</Guaranteed><MaximumWaitTime>PT0S</MaximumWaitTime>',
  'Say how long the second journey waits, or leave the MaximumWaitTime out.',
);
export const INTERCHANGE_3 = lineFileRule(
  'INTERCHANGE_3',
  'WARNING',
  'Interchange excessive MaximumWaitTime',
  'Interchange maximum wait above one hour',
  '<MaximumWaitTime>PT2H</MaximumWaitTime>',
  'Check the MaximumWaitTime: it is how long the second journey may be held, at most one hour.',
);

const LONGEST_WAIT_SECONDS = 3600;
/** Years or months, as in P1M written for a minute, which is PT1M. */
const HAS_MONTHS = /^P[^T]*[1-9]\d*[YM]/;

const interchanges: Check = {
  rules: [INTERCHANGE_1, INTERCHANGE_2, INTERCHANGE_3],
  begin(run) {
    let interchange: OpenElement | undefined;
    let isGuaranteed = false;
    let wait: string | undefined;
    let marked: string[] = [];
    const mark = ({ parent, name }: OpenElement): void => {
      if (interchange !== undefined && parent === interchange) marked.push(name);
    };
    const check = (element: OpenElement): void => {
      const said = `ServiceJourneyInterchange${idOf(element)}`;
      if (marked.length > 0) {
        const names = marked.join(' and ');
        run.report(INTERCHANGE_1, element, () => `${said} has ${names}; expected neither Planned nor Advertised.`);
      }
      if (wait === undefined) return;
      const seconds = parseDuration(wait) ?? (HAS_MONTHS.test(wait) ? Number.POSITIVE_INFINITY : undefined);
      if (seconds === undefined) return;
      if (isGuaranteed && seconds === 0)
        run.report(INTERCHANGE_2, element, () => `${said} is guaranteed but waits ${wait}; expected some time.`);
      if (seconds > LONGEST_WAIT_SECONDS)
        run.report(
          INTERCHANGE_3,
          element,
          () => `${said} has the MaximumWaitTime ${wait}; expected at most one hour, PT1H.`,
        );
    };
    return {
      start: {
        ServiceJourneyInterchange(element) {
          if (element.parent?.name !== 'journeyInterchanges') return;
          interchange = element;
          isGuaranteed = false;
          wait = undefined;
          marked = [];
        },
        Planned: mark,
        Advertised: mark,
      },
      end: {
        Guaranteed({ parent, text }) {
          if (interchange !== undefined && parent === interchange) isGuaranteed = /^\s*(true|1)\s*$/.test(text);
        },
        MaximumWaitTime({ parent, text }) {
          if (interchange !== undefined && parent === interchange) wait = text.trim();
        },
        ServiceJourneyInterchange(element) {
          if (element !== interchange) return;
          check(element);
          interchange = undefined;
        },
      },
    };
  },
};

export const interchangeChecks: readonly Check[] = [interchanges];
