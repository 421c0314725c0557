/**
 * Collects vehicle journeys and their passing times of a file as they pass: ServiceJourneys, and DeadRuns apart.
 * TemplateServiceJourneys are no journeys, only their mould: left out, and with them their times.
 *
 * Callers: `ModelCollector`. Passing times are the bulk of a file: nothing here makes an object for one.
 */
import type { ElementHandler } from '../rules/check.ts';
import type { OpenElement } from '../xml/scan.ts';
import type { Handlers } from './handlers.ts';
import type { KeptNames, NumberedNames } from './kept-names.ts';
import { modelElement } from './model-element.ts';
import { passingTimeHandlers } from './passing-time-handlers.ts';
import { PassingTimes } from './passing-times.ts';
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
  #journey: CollectedJourney | undefined;
  #depth = 0;

  /** `stops` of the passing times are numbers of `stopNames` until they are joined. */
  constructor(names: KeptNames, stopNames: NumberedNames) {
    this.#names = names;
    this.handlers = [this.#journeyHandlers(), passingTimeHandlers(stopNames, () => this.#openTimes())];
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
          // Not those of a condition: they lie deeper.
          if (
            this.#journey &&
            dayType !== undefined &&
            element.depth === this.#depth + 2 &&
            element.parent?.name === 'dayTypes'
          )
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

  /** Where the next passing time goes, which counts for the journey that is open. */
  #openTimes(): PassingTimes | undefined {
    const journey = this.#journey;
    if (!journey) return undefined;
    journey.timeCount++;
    return journey.isDeadRun ? this.deadRunTimes : this.passingTimes;
  }
}
