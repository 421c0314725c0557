/**
 * Writes the file of one line: routes, the line itself, links between its stops, patterns, journeys, interchanges.
 * Caller: convert.ts.
 */
import type { XmlWriter } from '../../netex/writing/xml-writer.ts';
import type { ChangeLog } from '../feed/change-log.ts';
import { type Link, LinkMaker } from '../shapes/link-maker.ts';
import { submodeElement } from '../timetable/modes.ts';
import type { Pattern } from '../timetable/timetable.ts';
import { closeDelivery, localeOf, openDelivery } from './delivery-xml.ts';
import { interchangesXml, journeysXml } from './journeys-xml.ts';
import { type LineFile, patternKey, patternName } from './line-file.ts';
import { patternXml } from './pattern-xml.ts';

export function lineFileName({ names, line, timetable }: LineFile): string {
  const digits = String(timetable.lines.length).length;
  const words = [line.route.shortName, line.name].map(toFileName).filter((word) => word !== '');
  return [names.prefix, names.prefix, 'Line', String(line.number).padStart(digits, '0'), ...new Set(words)]
    .join('_')
    .concat('.xml');
}

function toFileName(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '');
  return plain
    .replace(/[^0-9A-Za-z]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
}

export function* lineXml(file: LineFile, changes: ChangeLog): Generator<string> {
  const { timetable, names, line } = file;
  const maker = new LinkMaker(timetable, changes);
  const links = line.patterns.map((pattern) => maker.linksOf(pattern));
  const xml = openDelivery(timetable, names, `line-${line.key}`, localeOf(timetable, line.route.agency));
  xml.open('ServiceFrame', names.identity('ServiceFrame', line.key)).open('routes');
  for (const pattern of line.patterns) routeXml(xml, file, pattern);
  xml.close('routes').open('lines');
  describeLine(xml, file);
  xml.close('lines');
  yield xml.take();
  if (links.some((own) => own.length > 0)) {
    xml.open('serviceLinks');
    for (const link of maker.links) linkXml(xml, file, link);
    xml.close('serviceLinks');
  }
  xml.open('journeyPatterns');
  for (const [index, pattern] of line.patterns.entries()) {
    patternXml(xml, file, pattern, links[index] ?? []);
    yield xml.take();
  }
  xml.close('journeyPatterns').close('ServiceFrame');
  xml.open('TimetableFrame', names.identity('TimetableFrame', line.key)).open('vehicleJourneys');
  yield* journeysXml(xml, file);
  xml.close('vehicleJourneys');
  interchangesXml(xml, file);
  yield closeDelivery(xml.close('TimetableFrame')).take();
}

function describeLine(xml: XmlWriter, { names, line, timetable }: LineFile): void {
  const { route, mode } = line;
  const agency = timetable.agencies[route.agency]?.key ?? '';
  xml.open('Line', names.identity('Line', line.key)).text('Name', line.name);
  if (route.description !== line.name) xml.text('Description', route.description);
  xml.text('TransportMode', mode.mode);
  if (mode.mode !== 'unknown') {
    const element = submodeElement(mode.mode);
    xml
      .open('TransportSubmode')
      .text(element, mode.submode ?? 'unknown')
      .close('TransportSubmode');
  }
  xml
    .text('Url', route.url)
    .text('PublicCode', route.shortName || undefined)
    .text('PrivateCode', route.id);
  xml.empty('OperatorRef', names.foreignRef('Operator', agency));
  xml.empty('RepresentedByGroupRef', names.foreignRef('Network', agency));
  if (route.colour !== undefined || route.textColour !== undefined) {
    xml.open('Presentation').text('Colour', route.colour).text('TextColour', route.textColour).close('Presentation');
  }
  xml.close('Line');
}

function routeXml(xml: XmlWriter, file: LineFile, pattern: Pattern): void {
  const { names, line, timetable } = file;
  const key = patternKey(line, pattern);
  xml.open('Route', names.identity('Route', key)).text('Name', patternName(file, pattern));
  xml.empty('LineRef', names.localRef('Line', line.key));
  xml.text('DirectionType', ['outbound', 'inbound'][pattern.direction]).open('pointsInSequence');
  pattern.stops.forEach((stop, index) => {
    const order = index + 1;
    const identity = names.identity('PointOnRoute', `${key}-${order}`);
    const point = `<RoutePointRef ${names.foreignRef('RoutePoint', timetable.pointKeys[stop] ?? '')}/>`;
    xml.line(`<PointOnRoute order="${order}" ${identity}>${point}</PointOnRoute>`);
  });
  xml.close('pointsInSequence').close('Route');
}

function linkXml(xml: XmlWriter, { names, line, timetable }: LineFile, link: Link): void {
  const key = `${line.key}-${link.number}`;
  const point = (stop: number): string => names.foreignRef('ScheduledStopPoint', timetable.pointKeys[stop] ?? '');
  xml.open('ServiceLink', names.identity('ServiceLink', key)).text('Distance', link.metres);
  xml.open('projections').open('LinkSequenceProjection', names.identity('LinkSequenceProjection', key));
  xml.open('gml:LineString', `srsName="4326" srsDimension="2" gml:id="LS-${key}"`);
  const count = `srsDimension="2" count="${link.points.length * 2}"`;
  xml.text('gml:posList', link.points.map(([latitude, longitude]) => `${latitude} ${longitude}`).join(' '), count);
  xml.close('gml:LineString').close('LinkSequenceProjection').close('projections');
  xml.empty('FromPointRef', point(link.fromStop)).empty('ToPointRef', point(link.toStop)).close('ServiceLink');
}
