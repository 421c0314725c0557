/** Reads the stops and links of the open journey pattern. Callers: NetworkCollector. */
import type { ElementHandler } from '../rules/check.ts';
import type { OpenElement } from '../xml/scan.ts';
import type { Handlers } from './handlers.ts';
import type { KeptNames } from './kept-names.ts';
import { isTrue, modelElement, type Writable } from './model-element.ts';
import type { ServiceLinkInJourneyPattern, StopPointInJourneyPattern } from './timetable-model.ts';

/** `current` returns the list of the open pattern. */
export function stopPointHandlers(
  names: KeptNames,
  current: () => Writable<StopPointInJourneyPattern>[] | undefined,
): Handlers {
  let stop: Writable<StopPointInJourneyPattern> | undefined;
  const isDirect = (element: OpenElement): boolean => element.parent?.name === 'StopPointInJourneyPattern';
  const flag =
    (field: 'forBoarding' | 'forAlighting'): ElementHandler =>
    (element) => {
      if (stop && isDirect(element)) stop[field] = isTrue(element.text);
    };
  return {
    start: {
      StopPointInJourneyPattern(element) {
        stop = {
          ...modelElement(element, names),
          order: Number.parseInt(element.attributes.order ?? '', 10),
          scheduledStopPointRef: undefined,
          forBoarding: undefined,
          forAlighting: undefined,
          destinationDisplayRef: undefined,
        };
        current()?.push(stop);
      },
      ScheduledStopPointRef(element) {
        if (stop && isDirect(element)) stop.scheduledStopPointRef = names.keep(element.attributes.ref);
      },
      DestinationDisplayRef(element) {
        if (stop && isDirect(element)) stop.destinationDisplayRef = names.keep(element.attributes.ref);
      },
    },
    end: {
      ForBoarding: flag('forBoarding'),
      ForAlighting: flag('forAlighting'),
      StopPointInJourneyPattern() {
        stop = undefined;
      },
    },
  };
}

export function serviceLinkHandlers(
  names: KeptNames,
  current: () => Writable<ServiceLinkInJourneyPattern>[] | undefined,
): Handlers {
  let link: Writable<ServiceLinkInJourneyPattern> | undefined;
  return {
    start: {
      ServiceLinkInJourneyPattern(element) {
        const order = Number.parseInt(element.attributes.order ?? '', 10);
        link = { ...modelElement(element, names), order, serviceLinkRef: undefined };
        current()?.push(link);
      },
      ServiceLinkRef(element) {
        if (link && element.parent?.name === 'ServiceLinkInJourneyPattern') {
          link.serviceLinkRef = names.keep(element.attributes.ref);
        }
      },
    },
    end: {
      ServiceLinkInJourneyPattern() {
        link = undefined;
      },
    },
  };
}

/** Without `order` values, elements keep the order of the file. */
export function sortByOrder(elements: Array<{ readonly order: number }>): void {
  if (elements.every(({ order }) => !Number.isNaN(order))) elements.sort((a, b) => a.order - b.order);
}
