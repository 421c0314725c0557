/**
 * Booking of a flexible line must be given somewhere: BOOKING_4 and BOOKING_5.
 *
 * The line, the journey or every stop of its pattern can give it. These come in any order and are joined at the end,
 * with one small entry for each journey that gives less than everything.
 */
import { HashSet } from '../dataset/hash-set.ts';
import type { OpenElement } from '../xml/scan.ts';
import { isBookingHolder } from './booking.ts';
import { BOOKING_4, BOOKING_5 } from './booking-rules.ts';
import type { Check, RuleRun } from './check.ts';
import { notedIdOf } from './children.ts';
import { type NotedPlace, notePlace } from './finding-list.ts';
import { isServiceJourney } from './service-journeys.ts';

/** Parts of booking, as bits. */
const METHODS = 1;
const CONTACT = 2;
const WHEN = 4;
const ALL = METHODS | CONTACT | WHEN;

interface Journey {
  readonly place: NotedPlace;
  readonly high: number;
  readonly low: number;
  readonly given: number;
}

class BookingWatch {
  readonly #run: RuleRun;
  #hasLine = false;
  #hasFlexibleLine = false;
  /** Parts that every flexible line of the file gives; a file has one line. */
  #givenByLine = ALL;
  readonly #patterns = new HashSet();
  readonly #givenByPatterns: number[] = [];
  readonly #journeys: Journey[] = [];
  /** Parts of the open element. */
  #given = 0;
  #givenByStops = ALL;
  #patternRef = '';

  constructor(run: RuleRun) {
    this.#run = run;
  }

  openLine(element: OpenElement): void {
    if (element.parent?.name !== 'lines') return;
    this.#given = 0;
    if (element.name === 'Line') this.#hasLine = true;
    else this.#hasFlexibleLine = true;
  }

  closeFlexibleLine(element: OpenElement): void {
    if (isBookingHolder(element)) this.#givenByLine &= this.#given;
  }

  openPattern(): void {
    this.#givenByStops = ALL;
  }

  openStop(): void {
    this.#given = 0;
  }

  closeStop(): void {
    this.#givenByStops &= this.#given;
  }

  closePattern(element: OpenElement): void {
    const { hasher } = this.#run;
    hasher.hash(element.attributes.id ?? '');
    if (this.#patterns.add(hasher.high, hasher.low)) this.#givenByPatterns.push(this.#givenByStops);
  }

  openJourney(): void {
    this.#given = 0;
    this.#patternRef = '';
  }

  openPatternRef({ parent, attributes }: OpenElement): void {
    if (parent?.name === 'ServiceJourney') this.#patternRef = attributes.ref ?? '';
  }

  closeJourney(element: OpenElement): void {
    const isRegular = this.#hasLine && !this.#hasFlexibleLine;
    if (isRegular || this.#given === ALL || !isServiceJourney(element)) return;
    const { hasher } = this.#run;
    hasher.hash(this.#patternRef);
    this.#journeys.push({ place: notePlace(element), high: hasher.high, low: hasher.low, given: this.#given });
  }

  give(element: OpenElement, what: number): void {
    if (isBookingHolder(element.parent)) this.#given |= what;
  }

  finish(): void {
    if (!this.#hasFlexibleLine || this.#givenByLine === ALL) return;
    for (const { place, high, low, given } of this.#journeys) {
      const byPattern = this.#givenByPatterns[this.#patterns.find(high, low)] ?? 0;
      const missing = ALL & ~(this.#givenByLine | given | byPattern);
      if (missing & METHODS) this.#report(place, 'BookingMethods');
      if (missing & CONTACT) this.#report(place, 'BookingContact');
      if (missing & WHEN) this.#report(place, 'BookWhen or MinimumBookingPeriod');
    }
  }

  #report(place: NotedPlace, what: string): void {
    const rule = what.startsWith('BookWhen') ? BOOKING_5 : BOOKING_4;
    this.#run.report(
      rule,
      place,
      () =>
        `For ServiceJourney${notedIdOf(place)} there is no ${what}; expected it on the flexible line, ` +
        'in the FlexibleServiceProperties of the journey, or in the BookingArrangements of every stop of its pattern.',
    );
  }
}

const bookingIsGiven: Check = {
  rules: [BOOKING_4, BOOKING_5],
  begin(run) {
    const watch = new BookingWatch(run);
    const openLine = (element: OpenElement): void => watch.openLine(element);
    const giveWhen = (element: OpenElement): void => watch.give(element, WHEN);
    return {
      start: {
        Line: openLine,
        FlexibleLine: openLine,
        JourneyPattern: () => watch.openPattern(),
        StopPointInJourneyPattern: () => watch.openStop(),
        ServiceJourney: () => watch.openJourney(),
        JourneyPatternRef: (element) => watch.openPatternRef(element),
        BookingMethods: (element) => watch.give(element, METHODS),
        BookingContact: (element) => watch.give(element, CONTACT),
        BookWhen: giveWhen,
        MinimumBookingPeriod: giveWhen,
      },
      end: {
        FlexibleLine: (element) => watch.closeFlexibleLine(element),
        StopPointInJourneyPattern: () => watch.closeStop(),
        JourneyPattern: (element) => watch.closePattern(element),
        ServiceJourney: (element) => watch.closeJourney(element),
      },
      finish: () => watch.finish(),
    };
  },
};

export const bookingGivenChecks: readonly Check[] = [bookingIsGiven];
