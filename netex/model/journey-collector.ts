/**
 * Collects vehicle journeys and their passing times of a file as they pass: ServiceJourneys, and DeadRuns apart.
 * TemplateServiceJourneys are no journeys, only their mould: left out, and with them their times.
 *
 * Callers: `ModelCollector`. Passing times are the bulk of a file: nothing here makes an object for one.
 */
import type { ElementHandler } from '../rules/check.ts';
import type { OpenElement } from '../xml/scan.ts';
import { addDays, parseClockTime, parseDayOffset } from './clock-time.ts';
import type { Handlers } from './fact-readers.ts';
import type { KeptNames, NumberedNames } from './kept-names.ts';
import { modelElement } from './network-collector.ts';
import { ABSENT, PassingTimes } from './passing-times.ts';
import { submodeHandlers } from './submodes.ts';
import type { ServiceJourney } from './timetable-model.ts';

/** A ServiceJourney or a DeadRun, before it is joined to its pattern. */
export interface CollectedJourney extends ServiceJourney {
  version: string | undefined;
  journeyPatternRef: string | undefined;
  journeyPatternVersion: string | undefined;
  dayTypeRefs: string[];
  blockRef: string | undefined;
  lineRef: string | undefined;
  transportMode: string | undefined;
  transportSubmode: string | undefined;
  operatorRef: string | undefined;
  serviceAlteration: string | undefined;
  hasFlexibleServiceProperties: boolean;
  timeCount: number;
  pattern: ServiceJourney['pattern'];
}

export class JourneyCollector {
  readonly serviceJourneys: CollectedJourney[] = [];
  readonly deadRuns: CollectedJourney[] = [];
  readonly passingTimes = new PassingTimes();
  readonly deadRunTimes = new PassingTimes();
  readonly handlers: readonly Handlers[];
  readonly #names: KeptNames;
  readonly #stopNames: NumberedNames;
  #journey: CollectedJourney | undefined;
  #depth = 0;

