/**
 * Reads facts from a file's elements during the scan, into a FactsBuilder.
 *
 * Callers: the model collector for a file under validation, CommonFactsReader for common files. Keeps nothing of an
 * element except what goes into the builder.
 */
import type { ElementHandler } from '../rules/check.ts';
import type { OpenElement } from '../xml/scan.ts';
import { calendarReaders } from './calendar-readers.ts';
import type { FactsBuilder, ServiceLinkFacts } from './facts-builder.ts';
import type { Handlers } from './handlers.ts';

export function factReaders(facts: FactsBuilder): readonly Handlers[] {
  return [stopAssignmentReader(facts), serviceLinkReader(facts), ...calendarReaders(facts)];
}

function stopAssignmentReader(facts: FactsBuilder): Handlers {
  let stopPoint: string | undefined;
  let quay: string | undefined;
  let stopPlace: string | undefined;
  let flexibleStopPlace: string | undefined;
  const isAssignment = (element: OpenElement | undefined): boolean =>
    element?.name === 'PassengerStopAssignment' || element?.name === 'FlexibleStopAssignment';
  const begin: ElementHandler = () => {
    stopPoint = quay = stopPlace = flexibleStopPlace = undefined;
  };
  const finish: ElementHandler = () => {
    if (stopPoint !== undefined) facts.addStopAssignment(stopPoint, quay, stopPlace, flexibleStopPlace);
  };
  return {
    start: {
      PassengerStopAssignment: begin,
      FlexibleStopAssignment: begin,
      ScheduledStopPointRef(element) {
        if (isAssignment(element.parent)) stopPoint = element.attributes.ref;
      },
      QuayRef(element) {
        if (isAssignment(element.parent)) quay = element.attributes.ref;
      },
      StopPlaceRef(element) {
        if (isAssignment(element.parent)) stopPlace = element.attributes.ref;
      },
      FlexibleStopPlaceRef(element) {
        if (isAssignment(element.parent)) flexibleStopPlace = element.attributes.ref;
      },
    },
    end: { PassengerStopAssignment: finish, FlexibleStopAssignment: finish },
  };
}

function serviceLinkReader(facts: FactsBuilder): Handlers {
  let link: ServiceLinkFacts | undefined;
  const readPositions: ElementHandler = (element) => {
    if (!link) return;
    const { start, end } = endsOf(element);
    link.start ??= start;
    // A line of single positions ends with the last of them; of several geometries, the first counts.
    if (element.name === 'gml:pos' || link.end === undefined) link.end = end;
  };
  return {
    start: {
      ServiceLink({ line, column }) {
        link = {
          fromPointRef: undefined,
          toPointRef: undefined,
          start: undefined,
          end: undefined,
          line,
          column,
        };
      },
      FromPointRef(element) {
        if (link && element.parent?.name === 'ServiceLink') link.fromPointRef = element.attributes.ref;
      },
      ToPointRef(element) {
        if (link && element.parent?.name === 'ServiceLink') link.toPointRef = element.attributes.ref;
      },
    },
    end: {
      'gml:posList': readPositions,
      'gml:pos': readPositions,
      ServiceLink(element) {
        const { id } = element.attributes;
        if (link && id !== undefined) facts.addServiceLink(id, link);
        link = undefined;
      },
    },
  };
}

/** Enough characters for one position; a line may have megabytes of them. */
const POSITION_LETTERS = 200;

function endsOf(element: OpenElement): Pick<ServiceLinkFacts, 'start' | 'end'> {
  const dimension = element.attributes.srsDimension ?? element.parent?.attributes.srsDimension;
  const perPosition = dimension === '3' ? 3 : 2;
  const first = numbersOf(element.text.slice(0, POSITION_LETTERS));
  const last = numbersOf(element.text.slice(-POSITION_LETTERS));
  const at = last.length - perPosition;
  return { start: positionAt(first, 0), end: positionAt(last, at) };
}

function numbersOf(text: string): number[] {
  return text.trim().split(/\s+/).map(Number);
}

function positionAt(numbers: readonly number[], at: number): readonly [number, number] | undefined {
  const latitude = numbers[at];
  const longitude = numbers[at + 1];
  if (latitude === undefined || longitude === undefined) return undefined;
  const onEarth = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return onEarth ? [latitude, longitude] : undefined;
}
