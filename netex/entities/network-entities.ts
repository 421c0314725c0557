/** Organisations, networks, lines, routes, patterns, links and displays out of their nodes. Caller: entity-reader.ts. */
import { UNITS_PER_DEGREE } from '../model/facts-builder.ts';
import { readBooking, readSubmode, readWheelchairAccess } from './common-parts.ts';
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

export function readOrganisation(
  node: XmlNode,
  id: string,
  frame: entities.FrameDefaults,
): entities.OrganisationEntity {
  const contact = findChild(node, 'ContactDetails');
  const service = findChild(node, 'CustomerServiceContactDetails');
  const locale = findChild(node, 'Locale') ?? findChild(node, 'DefaultLocale');
  return {
    kind: node.name as entities.OrganisationEntity['kind'],
    id,
    name: textOf(node, 'Name') ?? textOf(node, 'TradingName') ?? textOf(node, 'LegalName'),
    url: textOf(contact, 'Url') ?? textOf(service, 'Url'),
    phone: textOf(contact, 'Phone') ?? textOf(service, 'Phone'),
    timeZone: textOf(locale, 'TimeZone') ?? frame.timeZone,
    language: textOf(locale, 'DefaultLanguage') ?? frame.language,
  };
}

function readGroup(node: XmlNode, id: string): entities.GroupOfLinesEntity {
  const members = listOf(node, 'members').filter(({ name }) => name === 'LineRef' || name === 'FlexibleLineRef');
  return {
    id,
    name: textOf(node, 'Name'),
    shortName: textOf(node, 'ShortName'),
    description: textOf(node, 'Description'),
    privateCode: textOf(node, 'PrivateCode'),
    lineRefs: members.flatMap(({ attributes: { ref } }) => (ref === undefined ? [] : [ref])),
  };
}

export function readGroupOfLines(node: XmlNode, id: string): entities.GroupOfLinesEntity {
  return readGroup(node, id);
}

export function readNetwork(node: XmlNode, id: string): entities.NetworkEntity {
  return {
    ...readGroup(node, id),
    authorityRef: refOf(node, 'AuthorityRef', 'TransportOrganisationRef', 'OperatorRef'),
    groups: childrenNamed(findChild(node, 'groupsOfLines'), 'GroupOfLines').flatMap((group) =>
      group.attributes.id === undefined ? [] : [readGroup(group, group.attributes.id)],
    ),
  };
}

export function readBranding(node: XmlNode, id: string): entities.BrandingEntity {
  return {
    id,
    name: textOf(node, 'Name'),
    shortName: textOf(node, 'ShortName'),
    description: textOf(node, 'Description'),
    url: textOf(node, 'Url'),
    image: textOf(node, 'Image'),
  };
}

export function readLine(node: XmlNode, id: string): entities.LineEntity {
  const presentation = findChild(node, 'Presentation');
  const branding = findChild(node, 'Branding');
  return {
    kind: node.name as entities.LineEntity['kind'],
    id,
    name: textOf(node, 'Name'),
    publicCode: textOf(node, 'PublicCode'),
    privateCode: textOf(node, 'PrivateCode'),
    description: textOf(node, 'Description'),
    url: textOf(node, 'Url'),
    transportMode: textOf(node, 'TransportMode'),
    transportSubmode: readSubmode(node),
    operatorRef: refOf(node, 'OperatorRef'),
    authorityRef: refOf(node, 'AuthorityRef'),
    representedByGroupRef: refOf(node, 'RepresentedByGroupRef'),
    colour: textOf(presentation, 'Colour'),
    textColour: textOf(presentation, 'TextColour'),
    brandingRef: refOf(node, 'BrandingRef'),
    branding: branding?.attributes.id === undefined ? undefined : readBranding(branding, branding.attributes.id),
    wheelchairAccess: readWheelchairAccess(node),
    flexibleLineType: textOf(node, 'FlexibleLineType'),
    booking: readBooking(node) ?? readBooking(findChild(node, 'BookingArrangements')),
  };
}

export function readDirection(node: XmlNode, id: string): entities.DirectionEntity {
  return { id, directionType: textOf(node, 'DirectionType') };
}

export function readRoute(node: XmlNode, id: string): entities.RouteEntity {
  return {
    id,
    lineRef: refOf(node, 'LineRef', 'FlexibleLineRef'),
    directionType: textOf(node, 'DirectionType'),
    directionRef: refOf(node, 'DirectionRef'),
  };
}

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
