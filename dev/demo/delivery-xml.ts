/**
 * Writes the frame around every file of the demo timetable: publication delivery, composite frame, validity,
 * codespaces. Callers: the XML of the common file and of the lines.
 */
import { identity, XmlWriter } from './xml-writer.ts';

/** XSD version, national profile, profile version. */
const VERSION = '1.15:NO-NeTEx-networktimetable:1.5';
const NAMESPACES = 'xmlns="http://www.netex.org.uk/netex" xmlns:gml="http://www.opengis.net/gml/3.2"';
export const CODESPACES = [
  { id: 'nsr', xmlns: 'NSR', url: 'http://www.rutebanken.org/ns/nsr' },
  { id: 'dem', xmlns: 'DEM', url: 'http://www.rutebanken.org/ns/dem' },
];

export interface Delivery {
  /** Date and time without a zone. */
  readonly createdAt: string;
  readonly firstDay: string;
  readonly lastDay: string;
}

export function openPublication(xml: XmlWriter, createdAt: string, participant: string, version = VERSION): XmlWriter {
  return xml
    .line('<?xml version="1.0" encoding="UTF-8"?>')
    .open('PublicationDelivery', `${NAMESPACES} version="${version}"`)
    .text('PublicationTimestamp', createdAt)
    .text('ParticipantRef', participant);
}

export function openDelivery(delivery: Delivery, key: string, description: string): XmlWriter {
  const xml = openPublication(new XmlWriter(), delivery.createdAt, 'DEM').text('Description', description);
  xml.open('dataObjects');
  xml.open('CompositeFrame', `created="${delivery.createdAt}" ${identity('CompositeFrame', key)}`);
  xml.open('validityConditions').open('AvailabilityCondition', identity('AvailabilityCondition', key));
  xml.text('FromDate', `${delivery.firstDay}T00:00:00`).text('ToDate', `${delivery.lastDay}T23:59:59`);
  xml.close('AvailabilityCondition').close('validityConditions').open('codespaces');
  for (const codespace of CODESPACES) {
    xml.open('Codespace', `id="${codespace.id}"`);
    xml.text('Xmlns', codespace.xmlns).text('XmlnsUrl', codespace.url).close('Codespace');
  }
  xml.close('codespaces').open('FrameDefaults').open('DefaultLocale');
  xml.text('TimeZone', 'Europe/Oslo').text('DefaultLanguage', 'no');
  return xml.close('DefaultLocale').close('FrameDefaults').open('frames');
}

export function closeDelivery(xml: XmlWriter): XmlWriter {
  return xml.close('frames').close('CompositeFrame').close('dataObjects').close('PublicationDelivery');
}
