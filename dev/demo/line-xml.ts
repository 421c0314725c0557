/**
 * Writes the file of one line: the line, its routes, patterns, journeys, blocks. A copy of a line (for large archives)
 * differs only in its ids and its name. Callers: generate.ts.
 */
import { closeDelivery, type Delivery, openDelivery } from './delivery-xml.ts';
import { createDisplays } from './displays.ts';
import { blocksXml, interchangesXml, journeysXml, noticeAssignmentsXml } from './journeys-xml.ts';
import { accessibilityXml, bookingXml, type LineFile, lineKey, lineKind } from './line-file.ts';
import type { Line, Pattern, Region } from './model.ts';
import { toFileName } from './names.ts';
import { at } from './random.ts';
import { linkKey } from './shared-data-xml.ts';
import { foreignRef, identity, localRef, type XmlWriter } from './xml-writer.ts';

export function lineFileName(line: Line, copy: number): string {
  const { publicCode, name } = line.spec;
  return `DEM_DEM-${lineKind(line.spec)}-${lineKey(line, copy)}_${publicCode}_${toFileName(name)}.xml`;
}

export function* lineXml(region: Region, line: Line, copy: number, delivery: Delivery): Generator<string> {
  const file: LineFile = { region, line, copy, key: lineKey(line, copy) };
  const xml = openDelivery(delivery, file.key, nameOf(file));
  xml.open('ServiceFrame', identity('ServiceFrame', file.key)).open('routes');
  for (const pattern of line.patterns) routeXml(xml, file, pattern);
  xml.close('routes').open('lines');
  describeLine(xml, file);
  xml.close('lines').open('journeyPatterns');
  for (const pattern of line.patterns) {
    patternXml(xml, file, pattern);
    yield xml.take();
  }
  xml.close('journeyPatterns').close('ServiceFrame');
  xml.open('TimetableFrame', identity('TimetableFrame', file.key)).open('vehicleJourneys');
  yield* journeysXml(xml, file);
  xml.close('vehicleJourneys');
  noticeAssignmentsXml(xml, file);
  interchangesXml(xml, file);
  xml.close('TimetableFrame');
  yield* blocksXml(xml, file);
  yield closeDelivery(xml).take();
}

function nameOf({ line, copy }: LineFile): string {
  return copy === 1 ? line.spec.name : `${line.spec.name} (${copy})`;
}

function describeLine(xml: XmlWriter, file: LineFile): void {
  const { spec } = file.line;
  const kind = lineKind(spec);
  const publication = spec.restricted === 'line' ? 'publication="restricted" ' : '';
  xml
    .open(kind, publication + identity(kind, file.key))
    .text('Name', nameOf(file))
    .text('TransportMode', spec.mode);
  const submode = `${spec.mode.charAt(0).toUpperCase()}${spec.mode.slice(1)}Submode`;
  xml.open('TransportSubmode').text(submode, spec.submode).close('TransportSubmode');
  xml.text('PublicCode', spec.publicCode).text('PrivateCode', file.key);
  xml.empty('OperatorRef', foreignRef('Operator', spec.operator));
  xml.empty('RepresentedByGroupRef', foreignRef('GroupOfLines', spec.group));
  xml.open('Presentation').text('Colour', spec.colour).text('TextColour', 'FFFFFF').close('Presentation');
  accessibilityXml(xml, `line-${file.key}`, spec.wheelchair);
  if (spec.flexible) {
    xml.text('FlexibleLineType', 'fixed');
    bookingXml(xml, spec.flexible);
  }
  xml.close(kind);
}

function routeXml(xml: XmlWriter, file: LineFile, pattern: Pattern): void {
  const key = `${file.key}-${pattern.key}`;
  const kind = lineKind(file.line.spec);
  xml.open('Route', identity('Route', key)).text('Name', patternName(pattern));
  xml.empty(`${kind}Ref`, localRef(kind, file.key)).text('DirectionType', pattern.direction).open('pointsInSequence');
  pattern.quays.forEach((quay, index) => {
    xml.open('PointOnRoute', `order="${index + 1}" ${identity('PointOnRoute', `${key}-${index + 1}`)}`);
    xml.empty('RoutePointRef', foreignRef('RoutePoint', quay.number)).close('PointOnRoute');
  });
  xml.close('pointsInSequence').close('Route');
}

function patternName(pattern: Pattern): string {
  return `${at(pattern.quays, 0).place.name} - ${at(pattern.quays, -1).place.name}`;
}

function patternXml(xml: XmlWriter, file: LineFile, pattern: Pattern): void {
  const key = `${file.key}-${pattern.key}`;
  xml.open('JourneyPattern', identity('JourneyPattern', key)).text('Name', patternName(pattern));
  xml.empty('RouteRef', localRef('Route', key)).open('pointsInSequence');
  pattern.quays.forEach((_, index) => {
    stopXml(xml, file, pattern, index);
  });
  xml.close('pointsInSequence').open('linksInSequence');
  pattern.quays.slice(1).forEach((to, index) => {
    const order = index + 1;
    xml.open(
      'ServiceLinkInJourneyPattern',
      `order="${order}" ${identity('ServiceLinkInJourneyPattern', `${key}-${order}`)}`,
    );
    xml.empty('ServiceLinkRef', foreignRef('ServiceLink', linkKey(at(pattern.quays, index), to)));
    xml.close('ServiceLinkInJourneyPattern');
  });
  xml.close('linksInSequence').close('JourneyPattern');
}

function stopXml(xml: XmlWriter, file: LineFile, pattern: Pattern, index: number): void {
  const { spec } = file.line;
  const last = pattern.quays.length - 1;
  const order = `${file.key}-${pattern.key}-${index + 1}`;
  const display = pattern.displays[index];
  xml.open('StopPointInJourneyPattern', `order="${index + 1}" ${identity('StopPointInJourneyPattern', order)}`);
  xml.empty('ScheduledStopPointRef', foreignRef('ScheduledStopPoint', at(pattern.quays, index).number));
  if (index === 0) xml.text('ForAlighting', 'false').text('ForBoarding', 'true');
  if (index === last) xml.text('ForAlighting', 'true').text('ForBoarding', 'false');
  if (display !== undefined) {
    const number = createDisplays(file.region).numberOf(display);
    xml.empty('DestinationDisplayRef', foreignRef('DestinationDisplay', number));
  }
  if (spec.bookedStops && pattern.direction === 'outbound' && index > last - spec.bookedStops.count) {
    xml.open('BookingArrangements');
    bookingXml(xml, spec.bookedStops.booking);
    xml.close('BookingArrangements');
  }
  xml.close('StopPointInJourneyPattern');
}
