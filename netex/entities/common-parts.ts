/** Parts that several kinds of entities share. Callers: the readers of this folder. */
import type { BookingEntity, ContactEntity, WheelchairAccess } from './entity-types.ts';
import { findChild, textOf, type XmlNode } from './xml-node.ts';

export function readContact(node: XmlNode | undefined): ContactEntity | undefined {
  if (node === undefined) return undefined;
  const contact = {
    contactPerson: textOf(node, 'ContactPerson'),
    email: textOf(node, 'Email'),
    phone: textOf(node, 'Phone'),
    url: textOf(node, 'Url'),
    furtherDetails: textOf(node, 'FurtherDetails'),
  };
  return Object.values(contact).some((value) => value !== undefined) ? contact : undefined;
}

/**
 * Reads booking from a node that holds its elements directly: FlexibleLine, BookingArrangements,
 * FlexibleServiceProperties.
 */
export function readBooking(node: XmlNode | undefined): BookingEntity | undefined {
  if (node === undefined) return undefined;
  const booking = {
    methods: textOf(node, 'BookingMethods')?.split(/\s+/) ?? [],
    bookWhen: textOf(node, 'BookWhen'),
    latestBookingTime: textOf(node, 'LatestBookingTime'),
    minimumBookingPeriod: textOf(node, 'MinimumBookingPeriod'),
    note: textOf(node, 'BookingNote'),
    contact: readContact(findChild(node, 'BookingContact')),
  };
  const { methods, ...rest } = booking;
  return methods.length > 0 || Object.values(rest).some((value) => value !== undefined) ? booking : undefined;
}

/** WheelchairAccess takes precedence over MobilityImpairedAccess. */
export function readWheelchairAccess(node: XmlNode): WheelchairAccess {
  const assessment = findChild(node, 'AccessibilityAssessment');
  if (assessment === undefined) return undefined;
  const limitation = findChild(findChild(assessment, 'limitations'), 'AccessibilityLimitation');
  return textOf(limitation, 'WheelchairAccess') ?? textOf(assessment, 'MobilityImpairedAccess');
}

/** TransportSubmode holds one element per mode; older files add an "unknown" of another mode to the true one. */
export function readSubmode(node: XmlNode): string | undefined {
  const texts = findChild(node, 'TransportSubmode')?.children.map(({ text }) => text.trim()) ?? [];
  return texts.find((text) => text !== '' && text !== 'unknown') ?? texts.find((text) => text !== '');
}
