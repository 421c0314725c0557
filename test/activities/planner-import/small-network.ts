/**
 * A small network for the tests of the import. Stop points `a` … `e` are at quays `NSR:Quay:a` …, 1 km apart to the
 * north. It has authority `A`, operator `O`, network `N`, and day type `Week` of Monday to Friday 2026-11-23 to 27.
 * Each test adds the elements that it needs.
 */
import { type Dataset, delivery } from './recorded-import.ts';

const POINTS = ['a', 'b', 'c', 'd', 'e'];
/** One kilometre in degrees of latitude. */
const KILOMETRE = 1 / 111.195;

export const MONDAY = 20_780;
export const WEEK = [MONDAY, MONDAY + 1, MONDAY + 2, MONDAY + 3, MONDAY + 4];

const ref = (kind: string, id: string): string => `<${kind}Ref ref="${id}"/>`;

export const REGISTER =
  '<stopPlaces>' +
  POINTS.map(
    (point, index) =>
      `<StopPlace id="NSR:StopPlace:${point}" version="1"><Name>Stop ${point}</Name><TransportMode>bus</TransportMode><quays>` +
      `<Quay id="NSR:Quay:${point}" version="1"><Centroid><Location><Longitude>10</Longitude><Latitude>${60 + index * KILOMETRE}</Latitude></Location></Centroid></Quay></quays></StopPlace>`,
  ).join('') +
  '</stopPlaces>';

export interface Common {
  readonly service?: string;
  readonly calendar?: string;
  readonly organisations?: string;
  readonly more?: string;
}

export function commonFile({ service = '', calendar = '', organisations = '', more = '' }: Common = {}): string {
  const assignments = POINTS.map(
    (point) =>
      `<PassengerStopAssignment id="ABC:PassengerStopAssignment:${point}" version="1" order="1">${ref('ScheduledStopPoint', point)}${ref('Quay', `NSR:Quay:${point}`)}</PassengerStopAssignment>`,
  ).join('');
  return delivery(
    `<ResourceFrame id="R" version="1"><organisations><Authority id="A" version="1"><Name>Auth</Name></Authority><Operator id="O" version="1"><Name>Oper</Name></Operator>${organisations}</organisations></ResourceFrame>` +
      `<ServiceFrame id="SF" version="1"><Network id="N" version="1">${ref('Authority', 'A')}</Network><stopAssignments>${assignments}</stopAssignments>${service}</ServiceFrame>` +
      `<ServiceCalendarFrame id="CF" version="1"><dayTypes>${WEEK_TYPE}</dayTypes>${calendar}</ServiceCalendarFrame>${more}`,
  );
}

const WEEK_TYPE =
  '<DayType id="Week" version="1"><properties><PropertyOfDay><DaysOfWeek>Weekdays</DaysOfWeek></PropertyOfDay></properties></DayType>' +
  '<OperatingPeriod id="P" version="1"><FromDate>2026-11-21T00:00:00</FromDate><ToDate>2026-11-29T00:00:00</ToDate></OperatingPeriod>' +
  '<DayTypeAssignment id="DA" version="1" order="1"><OperatingPeriodRef ref="P"/><DayTypeRef ref="Week"/></DayTypeAssignment>';

export interface SmallStop {
  readonly point: string;
  /** XML to add to the StopPointInJourneyPattern. */
  readonly more?: string;
}

export interface SmallPattern {
  readonly id: string;
  readonly stops: readonly (string | SmallStop)[];
  readonly line?: string;
  readonly more?: string;
}

export function pattern({ id, stops, line = 'L', more = '' }: SmallPattern): string {
  const points = stops.map((stop, index) => {
    const { point, more: inside = '' } = typeof stop === 'string' ? { point: stop } : stop;
    return `<StopPointInJourneyPattern id="${id}-${index + 1}" version="1" order="${index + 1}">${ref('ScheduledStopPoint', point)}${inside}</StopPointInJourneyPattern>`;
  });
  return `<JourneyPattern id="${id}" version="1">${ref('Line', line)}<pointsInSequence>${points.join('')}</pointsInSequence>${more}</JourneyPattern>`;
}

/** Times are `HH:MM`, with `+1` for the next day, `a/d` for arrival and departure, `-` for no time. */
export interface SmallJourney {
  readonly id: string;
  readonly pattern: string;
  readonly times: readonly string[];
  readonly dayTypes?: readonly string[];
  readonly more?: string;
  readonly kind?: string;
}

export function journey({
  id,
  pattern: of,
  times,
  dayTypes = ['Week'],
  more = '',
  kind = 'ServiceJourney',
}: SmallJourney): string {
  const days = dayTypes.map((type) => ref('DayType', type)).join('');
  const passing = times.map(
    (time, index) =>
      `<TimetabledPassingTime id="${id}-t${index + 1}" version="1">${ref('StopPointInJourneyPattern', `${of}-${index + 1}`)}${timeXml(time)}</TimetabledPassingTime>`,
  );
  return `<${kind} id="${id}" version="1">${more}<dayTypes>${days}</dayTypes>${ref('JourneyPattern', of)}<passingTimes>${passing.join('')}</passingTimes></${kind}>`;
}

function timeXml(time: string): string {
  if (time === '-') return '';
  const [arrival, departure] = time.includes('/') ? time.split('/') : [undefined, time];
  return (arrival ? clockXml('Arrival', arrival) : '') + (departure ? clockXml('Departure', departure) : '');
}

function clockXml(name: string, time: string): string {
  const [clock, offset] = time.split('+');
  return `<${name}Time>${clock}:00</${name}Time>${offset ? `<${name}DayOffset>${offset}</${name}DayOffset>` : ''}`;
}

export const LINE = line('L');

export function line(id: string, more = '', attributes = ''): string {
  return `<Line id="${id}" version="1"${attributes}><Name>Line ${id}</Name><TransportMode>bus</TransportMode>${more}${ref('Operator', 'O')}<RepresentedByGroupRef ref="N"/></Line>`;
}

export interface LineFile {
  readonly lines?: string;
  readonly service?: string;
  readonly patterns?: string;
  readonly journeys?: string;
  readonly timetable?: string;
  readonly more?: string;
}

export function lineFile({
  lines = LINE,
  service = '',
  patterns = '',
  journeys = '',
  timetable = '',
  more = '',
}: LineFile): string {
  return delivery(
    `<ServiceFrame id="LF" version="1"><lines>${lines}</lines>${service}<journeyPatterns>${patterns}</journeyPatterns></ServiceFrame>` +
      `<TimetableFrame id="TF" version="1"><vehicleJourneys>${journeys}</vehicleJourneys>${timetable}</TimetableFrame>${more}`,
  );
}

/** A dataset of one line file and its common file. */
export function dataset(file: LineFile, common: Common = {}): Dataset {
  return { files: { '_ABC_shared_data.xml': commonFile(common), 'ABC_line.xml': lineFile(file) } };
}
