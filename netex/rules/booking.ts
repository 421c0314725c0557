/**
 * Values of booking and flexible services: BOOKING_1 to 3, BUY_WHEN_1, FLEXIBLE_LINE_8 and 9, FLEXIBLE_SERVICE_1 to
 * 4. booking-given.ts checks that booking is given at all.
 */
import type { OpenElement } from '../xml/scan.ts';
import * as rules from './booking-rules.ts';
import type { Check, ElementHandler, RuleRun } from './check.ts';
import { idOf, watchChildren } from './children.ts';
import * as values from './profile-values.ts';
import type { Rule } from './rule.ts';

/** Elements whose children describe booking: the flexible line, the stop of a pattern, the journey. */
export function isBookingHolder(element: OpenElement | undefined): element is OpenElement {
  const parent = element?.parent;
  if (element?.name === 'FlexibleLine') return parent?.name === 'lines';
  if (element?.name === 'BookingArrangements') return parent?.name === 'StopPointInJourneyPattern';
  return (
    element?.name === 'FlexibleServiceProperties' &&
    parent?.name === 'ServiceJourney' &&
    parent.parent?.name === 'vehicleJourneys'
  );
}

/** For messages: the holder, or the element that it belongs to when it has no id. */
function nameOf(holder: OpenElement): string {
  const { parent } = holder;
  return holder.name === 'FlexibleLine' || !parent
    ? `${holder.name}${idOf(holder)}`
    : `${holder.name} of ${parent.name}${idOf(parent)}`;
}

/** Checks each word of the element's text. */
function allowOnly(run: RuleRun, rule: Rule, allowed: readonly string[]): ElementHandler {
  return (element) => {
    const holder = element.parent;
    if (!isBookingHolder(holder)) return;
    const words = element.text.trim().split(/\s+/);
    const wrong = words.filter((word) => !allowed.includes(word));
    if (wrong.length === 0) return;
    run.report(
      rule,
      element,
      () =>
        `${nameOf(holder)} has the ${element.name} "${wrong.join(' ')}"; expected ${words.length > 1 ? 'only ' : ''}${listed(allowed)}.`,
    );
  };
}

function listed(values: readonly string[]): string {
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

const valuesOfProfile: Check = {
  rules: [
    rules.BOOKING_1,
    rules.BOOKING_2,
    rules.BOOKING_3,
    rules.BUY_WHEN_1,
    rules.FLEXIBLE_LINE_8,
    rules.FLEXIBLE_LINE_9,
  ],
  begin: (run) => ({
    end: {
      BookingAccess: allowOnly(run, rules.BOOKING_1, values.BOOKING_ACCESS),
      BookingMethods: allowOnly(run, rules.BOOKING_2, values.BOOKING_METHODS),
      BookWhen: allowOnly(run, rules.BOOKING_3, values.BOOK_WHEN),
      BuyWhen: allowOnly(run, rules.BUY_WHEN_1, values.BUY_WHEN),
      FlexibleLineType: allowOnly(run, rules.FLEXIBLE_LINE_8, values.FLEXIBLE_LINE_TYPES),
      FlexibleServiceType: allowOnly(run, rules.FLEXIBLE_LINE_9, values.FLEXIBLE_SERVICE_TYPES),
    },
  }),
};

const flexibleServices: Check = {
  rules: [rules.FLEXIBLE_SERVICE_1, rules.FLEXIBLE_SERVICE_2, rules.FLEXIBLE_SERVICE_3, rules.FLEXIBLE_SERVICE_4],
  begin: (run) =>
    watchChildren(
      { element: 'FlexibleServiceProperties', within: 'ServiceJourney', around: 'vehicleJourneys' },
      ['BookWhen', 'MinimumBookingPeriod', 'LatestBookingTime'],
      (element, texts) => {
        const report = (rule: Rule, what: string): void =>
          run.report(rule, element, () => `${nameOf(element)} ${what}.`);
        if (element.attributes.id === undefined) report(rules.FLEXIBLE_SERVICE_1, 'has no id; expected one');
        if (element.attributes.version === undefined) report(rules.FLEXIBLE_SERVICE_2, 'has no version; expected one');
        const isBookedBy = texts.has('BookWhen');
        if (isBookedBy && texts.has('MinimumBookingPeriod'))
          report(rules.FLEXIBLE_SERVICE_3, 'has both BookWhen and MinimumBookingPeriod; expected one of them');
        if (isBookedBy === texts.has('LatestBookingTime')) return;
        const [has, lacks] = isBookedBy ? ['BookWhen', 'LatestBookingTime'] : ['LatestBookingTime', 'BookWhen'];
        report(rules.FLEXIBLE_SERVICE_4, `has ${has} but no ${lacks}; expected both or none`);
      },
    ),
};

export const bookingChecks: readonly Check[] = [valuesOfProfile, flexibleServices];
