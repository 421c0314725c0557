/**
 * Writes the demo region's national stop register: one SiteFrame with municipalities, stop places, quays, paths between
 * quays with their transfer times, tariff and fare zones. Ids begin with NSR. Callers: generate.ts.
 */
import { openPublication } from './delivery-xml.ts';
import { distanceMetres, type Position } from './geometry.ts';
import type { Quay, Region, StopPlace, Zone } from './model.ts';
import { registerId, XmlWriter } from './xml-writer.ts';

const VERSION = '1.15:NO-NeTEx-stops:1.5';
const COUNTY = 100;
const VALID_FROM = '2020-01-01T00:00:00';
/** Metres per minute on foot, with stairs and crossings. */
const TRANSFER_PACE = 60;
const identity = (kind: string, local: string | number): string => `version="1" id="${registerId(kind, local)}"`;
const localRef = (kind: string, local: string | number): string => `ref="${registerId(kind, local)}" version="1"`;

export function* stopRegisterXml(region: Region, createdAt: string): Generator<string> {
  const xml = openPublication(new XmlWriter(), createdAt, 'NSR', VERSION);
  xml.open('dataObjects').open('SiteFrame', identity('SiteFrame', 1));
  xml.open('codespaces').open('Codespace', 'id="nsr"').text('Xmlns', 'NSR');
  xml.text('XmlnsUrl', 'http://www.rutebanken.org/ns/nsr').close('Codespace').close('codespaces');
  xml.open('FrameDefaults').open('DefaultLocale').text('TimeZone', 'Europe/Oslo').text('DefaultLanguage', 'no');
  xml.close('DefaultLocale').close('FrameDefaults');
  topographicXml(xml, region.zones);
  groupsXml(xml, region.stopPlaces);
  xml.open('stopPlaces');
  for (const place of region.stopPlaces) {
    stopPlaceXml(xml, place);
    yield xml.take();
  }
  xml.close('stopPlaces').open('pathLinks');
  for (const place of region.stopPlaces) pathLinksXml(xml, place, region.stopPlaces);
  xml.close('pathLinks').open('tariffZones');
  for (const zone of region.zones) zoneXml(xml, 'TariffZone', zone);
  for (const zone of region.zones) zoneXml(xml, 'FareZone', zone);
  yield xml.close('tariffZones').close('SiteFrame').close('dataObjects').close('PublicationDelivery').take();
}

function topographicXml(xml: XmlWriter, zones: readonly Zone[]): void {
  const place = (number: number, name: string, type: string, parent?: number): void => {
    xml.open('TopographicPlace', identity('TopographicPlace', number));
    xml.open('Descriptor').text('Name', name, 'lang="no"').close('Descriptor').text('TopographicPlaceType', type);
    xml.empty('CountryRef', 'ref="no"');
    if (parent !== undefined) xml.empty('ParentTopographicPlaceRef', localRef('TopographicPlace', parent));
    xml.close('TopographicPlace');
  };
  xml.open('topographicPlaces');
  place(COUNTY, 'Ytterkysten', 'county');
  for (const zone of zones) place(COUNTY + zone.number, zone.name, 'municipality', COUNTY);
  xml.close('topographicPlaces');
}

/** Groups the parents of the town under the name of the town. */
function groupsXml(xml: XmlWriter, places: readonly StopPlace[]): void {
  const parents = places.filter((place) => !place.mode && place.zone.number === 1);
  const town = parents[0]?.zone.name;
  xml
    .open('groupsOfStopPlaces')
    .open('GroupOfStopPlaces', identity('GroupOfStopPlaces', 1))
    .text('Name', town, 'lang="no"');
  xml.open('members');
  for (const parent of parents) xml.empty('StopPlaceRef', localRef('StopPlace', parent.number));
  xml.close('members').close('GroupOfStopPlaces').close('groupsOfStopPlaces');
}

