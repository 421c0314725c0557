/**
 * A timetable as plain values that a test can change at will, and its archive. A journey's `key` tells which journey it
 * is in both datasets, whatever ids they give it. Callers: the tests of differences, their benchmark.
 */
import { dayText } from '../../../netex/model/calendar-day.ts';
import { type Archive, bufferRangeReader, DEFAULT_ARCHIVE_LIMITS, openArchive } from '../../../netex/zip/index.ts';
import { type EntrySpec, writeZip } from '../../support/zip-writer.ts';
import { composite } from './sample-files.ts';

export interface DrawnStop {
  readonly id: string;
  name: string;
  latitude: number;
  readonly longitude: number;
}

export interface DrawnJourney {
  readonly key: string;
  id: string;
  readonly direction: 'outbound' | 'inbound';
  /** Ids of stops. */
  stops: readonly string[];
  /** Seconds after midnight, one for each stop. */
  times: readonly number[];
  dayType: string;
}

export interface DrawnLine {
  readonly id: string;
  name: string;
  publicCode: string;
  mode: string;
  journeys: DrawnJourney[];
}

export interface DrawnTimetable {
  readonly stops: DrawnStop[];
  readonly lines: DrawnLine[];
  /** Days since 1970-01-01, by the id of the day type. */
  readonly dayTypes: Map<string, readonly number[]>;
}

const clockOf = (seconds: number) => new Date((seconds % 86_400) * 1_000).toISOString().slice(11, 19);
const local = (id: string) => id.replaceAll(':', '-');
const idOf = (kind: string, id: string) => `id="ABC:${kind}:${local(id)}" version="1"`;
const refOf = (kind: string, id: string) => `<${kind}Ref ref="ABC:${kind}:${local(id)}"/>`;
/** From 2020 on: the validity of the frame shall cut nothing. */
const ALWAYS =
  '<validityConditions><AvailabilityCondition id="ABC:AvailabilityCondition:1" version="1"><FromDate>2020-01-01T00:00:00</FromDate></AvailabilityCondition></validityConditions>';

export async function archiveOf(timetable: DrawnTimetable): Promise<Archive> {
  return await openArchive(bufferRangeReader(archiveBytesOf(timetable)), DEFAULT_ARCHIVE_LIMITS);
}

export function archiveBytesOf(timetable: DrawnTimetable): Buffer {
  const entries: EntrySpec[] = [{ name: '_common.xml', data: composite(commonFrames(timetable), '', ALWAYS) }];
  for (const line of timetable.lines) {
    entries.push({ name: `${local(line.id)}.xml`, data: composite(lineFrames(line), '', ALWAYS) });
  }
  return writeZip(entries);
}

function commonFrames({ stops, dayTypes }: DrawnTimetable): string {
  const places = stops.map(
    ({ id, name, latitude, longitude }) =>
      `<StopPlace ${idOf('StopPlace', id)}><Name>${name}</Name><Centroid><Location><Longitude>${longitude}</Longitude><Latitude>${latitude}</Latitude></Location></Centroid><quays><Quay id="${id}" version="1"/></quays></StopPlace>`,
  );
  const points = stops.map(({ id }) => `<ScheduledStopPoint ${idOf('ScheduledStopPoint', id)}/>`);
  const assignments = stops.map(
    ({ id }, order) =>
      `<PassengerStopAssignment ${idOf('PassengerStopAssignment', id)} order="${order + 1}">${refOf('ScheduledStopPoint', id)}<QuayRef ref="${id}"/></PassengerStopAssignment>`,
  );
  const calendar = [...dayTypes].map(([id, days]) => {
    const assigned = days.map(
      (day, order) =>
        `<DayTypeAssignment ${idOf('DayTypeAssignment', `${id}-${day}`)} order="${order + 1}"><Date>${dayText(day)}</Date>${refOf('DayType', id)}</DayTypeAssignment>`,
    );
    return `<DayType ${idOf('DayType', id)}/>${assigned.join('')}`;
  });
  return `<SiteFrame ${idOf('SiteFrame', '1')}><stopPlaces>${places.join('')}</stopPlaces></SiteFrame><ServiceFrame ${idOf('ServiceFrame', 'common')}><scheduledStopPoints>${points.join('')}</scheduledStopPoints><stopAssignments>${assignments.join('')}</stopAssignments></ServiceFrame><ServiceCalendarFrame ${idOf('ServiceCalendarFrame', '1')}>${calendar.join('')}</ServiceCalendarFrame>`;
}

function lineFrames({ id, name, publicCode, mode, journeys }: DrawnLine): string {
  const route = (direction: string) => `${id}-${direction}`;
  const routes = ['outbound', 'inbound'].map(
    (direction) =>
      `<Route ${idOf('Route', route(direction))}><LineRef ref="${id}"/><DirectionType>${direction}</DirectionType></Route>`,
  );
  const patterns = new Map<string, string>();
  const runs = journeys.map(({ id: journey, direction, stops, times, dayType }) => {
    const sequence = `${direction} ${stops.join(' ')}`;
    let pattern = patterns.get(sequence);
    if (pattern === undefined) {
      pattern = `${id}-${patterns.size}`;
      patterns.set(sequence, pattern);
    }
    const key = pattern;
    const passing = times.map(
      (time, order) =>
        `<TimetabledPassingTime>${refOf('StopPointInJourneyPattern', `${key}-${order}`)}<DepartureTime>${clockOf(time)}</DepartureTime>${time >= 86_400 ? '<DepartureDayOffset>1</DepartureDayOffset>' : ''}</TimetabledPassingTime>`,
    );
    return `<ServiceJourney id="${journey}" version="1"><dayTypes>${refOf('DayType', dayType)}</dayTypes>${refOf('JourneyPattern', pattern)}<passingTimes>${passing.join('')}</passingTimes></ServiceJourney>`;
  });
  const sequences = [...patterns].map(([sequence, pattern]) => {
    const [direction = '', ...stops] = sequence.split(' ');
    const points = stops.map(
      (stop, order) =>
        `<StopPointInJourneyPattern ${idOf('StopPointInJourneyPattern', `${pattern}-${order}`)} order="${order + 1}">${refOf('ScheduledStopPoint', stop)}</StopPointInJourneyPattern>`,
    );
    return `<JourneyPattern ${idOf('JourneyPattern', pattern)}>${refOf('Route', route(direction))}<pointsInSequence>${points.join('')}</pointsInSequence></JourneyPattern>`;
  });
  const line = `<Line id="${id}" version="1"><Name>${name}</Name><TransportMode>${mode}</TransportMode><PublicCode>${publicCode}</PublicCode></Line>`;
  return `<ServiceFrame ${idOf('ServiceFrame', id)}><routes>${routes.join('')}</routes><lines>${line}</lines><journeyPatterns>${sequences.join('')}</journeyPatterns></ServiceFrame><TimetableFrame ${idOf('TimetableFrame', id)}><vehicleJourneys>${runs.join('')}</vehicleJourneys></TimetableFrame>`;
}
