/**
 * Writes service journeys with their passing times, and interchanges. A passing time is one line of text, built
 * without the XML writer because there are millions. Caller: the file of a line.
 */
import type { XmlWriter } from '../../netex/writing/xml-writer.ts';
import { departuresOf, type Pattern } from '../timetable/timetable.ts';
import { accessibilityXml } from './accessibility-xml.ts';
import { type LineFile, patternKey } from './line-file.ts';

const DAY_SECONDS = 86_400;

export function* journeysXml(xml: XmlWriter, file: LineFile): Generator<string> {
  for (const pattern of file.line.patterns) {
    for (const trip of pattern.trips) {
      for (const run of runsOf(file, trip)) versionsXml(xml, file, pattern, run);
      yield xml.take();
    }
  }
}

function runsOf({ timetable }: LineFile, trip: number): Run[] {
  const { calls } = timetable.feed;
  const key = timetable.journeyKeys[trip] ?? '';
  const timesKey = trip.toString(36);
  const frequencies = timetable.frequencies.get(trip);
  if (frequencies === undefined)
    return [{ trip, key, timesKey, start: calls.departure[calls.first[trip] as number] as number, shift: 0 }];
  return departuresOf(calls, frequencies, trip).map(({ start, shift }) => {
    const clock = clockTime(start).replaceAll(':', '');
    return { trip, key: `${key}-${clock}`, timesKey: `${timesKey}-${clock}`, start, shift };
  });
}

interface Run {
  readonly trip: number;
  readonly key: string;
  /** Key in the ids of its passing times. */
  readonly timesKey: string;
  /** First departure. */
  readonly start: number;
  /** Offset in seconds from the trip's own times. */
  readonly shift: number;
}

function versionsXml(xml: XmlWriter, file: LineFile, pattern: Pattern, run: Run): void {
  for (const { dayType, suffix, shift } of file.timetable.versionsOf(run.trip, run.start)) {
    const key = `${run.key}${suffix}`;
    const version = { ...run, key, timesKey: `${run.timesKey}${suffix}`, shift: run.shift + shift };
    journeyXml(xml, file, pattern, version, dayType);
  }
}

function journeyXml(xml: XmlWriter, file: LineFile, pattern: Pattern, run: Run, dayType: string): void {
  const { timetable, names, line } = file;
  const { trips, texts } = timetable.feed;
  const shortName = trips.shortName[run.trip] as number;
  xml.open('ServiceJourney', names.identity('ServiceJourney', run.key));
  accessibilityXml(xml, names, run.key, trips.wheelchair[run.trip] as number);
  xml.line(`<dayTypes><DayTypeRef ${names.foreignRef('DayType', dayType)}/></dayTypes>`);
  xml.empty('JourneyPatternRef', names.localRef('JourneyPattern', patternKey(line, pattern)));
  if (shortName !== -1) xml.text('PublicCode', texts.get(shortName));
  passingTimesXml(xml, file, pattern, run);
  xml.close('ServiceJourney');
}

function passingTimesXml(xml: XmlWriter, { timetable, names, line }: LineFile, pattern: Pattern, run: Run): void {
  const { first, arrival, departure } = timetable.feed.calls;
  const from = first[run.trip] as number;
  const last = pattern.stops.length - 1;
  const points = names.id('StopPointInJourneyPattern', `${patternKey(line, pattern)}-`);
  const times = `<TimetabledPassingTime version="1" id="${names.id('TimetabledPassingTime', run.timesKey)}-`;
  xml.open('passingTimes');
  for (let stop = 0; stop <= last; stop++) {
    const arrives = (arrival[from + stop] as number) + run.shift;
    const leaves = (departure[from + stop] as number) + run.shift;
    const reached = stop === last || (stop > 0 && arrives !== leaves) ? timeXml('Arrival', arrives) : '';
    const left = stop === last ? '' : timeXml('Departure', leaves);
    const point = `<StopPointInJourneyPatternRef ref="${points}${stop + 1}" version="1"/>`;
    xml.line(`${times}${stop + 1}">${point}${reached}${left}</TimetabledPassingTime>`);
  }
  xml.close('passingTimes');
}

function timeXml(kind: 'Arrival' | 'Departure', seconds: number): string {
  const offset = Math.floor(seconds / DAY_SECONDS);
  const time = `<${kind}Time>${clockTime(seconds - offset * DAY_SECONDS)}</${kind}Time>`;
  return offset === 0 ? time : `${time}<${kind}DayOffset>${offset}</${kind}DayOffset>`;
}

const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));

/** Hours may exceed 23. */
function clockTime(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}`;
}

/** Interchanges are written in the file of the line that the passengers continue on, as is usual. */
export function interchangesXml(xml: XmlWriter, { timetable, names, line }: LineFile): void {
  if (line.interchanges.length === 0) return;
  const point = (stop: number): string => names.foreignRef('ScheduledStopPoint', timetable.pointKeys[stop] ?? '');
  const journey = (trip: number): string => names.id('ServiceJourney', timetable.journeyKeys[trip] ?? '');
  xml.open('journeyInterchanges');
  line.interchanges.forEach(({ fromTrip, toTrip, fromStop, toStop, staySeated }, index) => {
    const identity = names.identity('ServiceJourneyInterchange', `${line.key}-${index + 1}`);
    xml.open('ServiceJourneyInterchange', identity);
    xml.text('StaySeated', String(staySeated)).text('Guaranteed', 'true');
    xml.empty('FromPointRef', point(fromStop)).empty('ToPointRef', point(toStop));
    xml.empty('FromJourneyRef', `ref="${journey(fromTrip)}"${isOfLine(fromTrip) ? ' version="1"' : ''}`);
    xml.empty('ToJourneyRef', `ref="${journey(toTrip)}" version="1"`).close('ServiceJourneyInterchange');
  });
  xml.close('journeyInterchanges');

  function isOfLine(trip: number): boolean {
    const { trips, routes } = timetable.feed;
    return routes[trips.route[trip] as number] === line.route;
  }
}
