/**
 * Reads organisations, networks, brandings, lines, directions and routes from their nodes. Caller: entity-reader.ts.
 */
import { readBooking, readSubmode, readWheelchairAccess } from './common-parts.ts';
import type * as entities from './entity-types.ts';
import { readValidity } from './validity.ts';
import { childrenNamed, findChild, listOf, refOf, textOf, type XmlNode } from './xml-node.ts';

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

export function readLine(node: XmlNode, id: string, frame: entities.FrameDefaults): entities.LineEntity {
  const presentation = findChild(node, 'Presentation');
  const branding = findChild(node, 'Branding');
  return {
    kind: node.name as entities.LineEntity['kind'],
    id,
    validity: readValidity(node) ?? frame.validity,
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
