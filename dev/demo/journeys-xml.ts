/**
 * Writes journeys, dated journeys, dead runs, notice assignments, interchanges and blocks of one line. A passing time
 * is one line of text, written without the XML writer, because there are hundreds of thousands. Callers: line-xml.ts.
 */
import { accessibilityXml, bookingXml, type LineFile, lineKey, lineKind } from './line-file.ts';
import type { Block, DatedJourney, DeadRun, Journey, Pattern } from './model.ts';
import { at } from './random.ts';
import { clockTime, dayOffset } from './service-days.ts';
import { demId, foreignRef, identity, localRef, type XmlWriter } from './xml-writer.ts';

export function* journeysXml(xml: XmlWriter, file: LineFile): Generator<string> {
  for (const journey of file.line.journeys) {
    journeyXml(xml, file, journey);
    yield xml.take();
  }
  for (const dated of file.line.datedJourneys) datedXml(xml, file, dated);
  for (const run of file.line.deadRuns) deadRunXml(xml, file, run);
  yield xml.take();
}

function journeyXml(xml: XmlWriter, file: LineFile, journey: Journey): void {
  const { spec } = file.line;
  const key = `${file.key}-${journey.key}`;
  const publication = journey.restricted ? 'publication="restricted" ' : '';
  xml.open('ServiceJourney', publication + identity('ServiceJourney', key));
  xml.text('Name', at(journey.pattern.quays, -1).place.name).text('PrivateCode', key);
  accessibilityXml(xml, key, spec.wheelchair);
  if (journey.dayType) dayTypesXml(xml, journey.dayType);
  xml.empty('JourneyPatternRef', localRef('JourneyPattern', `${file.key}-${journey.pattern.key}`));
  xml.empty('OperatorRef', foreignRef('Operator', spec.operator));
  xml.empty(`${lineKind(spec)}Ref`, localRef(lineKind(spec), file.key));
  passingTimesXml(xml, file, key, journey);
  if (journey.booking) {
    xml.open('FlexibleServiceProperties', identity('FlexibleServiceProperties', key));
    xml.text('FlexibleServiceType', 'fixedPassingTimes');
    bookingXml(xml, journey.booking);
    xml.close('FlexibleServiceProperties');
  }
  xml.close('ServiceJourney');
}

function dayTypesXml(xml: XmlWriter, dayType: string): void {
  xml.open('dayTypes').empty('DayTypeRef', foreignRef('DayType', dayType)).close('dayTypes');
}

function passingTimesXml(
  xml: XmlWriter,
  file: LineFile,
  key: string,
  run: { departure: number; pattern: Pattern },
): void {
  const { pattern, departure } = run;
  const last = pattern.quays.length - 1;
  const points = demId('StopPointInJourneyPattern', `${file.key}-${pattern.key}-`);
  const times = `<TimetabledPassingTime version="1" id="${demId('TimetabledPassingTime', key)}-`;
  xml.open('passingTimes');
  for (let stop = 0; stop <= last; stop++) {
    const arrives = departure + at(pattern.arrivals, stop);
    const leaves = departure + at(pattern.departures, stop);
    const arrival = stop === last || (stop > 0 && arrives !== leaves) ? timeXml('Arrival', arrives) : '';
    const leaving = stop === last ? '' : timeXml('Departure', leaves);
    const point = `<StopPointInJourneyPatternRef ref="${points}${stop + 1}" version="1"/>`;
    xml.line(`${times}${stop + 1}">${point}${arrival}${leaving}</TimetabledPassingTime>`);
  }
  xml.close('passingTimes');
}

function timeXml(kind: 'Arrival' | 'Departure', minute: number): string {
  const offset = dayOffset(minute);
  const time = `<${kind}Time>${clockTime(minute)}</${kind}Time>`;
  return offset === 0 ? time : `${time}<${kind}DayOffset>${offset}</${kind}DayOffset>`;
}

function datedXml(xml: XmlWriter, file: LineFile, dated: DatedJourney): void {
  xml.open('DatedServiceJourney', identity('DatedServiceJourney', `${file.key}-${dated.key}`));
  xml.text('ServiceAlteration', dated.alteration);
  xml.empty('ServiceJourneyRef', localRef('ServiceJourney', `${file.key}-${dated.journey.key}`));
  if (dated.replaces) {
    xml.empty('DatedServiceJourneyRef', localRef('DatedServiceJourney', `${file.key}-${dated.replaces}`));
  }
  xml.empty('OperatingDayRef', foreignRef('OperatingDay', dated.date)).close('DatedServiceJourney');
}