function stopPlaceXml(xml: XmlWriter, place: StopPlace): void {
  xml.open('StopPlace', identity('StopPlace', place.number));
  xml.open('ValidBetween').text('FromDate', VALID_FROM).close('ValidBetween');
  if (!place.mode) {
    xml.open('keyList').open('KeyValue').text('Key', 'IS_PARENT_STOP_PLACE').text('Value', 'true');
    xml.close('KeyValue').close('keyList');
  }
  xml.text('Name', place.name, 'lang="no"');
  centroidXml(xml, place.position);
  accessXml(xml, place);
  xml.empty('TopographicPlaceRef', localRef('TopographicPlace', COUNTY + place.zone.number));
  if (place.parent) xml.empty('ParentSiteRef', localRef('StopPlace', place.parent.number));
  xml.text('TransportMode', place.mode);
  if (place.mode && place.submode) xml.text(submodeElement(place.mode), place.submode);
  xml.open('tariffZones').empty('TariffZoneRef', localRef('TariffZone', place.zone.number));
  xml.empty('FareZoneRef', localRef('FareZone', place.zone.number)).close('tariffZones');
  xml.text('StopPlaceType', place.type).text('Weighting', place.weighting);
  if (place.quays.length > 0) {
    xml.open('quays');
    for (const quay of place.quays) quayXml(xml, quay);
    xml.close('quays');
  }
  xml.close('StopPlace');
}

function submodeElement(mode: string): string {
  return `${mode.charAt(0).toUpperCase()}${mode.slice(1)}Submode`;
}

function quayXml(xml: XmlWriter, quay: Quay): void {
  xml.open('Quay', identity('Quay', quay.number));
  centroidXml(xml, quay.position);
  xml.text('PublicCode', quay.publicCode).text('CompassBearing', quay.bearing).close('Quay');
}

function centroidXml(xml: XmlWriter, position: Position): void {
  xml.open('Centroid').open('Location').text('Longitude', position.longitude).text('Latitude', position.latitude);
  xml.close('Location').close('Centroid');
}

function accessXml(xml: XmlWriter, place: StopPlace): void {
  xml.open('AccessibilityAssessment', identity('AccessibilityAssessment', place.number));
  xml.text('MobilityImpairedAccess', place.wheelchair).open('limitations').open('AccessibilityLimitation');
  xml.text('WheelchairAccess', place.wheelchair).text('StepFreeAccess', place.wheelchair);
  xml.close('AccessibilityLimitation').close('limitations').close('AccessibilityAssessment');
}

/** Links the first quays of the modes under one parent, and the tracks of a station. */
function pathLinksXml(xml: XmlWriter, place: StopPlace, all: readonly StopPlace[]): void {
  const children = place.mode ? [] : all.filter((other) => other.parent === place);
  const ends = place.mode === 'rail' ? place.quays : children.flatMap((child) => child.quays.slice(0, 1));
  ends.forEach((from, index) => {
    for (const to of ends.slice(index + 1)) pathLinkXml(xml, from, to);
  });
}

function pathLinkXml(xml: XmlWriter, from: Quay, to: Quay): void {
  const metres = Math.max(20, Math.round(distanceMetres(from.position, to.position)));
  const seconds = Math.ceil(metres / TRANSFER_PACE) * 60 + 60;
  xml.open('PathLink', identity('PathLink', `${from.number}-${to.number}`)).text('Distance', metres);
  xml.open('From').empty('PlaceRef', localRef('Quay', from.number)).close('From');
  xml.open('To').empty('PlaceRef', localRef('Quay', to.number)).close('To').text('AllowedUse', 'twoWay');
  xml.open('TransferDuration').text('DefaultDuration', `PT${seconds}S`);
  xml
    .text('MobilityRestrictedTravellerDuration', `PT${seconds * 2}S`)
    .close('TransferDuration')
    .close('PathLink');
}

function zoneXml(xml: XmlWriter, kind: 'TariffZone' | 'FareZone', zone: Zone): void {
  xml.open(kind, identity(kind, zone.number)).text('Name', zone.name, 'lang="no"').text('PrivateCode', zone.number);
  centroidXml(xml, zone.centre);
  xml.open('gml:Polygon', `gml:id="${kind}-${zone.number}"`).open('gml:exterior').open('gml:LinearRing');
  xml.text('gml:posList', zone.outline.map((point) => `${point.latitude} ${point.longitude}`).join(' '));
  xml.close('gml:LinearRing').close('gml:exterior').close('gml:Polygon').close(kind);
}
