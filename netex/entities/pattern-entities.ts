/** Reads journey patterns with stop points, links and displays, and zones. Caller: entity-reader.ts. */
import { UNITS_PER_DEGREE } from '../model/facts-builder.ts';
import { readBooking } from './common-parts.ts';
import type * as entities from './entity-types.ts';
import {
  byOrder,
  childrenNamed,
  findChild,
  flagOf,
  listOf,
  numberOf,
  refOf,
  textOf,
  type XmlNode,
} from './xml-node.ts';

export function readPattern(node: XmlNode, id: string): entities.PatternEntity {
  const stops = childrenNamed(findChild(node, 'pointsInSequence'), 'StopPointInJourneyPattern');
  const links = childrenNamed(findChild(node, 'linksInSequence'), 'ServiceLinkInJourneyPattern');
  return {
    id,
    name: textOf(node, 'Name'),
    routeRef: refOf(node, 'RouteRef'),
    lineRef: refOf(node, 'LineRef', 'FlexibleLineRef'),
    directionType: textOf(node, 'DirectionType'),
    destinationDisplayRef: refOf(node, 'DestinationDisplayRef'),
    stops: byOrder(stops).map(readPatternStop),
    serviceLinkRefs: byOrder(links).flatMap((link) => refOf(link, 'ServiceLinkRef') ?? []),
  };
}

function readPatternStop(node: XmlNode): entities.PatternStopEntity {
  return {
    id: node.attributes.id ?? '',
    scheduledStopPointRef: refOf(node, 'ScheduledStopPointRef'),
    forBoarding: flagOf(node, 'ForBoarding') ?? true,
    forAlighting: flagOf(node, 'ForAlighting') ?? true,
    requestStop: flagOf(node, 'RequestStop') ?? false,
    destinationDisplayRef: refOf(node, 'DestinationDisplayRef'),
    booking: readBooking(findChild(node, 'BookingArrangements')),
  };
}

export function readDestinationDisplay(node: XmlNode, id: string): entities.DestinationDisplayEntity {
  return {
    id,
    frontText: textOf(node, 'FrontText') ?? textOf(node, 'Name'),
    vias: childrenNamed(findChild(node, 'vias'), 'Via').map((via) => ({
      displayRef: refOf(via, 'DestinationDisplayRef'),
      name: textOf(via, 'Name'),
    })),
  };
}

export function readStopAssignment(node: XmlNode): entities.StopAssignmentEntity {
  return {
    scheduledStopPointRef: refOf(node, 'ScheduledStopPointRef'),
    quayRef: refOf(node, 'QuayRef'),
    stopPlaceRef: refOf(node, 'StopPlaceRef'),
    flexibleStopPlaceRef: refOf(node, 'FlexibleStopPlaceRef'),
  };
}

export function readScheduledStopPoint(node: XmlNode, id: string): entities.ScheduledStopPointEntity {
  return { id, name: textOf(node, 'Name') };
}

export function readServiceLink(node: XmlNode, id: string): entities.ServiceLinkEntity {
  const distance = numberOf(node, 'Distance');
  return {
    id,
    fromPointRef: refOf(node, 'FromPointRef'),
    toPointRef: refOf(node, 'ToPointRef'),
    distanceMetres: distance !== undefined && distance > 0 ? distance : undefined,
    positions: readPositions(findLineString(node)),
  };
}

/** The first geometry counts. */
function findLineString(link: XmlNode): XmlNode | undefined {
  for (const projection of listOf(link, 'projections')) {
    const line = findChild(projection, 'gml:LineString');
    if (line) return line;
  }
  return findChild(link, 'gml:LineString');
}

function readPositions(line: XmlNode | undefined): Int32Array {
  const lists = line?.children.filter(({ name }) => name === 'gml:posList' || name === 'gml:pos') ?? [];
  const units: number[] = [];
  for (const { text, attributes } of lists) {
    const perPosition = (attributes.srsDimension ?? line?.attributes.srsDimension) === '3' ? 3 : 2;
    const numbers = text.trim().split(/\s+/).map(Number);
    for (let at = 0; at + 1 < numbers.length; at += perPosition) {
      const latitude = numbers[at] as number;
      const longitude = numbers[at + 1] as number;
      if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return new Int32Array(0);
      units.push(Math.round(latitude * UNITS_PER_DEGREE), Math.round(longitude * UNITS_PER_DEGREE));
    }
  }
  return units.length < 4 ? new Int32Array(0) : Int32Array.from(units);
}

export function readZone(node: XmlNode, id: string): entities.ZoneEntity {
  return { kind: node.name as entities.ZoneEntity['kind'], id, name: textOf(node, 'Name') };
}
