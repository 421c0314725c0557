/** The frame around every file: publication delivery, composite frame, validity, codespaces, time zone. Callers: each file. */
import { XmlWriter } from '../../netex/writing/xml-writer.ts';
import { isoDay } from '../feed/values.ts';
import type { Timetable } from '../timetable/timetable.ts';
import type { NetexNames } from './netex-names.ts';

const TIMETABLE_VERSION = '1.15:NO-NeTEx-networktimetable:1.5';
const STOPS_VERSION = '1.15:NO-NeTEx-stops:1.5';
const NAMESPACES = 'xmlns="http://www.netex.org.uk/netex" xmlns:gml="http://www.opengis.net/gml/3.2"';
const URL_BASE = 'http://www.rutebanken.org/ns/';
const REGISTER = 'NSR';

export interface Locale {
  readonly timeZone: string;
  readonly language: string | undefined;
}

/** The files' creation time is the first day of the data, so that the same feed gives the same bytes. */
export function madeAt({ firstDay }: Timetable): string {
  return `${isoDay(firstDay)}T00:00:00`;
}

export function openPublication(timetable: Timetable, names: NetexNames, kind: 'timetable' | 'stops'): XmlWriter {
  const { publisher, version } = timetable.feed.info;
  const source = [publisher, version && `version ${version}`].filter((part) => part !== undefined).join(', ');
  return new XmlWriter()
    .line('<?xml version="1.0" encoding="UTF-8"?>')
    .open('PublicationDelivery', `${NAMESPACES} version="${kind === 'stops' ? STOPS_VERSION : TIMETABLE_VERSION}"`)
    .text('PublicationTimestamp', madeAt(timetable))
    .text('ParticipantRef', names.prefix)
    .text('Description', source ? `Converted from GTFS: ${source}` : 'Converted from GTFS')
    .open('dataObjects');
}

export function openDelivery(timetable: Timetable, names: NetexNames, key: string, locale: Locale): XmlWriter {
  const xml = openPublication(timetable, names, 'timetable');
  xml.open('CompositeFrame', `created="${madeAt(timetable)}" ${names.identity('CompositeFrame', key)}`);
  xml.open('validityConditions').open('AvailabilityCondition', names.identity('AvailabilityCondition', key));
  xml.text('FromDate', madeAt(timetable)).text('ToDate', `${isoDay(timetable.lastDay)}T23:59:59`);
  xml.close('AvailabilityCondition').close('validityConditions');
  codespacesXml(xml, [REGISTER, names.prefix]);
  localeXml(xml, locale);
  return xml.open('frames');
}

export function codespacesXml(xml: XmlWriter, prefixes: readonly string[]): void {
  xml.open('codespaces');
  for (const prefix of new Set(prefixes)) {
    const small = prefix.toLowerCase();
    xml
      .open('Codespace', `id="${small}"`)
      .text('Xmlns', prefix)
      .text('XmlnsUrl', URL_BASE + small)
      .close('Codespace');
  }
  xml.close('codespaces');
}

export function localeXml(xml: XmlWriter, { timeZone, language }: Locale): void {
  xml.open('FrameDefaults').open('DefaultLocale').text('TimeZone', timeZone).text('DefaultLanguage', language);
  xml.close('DefaultLocale').close('FrameDefaults');
}

export function closeDelivery(xml: XmlWriter): XmlWriter {
  return xml.close('frames').close('CompositeFrame').close('dataObjects').close('PublicationDelivery');
}

/** Locale of the whole feed: that of its first agency. */
export function localeOf({ feed }: Timetable, agency = 0): Locale {
  const { timeZone = 'UTC', language } = feed.agencies[agency] ?? {};
  return { timeZone, language: language ?? feed.info.language };
}
