/** Lines and flexible lines: LINE_1 to LINE_9, FLEXIBLE_LINE_1, 10 and 11. */
import type { OpenElement } from '../xml/scan.ts';
import type { Check } from './check.ts';
import { type ChildDemand, demandChildren, idOf, watchChildren } from './children.ts';
import { type NotedPlace, notePlace } from './finding-list.ts';
import * as rules from './line-rules.ts';

const DEMANDS: readonly ChildDemand[] = [
  { rule: rules.LINE_2, child: 'Name', filled: true },
  { rule: rules.LINE_3, child: 'PublicCode', filled: true },
  { rule: rules.LINE_4, child: 'TransportMode' },
  { rule: rules.LINE_5, child: 'TransportSubmode' },
  { rule: rules.LINE_7, child: 'RepresentedByGroupRef' },
];

function isLine(element: OpenElement | undefined): element is OpenElement {
  const isOne = element?.name === 'Line' || element?.name === 'FlexibleLine';
  return isOne && element?.parent?.name === 'lines';
}

const oneLine: Check = {
  rules: [rules.LINE_1],
  begin(run) {
    const lines: NotedPlace[] = [];
    let count = 0;
    let serviceFrame: NotedPlace | undefined;
    const countLine = (element: OpenElement): void => {
      if (!isLine(element)) return;
      count++;
      if (lines.length < 2) lines.push(notePlace(element));
    };
    return {
      start: {
        Line: countLine,
        FlexibleLine: countLine,
        ServiceFrame(element) {
          serviceFrame ??= notePlace(element);
        },
      },
      finish() {
        if (count === 1 || !serviceFrame) return;
        const place = lines[1] ?? serviceFrame;
        run.report(
          rules.LINE_1,
          place,
          () =>
            `The file defines ${count === 0 ? 'no line' : `${count} lines`}; expected exactly one Line or FlexibleLine.`,
        );
      },
    };
  },
};

const routesAreNotInLines: Check = {
  rules: [rules.LINE_6],
  begin: (run) => ({
    start: {
      Route(element) {
        const line = element.parent?.name === 'routes' ? element.parent.parent : undefined;
        if (!isLine(line)) return;
        run.report(
          rules.LINE_6,
          element,
          () =>
            `Route${idOf(element)} is inside ${line.name}${idOf(line)}; expected it in the routes of the ServiceFrame.`,
        );
      },
    },
  }),
};

const coloursAreHexadecimal: Check = {
  rules: [rules.LINE_8, rules.LINE_9],
  begin(run) {
    const check = (element: OpenElement): void => {
      const presentation = element.parent?.name;
      if (presentation !== 'Presentation' && presentation !== 'AlternativePresentation') return;
      const line = element.parent?.parent;
      const text = element.text.trim();
      if (!isLine(line) || text === '') return;
      const said = `${element.name} of ${line.name}${idOf(line)} is "${text}"; expected six hexadecimal digits.`;
      if (text.length !== 6) run.report(rules.LINE_8, element, () => said);
      if (!/[0-9A-Fa-f]{6}/.test(text)) run.report(rules.LINE_9, element, () => said);
    };
    return { end: { Colour: check, TextColour: check } };
  },
};

const BOOKING = ['BookWhen', 'MinimumBookingPeriod', 'LatestBookingTime'];

const flexibleBooking: Check = {
  rules: [rules.FLEXIBLE_LINE_10, rules.FLEXIBLE_LINE_11],
  begin: (run) =>
    watchChildren({ element: 'FlexibleLine', within: 'lines' }, BOOKING, (element, texts) => {
      if (texts.has('BookWhen') && texts.has('MinimumBookingPeriod')) {
        run.report(
          rules.FLEXIBLE_LINE_10,
          element,
          () => `FlexibleLine${idOf(element)} has both BookWhen and MinimumBookingPeriod; expected one of them.`,
        );
      }
      if (texts.has('BookWhen') !== texts.has('LatestBookingTime')) {
        const [has, lacks] = texts.has('BookWhen')
          ? ['BookWhen', 'LatestBookingTime']
          : ['LatestBookingTime', 'BookWhen'];
        run.report(
          rules.FLEXIBLE_LINE_11,
          element,
          () => `FlexibleLine${idOf(element)} has ${has} but no ${lacks}; expected both or none.`,
        );
      }
    }),
};

export const lineChecks: readonly Check[] = [
  oneLine,
  demandChildren({ element: 'Line', within: 'lines' }, DEMANDS),
  demandChildren({ element: 'FlexibleLine', within: 'lines' }, [
    ...DEMANDS,
    { rule: rules.FLEXIBLE_LINE_1, child: 'FlexibleLineType' },
  ]),
  routesAreNotInLines,
  coloursAreHexadecimal,
  flexibleBooking,
];
