/** Writes journey patterns with their stops and links. Caller: the file of a line. */
import type { XmlWriter } from '../../netex/writing/xml-writer.ts';
import type { Link } from '../shapes/link-maker.ts';
import type { Line, Pattern, Timetable } from '../timetable/timetable.ts';
import { type LineFile, patternKey, patternName } from './line-file.ts';

export function patternXml(xml: XmlWriter, file: LineFile, pattern: Pattern, links: readonly Link[]): void {
  const { names, line } = file;
  const key = patternKey(line, pattern);
  xml.open('JourneyPattern', names.identity('JourneyPattern', key)).text('Name', patternName(file, pattern));
  xml.empty('RouteRef', names.localRef('Route', key)).open('pointsInSequence');
  pattern.stops.forEach((_, index) => {
    patternStopXml(xml, file, pattern, index);
  });
  xml.close('pointsInSequence');
  if (links.length > 0) {
    xml.open('linksInSequence');
    links.forEach((link, index) => {
      const identity = names.identity('ServiceLinkInJourneyPattern', `${key}-${index + 1}`);
      const ref = `<ServiceLinkRef ${names.localRef('ServiceLink', `${line.key}-${link.number}`)}/>`;
      xml.line(`<ServiceLinkInJourneyPattern order="${index + 1}" ${identity}>${ref}</ServiceLinkInJourneyPattern>`);
    });
    xml.close('linksInSequence');
  }
  xml.close('JourneyPattern');
}

const NEVER = 1;
const BY_TELEPHONE = 2;
const ASK_DRIVER = 3;

function patternStopXml(xml: XmlWriter, { timetable, names, line }: LineFile, pattern: Pattern, index: number): void {
  const rules = pattern.rules[index] as number;
  const [pickup, dropOff] = [rules & 3, rules >> 2];
  const display = pattern.displays[index] as number;
  const order = `order="${index + 1}"`;
  const local = `${patternKey(line, pattern)}-${index + 1}`;
  xml.open('StopPointInJourneyPattern', `${order} ${names.identity('StopPointInJourneyPattern', local)}`);
  const point = timetable.pointKeys[pattern.stops[index] as number] ?? '';
  xml.empty('ScheduledStopPointRef', names.foreignRef('ScheduledStopPoint', point));
  if (dropOff === NEVER) xml.text('ForAlighting', 'false');
  if (pickup === NEVER) xml.text('ForBoarding', 'false');
  if (display !== -1) xml.empty('DestinationDisplayRef', names.foreignRef('DestinationDisplay', display));
  if (pickup === ASK_DRIVER || dropOff === ASK_DRIVER) xml.text('RequestStop', 'true');
  if (pickup === BY_TELEPHONE || dropOff === BY_TELEPHONE) bookingXml(xml, timetable, line);
  xml.close('StopPointInJourneyPattern');
}

/** GTFS says only that passengers must telephone; the agency states how early. */
function bookingXml(xml: XmlWriter, timetable: Timetable, line: Line): void {
  const plan = timetable.agencies[line.route.agency];
  xml.open('BookingArrangements').open('BookingContact').text('Phone', plan?.agency.phone).text('Url', plan?.url);
  xml.close('BookingContact').text('BookingMethods', 'callOffice').text('BookingAccess', 'public');
  xml.close('BookingArrangements');
}
