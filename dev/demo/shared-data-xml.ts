/**
 * Writes the common file of the demo timetable: organisations, stop points and their quays, links with geometry,
 * displays, notices. A line's own data is in that line's file. Callers: generate.ts.
 */
import { calendarXml } from './calendar-xml.ts';
import { closeDelivery, type Delivery, openDelivery } from './delivery-xml.ts';
import { createDisplays, type Displays } from './displays.ts';
import { curve, lengthMetres } from './geometry.ts';
import type { Quay, Region } from './model.ts';
import { networkXml, noticesXml, organisationsXml } from './organisation-xml.ts';
import { at } from './random.ts';
import { foreignRef, identity, localRef, type XmlWriter } from './xml-writer.ts';

export interface Link {
  readonly from: Quay;
  readonly to: Quay;
}

export function linkKey(from: Quay, to: Quay): string {
  return `${from.number}-${to.number}`;
}

/** Lists every pair of neighbouring stops of any pattern, once. */
export function listLinks(region: Region): Link[] {
  const links = new Map<string, Link>();
  for (const pattern of region.lines.flatMap((line) => line.patterns)) {
    pattern.quays.slice(1).forEach((to, index) => {
      const from = at(pattern.quays, index);
      links.set(linkKey(from, to), { from, to });
    });
  }
  return [...links.values()];
}

export function listQuays(region: Region): Quay[] {
  const quays = new Set(region.lines.flatMap((line) => line.patterns.flatMap((pattern) => pattern.quays)));
  return [...quays].toSorted((a, b) => a.number - b.number);
}

export function* sharedDataXml(region: Region, delivery: Delivery): Generator<string> {
  const quays = listQuays(region);
  const displays = createDisplays(region);
  const xml = openDelivery(delivery, 'shared', 'Felles data for alle linjer');
  organisationsXml(xml);
  xml.open('ServiceFrame', identity('ServiceFrame', 'shared'));
  networkXml(xml);
  routePointsXml(xml, quays);
  displaysXml(xml, displays);
  stopPointsXml(xml, quays);
  yield xml.take();
  xml.open('serviceLinks');
  for (const link of listLinks(region)) {
    linkXml(xml, link);
    yield xml.take();
  }
  xml.close('serviceLinks');
  assignmentsXml(xml, quays);
  noticesXml(xml);
  xml.close('ServiceFrame');
  calendarXml(xml, region);
  yield closeDelivery(xml).take();
}

function routePointsXml(xml: XmlWriter, quays: readonly Quay[]): void {
  xml.open('routePoints');
  for (const { number } of quays) {
    xml.open('RoutePoint', identity('RoutePoint', number)).open('projections');
    xml.open('PointProjection', identity('PointProjection', number));
    xml.empty('ProjectToPointRef', localRef('ScheduledStopPoint', number));
    xml.close('PointProjection').close('projections').close('RoutePoint');
  }
  xml.close('routePoints');
}

function displaysXml(xml: XmlWriter, displays: Displays): void {
  xml.open('destinationDisplays');
  for (const display of displays.all) {
    xml.open('DestinationDisplay', identity('DestinationDisplay', display.number)).text('FrontText', display.frontText);
    if (display.via !== undefined) {
      xml.open('vias').open('Via').empty('DestinationDisplayRef', localRef('DestinationDisplay', display.via));
      xml.close('Via').close('vias');
    }
    xml.close('DestinationDisplay');
  }
  xml.close('destinationDisplays');
}

function stopPointsXml(xml: XmlWriter, quays: readonly Quay[]): void {
  xml.open('scheduledStopPoints');
  for (const quay of quays) {
    xml.open('ScheduledStopPoint', identity('ScheduledStopPoint', quay.number));
    xml.text('Name', quay.place.name).close('ScheduledStopPoint');
  }
  xml.close('scheduledStopPoints');
}

function linkXml(xml: XmlWriter, { from, to }: Link): void {
  const key = linkKey(from, to);
  const line = curve(from.position, to.position, key);
  xml.open('ServiceLink', identity('ServiceLink', key)).text('Distance', lengthMetres(line));
  xml.open('projections').open('LinkSequenceProjection', identity('LinkSequenceProjection', key));
  xml.open('gml:LineString', `srsName="4326" srsDimension="2" gml:id="LS-${key}"`);
  const positions = line.map((position) => `${position.latitude} ${position.longitude}`).join(' ');
  xml.text('gml:posList', positions, `srsDimension="2" count="${line.length * 2}"`);
  xml.close('gml:LineString').close('LinkSequenceProjection').close('projections');
  xml.empty('FromPointRef', localRef('ScheduledStopPoint', from.number));
  xml.empty('ToPointRef', localRef('ScheduledStopPoint', to.number)).close('ServiceLink');
}

function assignmentsXml(xml: XmlWriter, quays: readonly Quay[]): void {
  xml.open('stopAssignments');
  quays.forEach(({ number }, index) => {
    xml.open('PassengerStopAssignment', `order="${index + 1}" ${identity('PassengerStopAssignment', number)}`);
    xml.empty('ScheduledStopPointRef', localRef('ScheduledStopPoint', number));
    xml.empty('QuayRef', foreignRef('Quay', number).replace('DEM:', 'NSR:')).close('PassengerStopAssignment');
  });
  xml.close('stopAssignments');
}
