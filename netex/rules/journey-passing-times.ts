/**
 * Passing times of service journeys: SERVICE_JOURNEY_4 to 9, 15 and 17.
 *
 * The most frequent check: a file may have hundreds of thousands of passing times. Each costs five short calls,
 * without an object or string of its own.
 */
import { HashSet } from '../dataset/hash-set.ts';
import { keptText } from '../xml/kept-text.ts';
import type { OpenElement } from '../xml/scan.ts';
import type { Check, RuleRun, Subscriptions } from './check.ts';
import { idOf, notedIdOf } from './children.ts';
import { type NotedPlace, notePlace } from './finding-list.ts';
import type { Rule } from './rule.ts';
import * as rules from './service-journey-rules.ts';

interface WaitingJourney {
  readonly place: NotedPlace;
  readonly patternRef: string;
  readonly times: number;
}

class PassingTimeWatch {
  readonly #run: RuleRun;
  #journey: OpenElement | undefined;
  #patternRef: string | undefined;
  #times = 0;
  #firstHasDeparture = false;
  #lastHasArrival = false;
  /** The open passing time. */
  time: OpenElement | undefined;
  arrival: string | undefined;
  departure: string | undefined;
  arrivalOffset = '';
  departureOffset = '';
  hasWindowArrival = false;
  hasWindowDeparture = false;

  #pattern: OpenElement | undefined;
  #stops = 0;
  readonly #patterns = new HashSet();
  /** By number of the pattern in #patterns. */
  readonly #stopsOfPatterns: number[] = [];
  /** Journeys whose pattern was unknown so far, or has another number of stops. */
  readonly #waiting: WaitingJourney[] = [];

  constructor(run: RuleRun) {
    this.#run = run;
  }

  openPattern(element: OpenElement): void {
    if (element.parent?.name !== 'journeyPatterns') return;
    this.#pattern = element;
    this.#stops = 0;
  }

  openStop(element: OpenElement): void {
    if (this.#pattern !== undefined && element.parent?.parent === this.#pattern) this.#stops++;
  }

  closePattern(element: OpenElement): void {
    if (element !== this.#pattern) return;
    this.#pattern = undefined;
    const { hasher } = this.#run;
    hasher.hash(element.attributes.id ?? '');
    const known = this.#patterns.find(hasher.high, hasher.low);
    if (known >= 0) this.#stopsOfPatterns[known] = this.#stops;
    else if (this.#patterns.add(hasher.high, hasher.low)) this.#stopsOfPatterns.push(this.#stops);
  }

  openJourney(element: OpenElement): void {
    if (element.parent?.name !== 'vehicleJourneys') return;
    this.#journey = element;
    this.#patternRef = undefined;
    this.#times = 0;
    this.#firstHasDeparture = false;
    this.#lastHasArrival = false;
  }

  openPatternRef(element: OpenElement): void {
    if (this.#journey !== undefined && element.parent === this.#journey) this.#patternRef = element.attributes.ref;
  }

  openTime(element: OpenElement): void {
    if (this.#journey === undefined || element.parent?.parent !== this.#journey) return;
    this.time = element;
    this.arrival = undefined;
    this.departure = undefined;
    this.hasWindowArrival = false;
    this.hasWindowDeparture = false;
    this.arrivalOffset = '';
    this.departureOffset = '';
    const { id, version } = element.attributes;
    if (id === undefined) this.#reportTime(rules.SERVICE_JOURNEY_8, element, 'has no id; expected one');
    else if (this.#run.isRepeatedId) {
      this.#run.report(
        rules.SERVICE_JOURNEY_17,
        element,
        () => `The id ${id} is that of another passing time of the file; expected one of its own.`,
      );
    }
    if (version === undefined) this.#reportTime(rules.SERVICE_JOURNEY_9, element, 'has no version; expected one');
  }

  closeTime(element: OpenElement): void {
    if (element !== this.time) return;
    this.time = undefined;
    const { arrival, departure } = this;
    const departs = departure !== undefined || this.hasWindowDeparture;
    const arrives = arrival !== undefined || this.hasWindowArrival;
    if (this.#times === 0) this.#firstHasDeparture = departs;
    this.#lastHasArrival = arrives;
    this.#times++;
    if (!departs && !arrives) {
      this.#reportTime(
        rules.SERVICE_JOURNEY_4,
        element,
        'has neither departure nor arrival; expected a DepartureTime or an ArrivalTime, or those of a flexible window',
        this.#times,
      );
    }
    if (arrival !== undefined && arrival === departure && Number(this.arrivalOffset) === Number(this.departureOffset)) {
      this.#reportTime(
        rules.SERVICE_JOURNEY_7,
        element,
        `arrives and departs at ${arrival}; expected the departure alone`,
        this.#times,
      );
    }
  }

  closeJourney(element: OpenElement): void {
    if (element !== this.#journey) return;
    this.#journey = undefined;
    if (!this.#firstHasDeparture) this.#reportEnd(rules.SERVICE_JOURNEY_5, element, 'departure from its first stop');
    if (!this.#lastHasArrival) this.#reportEnd(rules.SERVICE_JOURNEY_6, element, 'arrival at its last stop');
    this.#count(element);
  }

  #count(element: OpenElement): void {
    const patternRef = this.#patternRef ?? '';
    if (this.#stopsOf(patternRef) === this.#times) return;
    this.#waiting.push({ place: notePlace(element), patternRef: keptText(patternRef), times: this.#times });
  }

  #stopsOf(patternRef: string): number {
    const { hasher } = this.#run;
    hasher.hash(patternRef);
    const number = this.#patterns.find(hasher.high, hasher.low);
    return number < 0 ? -1 : (this.#stopsOfPatterns[number] ?? -1);
  }

  finish(): void {
    for (const { place, patternRef, times } of this.#waiting) {
      const stops = this.#stopsOf(patternRef);
      // Without a pattern no times are required: only given times can be checked.
      if (stops === times || (stops < 0 && times === 0)) continue;
      this.#run.report(rules.SERVICE_JOURNEY_15, place, () => {
        const journey = `ServiceJourney${notedIdOf(place)} has ${times} passing times`;
        if (patternRef === '') return `${journey}, but no JourneyPattern; expected one for each stop of its pattern.`;
        if (stops < 0)
          return `${journey}, but its JourneyPattern ${patternRef} is not in the file; expected one for each of its stops.`;
        return `${journey}, but JourneyPattern ${patternRef} has ${stops} stops; expected one for each.`;
      });
    }
  }

  #reportTime(rule: Rule, element: OpenElement, what: string, number = this.#times + 1): void {
    const journey = this.#journey;
    this.#run.report(rule, element, () => {
      const of = journey ? ` of ServiceJourney${idOf(journey)}` : '';
      return `Passing time ${number}${of} ${what}.`;
    });
  }

  #reportEnd(rule: Rule, element: OpenElement, what: string): void {
    const has = this.#times === 0 ? 'has no passing times and so' : 'has';
    this.#run.report(rule, element, () => `ServiceJourney${idOf(element)} ${has} no ${what}; expected one.`);
  }
}