function deadRunXml(xml: XmlWriter, file: LineFile, run: DeadRun): void {
  const key = `${file.key}-${run.key}`;
  xml.open('DeadRun', identity('DeadRun', key));
  dayTypesXml(xml, run.dayType);
  xml.empty('JourneyPatternRef', localRef('JourneyPattern', `${file.key}-${run.pattern.key}`));
  passingTimesXml(xml, file, key, run);
  xml.empty('OperatorRef', foreignRef('Operator', file.line.spec.operator));
  xml.empty(`${lineKind(file.line.spec)}Ref`, localRef(lineKind(file.line.spec), file.key));
  xml.text('DeadRunType', run.type).close('DeadRun');
}

/** Objects that carry the notice with this number. */
function noticedObjects(file: LineFile, notice: number): string[] {
  const { line, key } = file;
  const out = at(line.patterns, 0);
  const first = at(line.journeys, 0);
  switch (notice) {
    case 3:
      return line.journeys.map((journey) => localRef('ServiceJourney', `${key}-${journey.key}`));
    case 4: {
      const booked = line.spec.bookedStops?.count ?? 0;
      if (booked === 0) return [localRef(lineKind(line.spec), key)];
      const stops = out.quays.map((_, index) => `${key}-${out.key}-${index + 1}`);
      return stops.slice(-booked).map((stop) => localRef('StopPointInJourneyPattern', stop));
    }
    case 5:
      return [localRef('JourneyPattern', `${key}-${out.key}`)];
    case 6:
      return [localRef('TimetabledPassingTime', `${key}-${first.key}-1`)];
    default:
      return [localRef(lineKind(line.spec), key)];
  }
}

export function noticeAssignmentsXml(xml: XmlWriter, file: LineFile): void {
  const pairs = (file.line.spec.notices ?? []).flatMap((notice) =>
    noticedObjects(file, notice).map((object) => ({ notice, object })),
  );
  if (pairs.length === 0) return;
  xml.open('noticeAssignments');
  pairs.forEach(({ notice, object }, index) => {
    const order = index + 1;
    xml.open('NoticeAssignment', `order="${order}" ${identity('NoticeAssignment', `${file.key}-${order}`)}`);
    xml.empty('NoticeRef', foreignRef('Notice', notice)).empty('NoticedObjectRef', object).close('NoticeAssignment');
  });
  xml.close('noticeAssignments');
}

/**
 * By convention, the file of the onward line has the interchange. It refers to the other line's copy of the same
 * number.
 */
export function interchangesXml(xml: XmlWriter, file: LineFile): void {
  const own = file.region.interchanges.filter((interchange) => interchange.to.line === file.line);
  if (own.length === 0) return;
  xml.open('journeyInterchanges');
  own.forEach(({ from, to, staySeated }, index) => {
    xml.open('ServiceJourneyInterchange', identity('ServiceJourneyInterchange', `${file.key}-${index + 1}`));
    xml
      .text('Priority', 2)
      .text('StaySeated', String(staySeated))
      .text('Guaranteed', 'true')
      .text('MaximumWaitTime', 'PT10M');
    xml.empty('FromPointRef', foreignRef('ScheduledStopPoint', from.quay.number));
    xml.empty('ToPointRef', foreignRef('ScheduledStopPoint', to.quay.number));
    const other = `${lineKey(from.line, file.copy)}-${from.journey.key}`;
    xml.empty('FromJourneyRef', foreignRef('ServiceJourney', other));
    xml.empty('ToJourneyRef', localRef('ServiceJourney', `${file.key}-${to.journey.key}`));
    xml.close('ServiceJourneyInterchange');
  });
  xml.close('journeyInterchanges');
}

export function* blocksXml(xml: XmlWriter, file: LineFile): Generator<string> {
  const kind = file.line.spec.blocks;
  if (!kind || file.line.blocks.length === 0) return;
  xml.open('VehicleScheduleFrame', identity('VehicleScheduleFrame', file.key)).open('blocks');
  for (const block of file.line.blocks) blockXml(xml, file, kind, block);
  yield xml.close('blocks').close('VehicleScheduleFrame').take();
}

function blockXml(xml: XmlWriter, file: LineFile, kind: 'Block' | 'TrainBlock', block: Block): void {
  xml.open(kind, identity(kind, `${file.key}-${block.key}`)).text('PrivateCode', `${file.key}-${block.key}`);
  xml.text('StartTime', clockTime(block.start)).text('StartTimeDayOffset', dayOffset(block.start));
  xml.text('EndTime', clockTime(block.end)).text('EndTimeDayOffset', dayOffset(block.end));
  dayTypesXml(xml, block.dayType);
  xml.open('journeys');
  for (const part of block.parts) {
    const key = `${file.key}-${part.key}`;
    if ('type' in part) xml.empty('DeadRunRef', localRef('DeadRun', key));
    else xml.empty('VehicleJourneyRef', localRef('ServiceJourney', key));
  }
  xml.close('journeys').close(kind);
}
