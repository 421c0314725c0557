/**
 * Small datasets for the rules across files: journeys at a few stops, their calendar, and interchanges. As in the
 * pipeline, files are validated with the facts of common files, and their results stay encoded.
 */
import assert from 'node:assert/strict';
import type { DatasetContext } from '../../../netex/dataset/dataset-outcome.ts';
import { addFileIds, SEVERAL_FILES } from '../../../netex/dataset/file-ids.ts';
import { IdIndexBuilder } from '../../../netex/dataset/id-index.ts';
import { validateDataset } from '../../../netex/dataset/validate-dataset.ts';
import { decodeFileResult, encodeFileResult } from '../../../netex/file-result.ts';
import { CommonFactsBuilder } from '../../../netex/model/common-facts.ts';
import { datasetRules } from '../../../netex/rules/dataset-rules.ts';
import { validateFile } from '../../../netex/validate-file.ts';
import type { NetexFile } from '../../../netex/validation-context.ts';
import { ABC, composite, file } from './sample-files.ts';

/** Stop, then `HH:MM`, `HH:MM:SS` or `HH:MM+1` with a day offset, then the forbidden use of the call. */
export type SmallCall = readonly [stop: string, time: string, forbidden?: 'ForAlighting' | 'ForBoarding'];

export interface SmallJourney {
  readonly id: string;
  readonly calls: readonly SmallCall[];
  readonly dayTypes?: readonly string[];
  /** Days of dated journeys, yyyy-MM-dd; a day with `!` is cancelled. */
  readonly dates?: readonly string[];
}

export interface SmallInterchange {
  readonly id: string;
  readonly from: readonly [journey: string, stop: string];
  readonly to: readonly [journey: string, stop: string];
  /** Further elements as XML. */
  readonly more?: string;
}

export interface SmallLine {
  readonly name?: string;
  readonly journeys?: readonly SmallJourney[];
  readonly interchanges?: readonly SmallInterchange[];
}

const id = (kind: string, local: string) => `id="ABC:${kind}:${local}" version="1"`;
const ref = (kind: string, local: string) => `<${kind}Ref ref="ABC:${kind}:${local}"/>`;

export function lineFile(name: string, { name: lineName, journeys = [], interchanges = [] }: SmallLine): NetexFile {
  const key = name.replace('.xml', '');
  const line = `<lines><Line ${id('Line', key)}><Name>${lineName ?? key}</Name></Line></lines>`;
  const patterns = journeys.map((journey) => patternXml(journey)).join('');
  const service = `<ServiceFrame ${id('ServiceFrame', key)}>${line}<journeyPatterns>${patterns}</journeyPatterns></ServiceFrame>`;
  const runs = journeys.map((journey) => journeyXml(journey)).join('');
  const joins = interchanges.map((interchange) => interchangeXml(interchange)).join('');
  const timetable = `<TimetableFrame ${id('TimetableFrame', key)}><vehicleJourneys>${runs}</vehicleJourneys><journeyInterchanges>${joins}</journeyInterchanges></TimetableFrame>`;
  return file(name, composite(service + timetable));
}

function patternXml({ id: journey, calls }: SmallJourney): string {
  const stops = calls.map(([stop, , forbidden], index) => {
    const rule = forbidden === undefined ? '' : `<${forbidden}>false</${forbidden}>`;
    return `<StopPointInJourneyPattern ${id('StopPointInJourneyPattern', `${journey}-${index}`)} order="${index + 1}">${ref('ScheduledStopPoint', stop)}${rule}</StopPointInJourneyPattern>`;
  });
  return `<JourneyPattern ${id('JourneyPattern', journey)}><pointsInSequence>${stops.join('')}</pointsInSequence></JourneyPattern>`;
}

function journeyXml({ id: journey, calls, dayTypes = [], dates = [] }: SmallJourney): string {
  const times = calls.map(([, time], index) => {
    const [clock, offset] = time.split('+');
    const days = offset === undefined ? '' : `<DepartureDayOffset>${offset}</DepartureDayOffset>`;
    return `<TimetabledPassingTime ${id('TimetabledPassingTime', `${journey}-${index}`)}>${ref('StopPointInJourneyPattern', `${journey}-${index}`)}<DepartureTime>${clock?.length === 5 ? `${clock}:00` : clock}</DepartureTime>${days}</TimetabledPassingTime>`;
  });
  const days = dayTypes.map((dayType) => ref('DayType', dayType)).join('');
  const dated = dates.map((date) => {
    const cancelled = date.startsWith('!') ? '<ServiceAlteration>cancellation</ServiceAlteration>' : '';
    const day = date.replace('!', '');
    return `<DatedServiceJourney ${id('DatedServiceJourney', `${journey}-${day}`)}>${cancelled}${ref('ServiceJourney', journey)}${ref('OperatingDay', day)}</DatedServiceJourney>`;
  });
  return `<ServiceJourney ${id('ServiceJourney', journey)}><dayTypes>${days}</dayTypes>${ref('JourneyPattern', journey)}<passingTimes>${times.join('')}</passingTimes></ServiceJourney>${dated.join('')}`;
}