  /** `stops` of the passing times are numbers of `stopNames` until they are joined. */
  constructor(names: KeptNames, stopNames: NumberedNames) {
    this.#names = names;
    this.#stopNames = stopNames;
    this.handlers = [this.#journeyHandlers(), this.#passingTimeHandlers()];
  }

  #journeyHandlers(): Handlers {
    const names = this.#names;
    const begin: ElementHandler = (element) => this.#begin(element);
    const finish: ElementHandler = () => {
      this.#journey = undefined;
    };
    const direct = (element: OpenElement): CollectedJourney | undefined =>
      element.depth === this.#depth + 1 ? this.#journey : undefined;
    const pattern: ElementHandler = (element) => {
      const journey = direct(element);
      if (!journey) return;
      journey.journeyPatternRef = names.keep(element.attributes.ref);
      journey.journeyPatternVersion = names.keep(element.attributes.version);
    };
    const ref =
      (field: 'lineRef' | 'operatorRef' | 'blockRef'): ElementHandler =>
      (element) => {
        const journey = direct(element);
        if (journey) journey[field] = names.keep(element.attributes.ref);
      };
    const text =
      (field: 'transportMode' | 'serviceAlteration'): ElementHandler =>
      (element) => {
        const journey = direct(element);
        if (journey) journey[field] = names.keep(element.text.trim());
      };
    return {
      start: {
        ...{ ServiceJourney: begin, DeadRun: begin },
        ...{ JourneyPatternRef: pattern, ServiceJourneyPatternRef: pattern, DeadRunJourneyPatternRef: pattern },
        ...{ LineRef: ref('lineRef'), FlexibleLineRef: ref('lineRef'), OperatorRef: ref('operatorRef') },
        ...{ BlockRef: ref('blockRef'), TrainBlockRef: ref('blockRef') },
        DayTypeRef: (element) => {
          const { ref: dayType } = element.attributes;
          if (this.#journey && dayType !== undefined && element.parent?.name === 'dayTypes')
            this.#journey.dayTypeRefs.push(names.keep(dayType));
        },
        FlexibleServiceProperties: (element) => {
          const journey = direct(element);
          if (journey) journey.hasFlexibleServiceProperties = true;
        },
      },
      end: {
        TransportMode: text('transportMode'),
        ServiceAlteration: text('serviceAlteration'),
        ...submodeHandlers((element) => {
          if (this.#journey && element.depth === this.#depth + 2)
            this.#journey.transportSubmode = names.keep(element.text.trim());
        }),
        ServiceJourney: finish,
        DeadRun: finish,
      },
    };
  }

  #begin(element: OpenElement): void {
    const isDeadRun = element.name === 'DeadRun';
    const journey: CollectedJourney = {
      ...modelElement(element, this.#names),
      ...{ isDeadRun, version: this.#names.keep(element.attributes.version) },
      ...{ journeyPatternRef: undefined, journeyPatternVersion: undefined, dayTypeRefs: [], blockRef: undefined },
      ...{ lineRef: undefined, transportMode: undefined, transportSubmode: undefined, operatorRef: undefined },
      ...{ serviceAlteration: undefined, hasFlexibleServiceProperties: false },
      ...{ firstTime: (isDeadRun ? this.deadRunTimes : this.passingTimes).size, timeCount: 0, pattern: undefined },
    };
    (isDeadRun ? this.deadRuns : this.serviceJourneys).push(journey);
    this.#journey = journey;
    this.#depth = element.depth;
  }

  /** Times and offsets wait for the end of the element: an offset may stand before its time. */
  #passingTimeHandlers(): Handlers {
    let stop = -1;
    let isCalledAt = true;
    let arrival = ABSENT;
    let arrivalDays = 0;
    let departure = ABSENT;
    let departureDays = 0;
    let latestArrival = ABSENT;
    let latestArrivalDays = 0;
    let earliestDeparture = ABSENT;
    let earliestDepartureDays = 0;
    const refersToStop: ElementHandler = (element) => {
      if (this.#journey && element.parent?.name === 'TimetabledPassingTime' && element.attributes.ref !== undefined)
        stop = this.#stopNames.number(element.attributes.ref);
    };
    return {
      start: {
        TimetabledPassingTime() {
          stop = -1;
          isCalledAt = true;
          arrival = departure = latestArrival = earliestDeparture = ABSENT;
          arrivalDays = departureDays = latestArrivalDays = earliestDepartureDays = 0;
        },
        StopPointInJourneyPatternRef: refersToStop,
        PointInJourneyPatternRef: refersToStop,
        // Where a vehicle only passes: no stop of passengers.
        TimingPointInJourneyPatternRef() {
          isCalledAt = false;
        },
      },
      end: {
        ArrivalTime(element) {
          arrival = parseClockTime(element.text);
        },
        ArrivalDayOffset(element) {
          arrivalDays = parseDayOffset(element.text);
        },
        DepartureTime(element) {
          departure = parseClockTime(element.text);
        },
        DepartureDayOffset(element) {
          departureDays = parseDayOffset(element.text);
        },
        LatestArrivalTime(element) {
          latestArrival = parseClockTime(element.text);
        },
        LatestArrivalDayOffset(element) {
          latestArrivalDays = parseDayOffset(element.text);
        },
        EarliestDepartureTime(element) {
          earliestDeparture = parseClockTime(element.text);
        },
        EarliestDepartureDayOffset(element) {
          earliestDepartureDays = parseDayOffset(element.text);
        },
        TimetabledPassingTime: (element) => {
          const journey = this.#journey;
          if (!journey || !isCalledAt) return;
          const times = journey.isDeadRun ? this.deadRunTimes : this.passingTimes;
          const index = times.size;
          times.add(stop, element.line, element.column);
          times.arrival[index] = addDays(arrival, arrivalDays);
          times.departure[index] = addDays(departure, departureDays);
          times.latestArrival[index] = addDays(latestArrival, latestArrivalDays);
          times.earliestDeparture[index] = addDays(earliestDeparture, earliestDepartureDays);
          journey.timeCount++;
        },
      },
    };
  }
}