function subscribe(watch: PassingTimeWatch): Subscriptions {
  const openPattern = (element: OpenElement): void => watch.openPattern(element);
  const closePattern = (element: OpenElement): void => watch.closePattern(element);
  return {
    start: {
      JourneyPattern: openPattern,
      ServiceJourneyPattern: openPattern,
      StopPointInJourneyPattern: (element) => watch.openStop(element),
      ServiceJourney: (element) => watch.openJourney(element),
      JourneyPatternRef: (element) => watch.openPatternRef(element),
      TimetabledPassingTime: (element) => watch.openTime(element),
    },
    end: {
      JourneyPattern: closePattern,
      ServiceJourneyPattern: closePattern,
      ServiceJourney: (element) => watch.closeJourney(element),
      TimetabledPassingTime: (element) => watch.closeTime(element),
      ArrivalTime(element) {
        if (element.parent === watch.time) watch.arrival = element.text;
      },
      DepartureTime(element) {
        if (element.parent === watch.time) watch.departure = element.text;
      },
      LatestArrivalTime(element) {
        if (element.parent === watch.time) watch.hasWindowArrival = true;
      },
      EarliestDepartureTime(element) {
        if (element.parent === watch.time) watch.hasWindowDeparture = true;
      },
      ArrivalDayOffset(element) {
        if (element.parent === watch.time) watch.arrivalOffset = element.text;
      },
      DepartureDayOffset(element) {
        if (element.parent === watch.time) watch.departureOffset = element.text;
      },
    },
    finish: () => watch.finish(),
  };
}

const { SERVICE_JOURNEY_4, SERVICE_JOURNEY_5, SERVICE_JOURNEY_6, SERVICE_JOURNEY_7 } = rules;
const { SERVICE_JOURNEY_8, SERVICE_JOURNEY_9, SERVICE_JOURNEY_15, SERVICE_JOURNEY_17 } = rules;

const passingTimes: Check = {
  rules: [
    SERVICE_JOURNEY_4,
    SERVICE_JOURNEY_5,
    SERVICE_JOURNEY_6,
    SERVICE_JOURNEY_7,
    SERVICE_JOURNEY_8,
    SERVICE_JOURNEY_9,
    SERVICE_JOURNEY_15,
    SERVICE_JOURNEY_17,
  ],
  begin: (run) => subscribe(new PassingTimeWatch(run)),
};

export const passingTimeChecks: readonly Check[] = [passingTimes];