function interchangeXml({ id: interchange, from, to, more = '' }: SmallInterchange): string {
  const journeyRef = (local: string) => (local.startsWith('ABC:') ? local : `ABC:ServiceJourney:${local}`);
  const ends = `<FromPointRef ref="ABC:ScheduledStopPoint:${from[1]}"/><ToPointRef ref="ABC:ScheduledStopPoint:${to[1]}"/><FromJourneyRef ref="${journeyRef(from[0])}"/><ToJourneyRef ref="${journeyRef(to[0])}"/>`;
  return `<ServiceJourneyInterchange ${id('ServiceJourneyInterchange', interchange)}>${ends}${more}</ServiceJourneyInterchange>`;
}

/** Stop points, and a calendar as XML. */
export function commonFile(name: string, stops: readonly string[], calendar: string): NetexFile {
  const points = stops.map((stop) => `<ScheduledStopPoint ${id('ScheduledStopPoint', stop)}/>`).join('');
  const service = `<ServiceFrame ${id('ServiceFrame', name)}><scheduledStopPoints>${points}</scheduledStopPoints></ServiceFrame>`;
  return file(
    name,
    composite(`${service}<ServiceCalendarFrame ${id('ServiceCalendarFrame', name)}>${calendar}</ServiceCalendarFrame>`),
  );
}

/** A day type that runs on the given days, and not on days with `!`. */
export function dayType(local: string, days: readonly string[], weekdays?: string): string {
  const property =
    weekdays === undefined
      ? ''
      : `<properties><PropertyOfDay><DaysOfWeek>${weekdays}</DaysOfWeek></PropertyOfDay></properties>`;
  const assignments = days.map((day, index) => {
    const [from, to] = day.replace('!', '').split('/');
    const key = `${local}-${index}`;
    const available = day.startsWith('!') ? '<isAvailable>false</isAvailable>' : '';
    const period =
      to === undefined
        ? ''
        : `<OperatingPeriod ${id('OperatingPeriod', key)}><FromDate>${from}T00:00:00</FromDate><ToDate>${to}T00:00:00</ToDate></OperatingPeriod>`;
    const what = to === undefined ? `<Date>${from}</Date>` : ref('OperatingPeriod', key);
    return `${period}<DayTypeAssignment ${id('DayTypeAssignment', key)} order="1">${what}${ref('DayType', local)}${available}</DayTypeAssignment>`;
  });
  return `<DayType ${id('DayType', local)}>${property}</DayType>${assignments.join('')}`;
}

export function operatingDays(...days: string[]): string {
  return days
    .map((day) => `<OperatingDay ${id('OperatingDay', day)}><CalendarDate>${day}</CalendarDate></OperatingDay>`)
    .join('');
}

/** Encoded results by name. */
export function validateFiles(files: readonly NetexFile[]): Map<string, Uint8Array> {
  const ids = new IdIndexBuilder(SEVERAL_FILES);
  const facts = new CommonFactsBuilder();
  for (const common of files.filter(({ kind }) => kind === 'common')) {
    addFileIds(common, ids, facts.reader());
  }
  const context = { ...ABC, commonIds: ids.build().bytes, commonFacts: facts.build() };
  return new Map(files.map((one) => [one.name, encodeFileResult(validateFile(one, context))]));
}

const ACROSS_FILES: ReadonlySet<string> = new Set(datasetRules.map(({ code }) => code));

/** Findings of the rules across files alone, and the number of reads of each result. */
export async function validateResults(results: ReadonlyMap<string, Uint8Array>, context: Partial<DatasetContext> = {}) {
  const reads = new Map<string, number>();
  const files = [...results.keys()].map((name) => ({
    name,
    kind: name.startsWith('_') ? ('common' as const) : ('line' as const),
  }));
  const outcome = await validateDataset(
    {
      files,
      async read(name) {
        reads.set(name, (reads.get(name) ?? 0) + 1);
        return decodeFileResult(results.get(name) ?? assert.fail(name));
      },
    },
    { dataset: 'timetable', today: '2026-11-21', ...context },
  );
  const counts = Object.entries(outcome.findingsPerRule).filter(([code]) => ACROSS_FILES.has(code));
  const findings = outcome.findings.filter(({ code }) => ACROSS_FILES.has(code));
  return { counts: Object.fromEntries(counts), findings, reads };
}

export async function validate(files: readonly NetexFile[], context: Partial<DatasetContext> = {}) {
  return await validateResults(validateFiles(files), context);
}
