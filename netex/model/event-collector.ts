/**
 * Collects what ties journeys to days and to each other: dated journeys and interchanges.
 *
 * Callers: `ModelCollector`.
 */
import type { ElementHandler } from '../rules/check.ts';
import type { OpenElement } from '../xml/scan.ts';
import type { Handlers } from './handlers.ts';
import type { KeptNames } from './kept-names.ts';
import { modelElement, type Writable } from './model-element.ts';
import type { DatedServiceJourney, ServiceJourneyInterchange } from './timetable-model.ts';

export class EventCollector {
  readonly datedServiceJourneys: DatedServiceJourney[] = [];
  readonly interchanges: ServiceJourneyInterchange[] = [];
  readonly handlers: readonly Handlers[];
  readonly #names: KeptNames;

  constructor(names: KeptNames) {
    this.#names = names;
    this.handlers = [this.#datedJourneyHandlers(), this.#interchangeHandlers()];
  }

  #datedJourneyHandlers(): Handlers {
    const names = this.#names;
    let journey: (Writable<DatedServiceJourney> & { replacedRefs: string[] }) | undefined;
    const isDirect = (element: OpenElement): boolean => element.parent?.name === 'DatedServiceJourney';
    const replaces: ElementHandler = (element) => {
      const { ref } = element.attributes;
      if (!journey || ref === undefined) return;
      if (isDirect(element) || element.parent?.name === 'replacedJourneys') journey.replacedRefs.push(names.keep(ref));
    };
    return {
      start: {
        DatedServiceJourney: (element) => {
          journey = {
            ...modelElement(element, names),
            serviceJourneyRef: undefined,
            operatingDayRef: undefined,
            serviceAlteration: undefined,
            replacedRefs: [],
          };
          this.datedServiceJourneys.push(journey);
        },
        ServiceJourneyRef(element) {
          if (journey && isDirect(element)) journey.serviceJourneyRef = names.keep(element.attributes.ref);
        },
        OperatingDayRef(element) {
          if (journey && isDirect(element)) journey.operatingDayRef = names.keep(element.attributes.ref);
        },
        DatedServiceJourneyRef: replaces,
        DatedVehicleJourneyRef: replaces,
      },
      end: {
        ServiceAlteration(element) {
          if (journey && isDirect(element)) journey.serviceAlteration = names.keep(element.text.trim());
        },
        DatedServiceJourney() {
          journey = undefined;
        },
      },
    };
  }

  #interchangeHandlers(): Handlers {
    const names = this.#names;
    let interchange: Writable<ServiceJourneyInterchange> | undefined;
    const open = (element: OpenElement): Writable<ServiceJourneyInterchange> | undefined =>
      element.parent?.name === 'ServiceJourneyInterchange' ? interchange : undefined;
    const ref =
      (field: 'fromPointRef' | 'toPointRef' | 'fromJourneyRef' | 'toJourneyRef'): ElementHandler =>
      (element) => {
        const current = open(element);
        if (current) current[field] = names.keep(element.attributes.ref);
      };
    const count =
      (field: 'fromVisitNumber' | 'toVisitNumber'): ElementHandler =>
      (element) => {
        const current = open(element);
        const value = Number.parseInt(element.text, 10);
        if (current && !Number.isNaN(value)) current[field] = value;
      };
    return {
      start: {
        ServiceJourneyInterchange: (element) => {
          interchange = {
            ...modelElement(element, names),
            fromPointRef: undefined,
            toPointRef: undefined,
            fromJourneyRef: undefined,
            toJourneyRef: undefined,
            fromVisitNumber: undefined,
            toVisitNumber: undefined,
          };
          this.interchanges.push(interchange);
        },
        FromPointRef: ref('fromPointRef'),
        ToPointRef: ref('toPointRef'),
        FromJourneyRef: ref('fromJourneyRef'),
        ToJourneyRef: ref('toJourneyRef'),
      },
      end: {
        FromVisitNumber: count('fromVisitNumber'),
        ToVisitNumber: count('toVisitNumber'),
        ServiceJourneyInterchange() {
          interchange = undefined;
        },
      },
    };
  }
}
