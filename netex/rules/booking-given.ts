/**
 * How to book a flexible line, told somewhere: BOOKING_4 and BOOKING_5.
 *
 * On the line, on the journey or on every stop of its pattern. These can stand in any order: joined at the end, one small
 * entry for a journey that tells less than all.
 */
import { HashSet } from '../dataset/hash-set.ts';
import type { OpenElement } from '../xml/scan.ts';
import { isBookingHolder } from './booking.ts';
import { BOOKING_4, BOOKING_5 } from './booking-rules.ts';
import type { Check, RuleRun } from './check.ts';
import { notedIdOf } from './children.ts';
import { type NotedPlace, notePlace } from './finding-list.ts';
import { isServiceJourney } from './service-journeys.ts';

/** What is told, as bits. */
const METHODS = 1;
const CONTACT = 2;
const WHEN = 4;
const ALL = METHODS | CONTACT | WHEN;

interface Journey {
  readonly place: NotedPlace;
  readonly high: number;
  readonly low: number;
  readonly told: number;
}

class BookingWatch {
  readonly #run: RuleRun;
  #hasLine = false;
  #hasFlexibleLine = false;
  /** Told by every flexible line of the file, which has but one. */
  #toldByLine = ALL;
  readonly #patterns = new HashSet();
  readonly #toldByPatterns: number[] = [];
  readonly #journeys: Journey[] = [];
  /** Of the element that is open. */
  #told = 0;
  #toldByStops = ALL;
  #patternRef = '';

  constructor(run: RuleRun) {
    this.#run = run;
  }

  openLine(element: OpenElement): void {
    if (element.parent?.name !== 'lines') return;
    this.#told = 0;
    if (element.name === 'Line') this.#hasLine = true;
    else this.#hasFlexibleLine = true;
  }

  closeFlexibleLine(element: OpenElement): void {
    if (isBookingHolder(element)) this.#toldByLine &= this.#told;
  }

  openPattern(): void {
    this.#toldByStops = ALL;
  }

  openStop(): void {
    this.#told = 0;
  }

  closeStop(): void {
    this.#toldByStops &= this.#told;
  }

  closePattern(element: OpenElement): void {
    const { hasher } = this.#run;
    hasher.hash(element.attributes.id ?? '');
    if (this.#patterns.add(hasher.high, hasher.low)) this.#toldByPatterns.push(this.#toldByStops);
  }

  openJourney(): void {
    this.#told = 0;
    this.#patternRef = '';
  }

  openPatternRef({ parent, attributes }: OpenElement): void {
    if (parent?.name === 'ServiceJourney') this.#patternRef = attributes.ref ?? '';
  }

  closeJourney(element: OpenElement): void {
    const isRegular = this.#hasLine && !this.#hasFlexibleLine;
    if (isRegular || this.#told === ALL || !isServiceJourney(element)) return;
    const { hasher } = this.#run;
    hasher.hash(this.#patternRef);
    this.#journeys.push({ place: notePlace(element), high: hasher.high, low: hasher.low, told: this.#told });
  }

  tell(element: OpenElement, what: number): void {
    if (isBookingHolder(element.parent)) this.#told |= what;
  }

  finish(): void {
    if (!this.#hasFlexibleLine || this.#toldByLine === ALL) return;
    for (const { place, high, low, told } of this.#journeys) {
      const byPattern = this.#toldByPatterns[this.#patterns.find(high, low)] ?? 0;
      const missing = ALL & ~(this.#toldByLine | told | byPattern);
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

const bookingIsTold: Check = {
  rules: [BOOKING_4, BOOKING_5],
  begin(run) {
    const watch = new BookingWatch(run);
    const openLine = (element: OpenElement): void => watch.openLine(element);
    const tellWhen = (element: OpenElement): void => watch.tell(element, WHEN);
    return {
      start: {
        Line: openLine,
        FlexibleLine: openLine,
        JourneyPattern: () => watch.openPattern(),
        StopPointInJourneyPattern: () => watch.openStop(),
        ServiceJourney: () => watch.openJourney(),
        JourneyPatternRef: (element) => watch.openPatternRef(element),
        BookingMethods: (element) => watch.tell(element, METHODS),
        BookingContact: (element) => watch.tell(element, CONTACT),
        BookWhen: tellWhen,
        MinimumBookingPeriod: tellWhen,
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

export const bookingGivenChecks: readonly Check[] = [bookingIsTold];
