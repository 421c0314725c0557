/** Journey patterns: JOURNEY_PATTERN_1 to 3, 8 and 9. Their stops: journey-pattern-stops.ts. */
import type { Check } from './check.ts';
import { demandChildren, idOf, watchChildren } from './children.ts';
import { type NotedPlace, notePlace } from './finding-list.ts';
import * as rules from './journey-pattern-rules.ts';
import { patternStopChecks } from './journey-pattern-stops.ts';

const patternsAreThere: Check = {
  rules: [rules.JOURNEY_PATTERN_1, rules.JOURNEY_PATTERN_2],
  begin(run) {
    let hasPattern = false;
    let serviceFrame: NotedPlace | undefined;
    return {
      start: {
        ServiceFrame(element) {
          serviceFrame ??= notePlace(element);
        },
        JourneyPattern({ parent }) {
          if (parent?.name === 'journeyPatterns') hasPattern = true;
        },
        ServiceJourneyPattern(element) {
          if (element.parent?.name !== 'journeyPatterns') return;
          run.report(
            rules.JOURNEY_PATTERN_1,
            element,
            () => `The pattern${idOf(element)} is a ServiceJourneyPattern; expected a JourneyPattern.`,
          );
        },
      },
      finish() {
        if (hasPattern || !serviceFrame) return;
        run.report(
          rules.JOURNEY_PATTERN_2,
          serviceFrame,
          () => 'The file has no JourneyPattern; expected at least one.',
        );
      },
    };
  },
};

const stopBooking: Check = {
  rules: [rules.JOURNEY_PATTERN_8, rules.JOURNEY_PATTERN_9],
  begin: (run) =>
    watchChildren(
      { element: 'BookingArrangements', within: 'StopPointInJourneyPattern' },
      ['BookWhen', 'MinimumBookingPeriod', 'LatestBookingTime'],
      (booking, texts) => {
        const stop = booking.parent ? idOf(booking.parent) : '';
        if (texts.has('BookWhen') && texts.has('MinimumBookingPeriod')) {
          run.report(
            rules.JOURNEY_PATTERN_8,
            booking,
            () => `The booking of stop point${stop} has both BookWhen and MinimumBookingPeriod; expected one of them.`,
          );
        }
        if (texts.has('BookWhen') === texts.has('LatestBookingTime')) return;
        const [has, lacks] = texts.has('BookWhen')
          ? ['BookWhen', 'LatestBookingTime']
          : ['LatestBookingTime', 'BookWhen'];
        run.report(
          rules.JOURNEY_PATTERN_9,
          booking,
          () => `The booking of stop point${stop} has ${has} but no ${lacks}; expected both or none.`,
        );
      },
    ),
};

export const journeyPatternChecks: readonly Check[] = [
  patternsAreThere,
  demandChildren({ element: 'JourneyPattern', within: 'journeyPatterns' }, [
    { rule: rules.JOURNEY_PATTERN_3, child: 'RouteRef' },
  ]),
  ...patternStopChecks,
  stopBooking,
];
