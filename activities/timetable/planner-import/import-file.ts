/**
 * Gives the entities of one file of a dataset to the builder. Callers: the import of a dataset, first for all common
 * files together, then for each line file.
 */
import type { InterchangeEntity } from '../../../netex/entities/entity-types.ts';
import type { TimetableBuilder } from '../../../planner/build/input.ts';
import type { ServiceDay } from '../../../planner/model/indices.ts';
import type { DatedJourneys, DatedRun } from './dated-journeys.ts';
import type { InterchangeIndex } from './interchange-index.ts';
import type { JourneyDays } from './journey-days.ts';
import { importJourney, type JourneyImport, patternStopIds } from './journey-mapping.ts';
import type { LineImport } from './line-import.ts';
import type { NoticeIndex } from './notice-index.ts';
import { importPattern } from './pattern-mapping.ts';
import type { Scope } from './scope.ts';
import type { StopImport } from './stop-import.ts';

/** Context that all files of a dataset share. */
export interface DatasetContext {
  readonly builder: TimetableBuilder;
  readonly stops: StopImport;
  readonly lines: LineImport;
  readonly dated: DatedJourneys;
  readonly calls: InterchangeIndex;
  /** These wait until all journeys of all datasets are known. */
  readonly interchanges: InterchangeEntity[];
  readonly count: (kind: string, number?: number) => void;
}

export interface FileContext {
  readonly scope: Scope;
  readonly notices: NoticeIndex;
  readonly days: JourneyDays;
}

export function importFile(dataset: DatasetContext, file: FileContext): void {
  const { builder, lines, stops, count } = dataset;
  const { scope, notices } = file;
  const store = scope.file;
  lines.addOrganisations(store);
  for (const notice of store.notices.values()) builder.addNotice(notice);
  for (const zone of store.zones) stops.addZone(zone);
  count('notices', store.notices.size);
  for (const line of store.lines) {
    if (!lines.addLine(scope, line, notices)) continue;
    scope.lines.set(line.id, line);
    count('lines');
  }
  for (const pattern of store.patterns) {
    const mapped = importPattern({ scope, stops, notices, builder }, pattern);
    if (mapped === undefined || scope.patterns.has(mapped.id)) continue;
    scope.patterns.set(mapped.id, mapped);
    count('journeyPatterns');
  }
  importJourneys(dataset, file);
  // Pushed one by one: a file may have more than the arguments that a call allows.
  for (const interchange of store.interchanges) dataset.interchanges.push(interchange);
}

function importJourneys(dataset: DatasetContext, { scope, notices, days }: FileContext): void {
  const { builder, dated, calls, count } = dataset;
  const store = scope.file;
  const runs = dated.runsOf(store.dated, days, builder);
  const runsOf = Map.groupBy(runs, ({ journeyId }) => journeyId);
  const haveDated = new Set(store.dated.map(({ serviceJourneyRef }) => serviceJourneyRef));
  const context: JourneyImport = { scope, builder, notices, patternStopIds: patternStopIds(store) };
  for (const journey of store.journeys) {
    const pattern = scope.findPattern(journey.patternRef);
    if (pattern === undefined) {
      builder.reject('serviceJourney', 'its journey pattern is not known or was left out', journey.id);
      continue;
    }
    const elsewhere = dated.findElsewhere(journey.id) ?? [];
    const journeyRuns = [...(runsOf.get(journey.id) ?? []), ...elsewhere];
    const isDated = haveDated.has(journey.id) || elsewhere.length > 0;
    const allDays = isDated ? daysOfRuns(dated, journeyRuns) : days.daysOf(journey.dayTypeRefs);
    const { validity } = scope.findLine(pattern.lineId) ?? {};
    const journeyDays = days.within(days.within(allDays, journey.validity), validity);
    if (journeyDays.length === 0 && journeyRuns.length === 0) count('serviceJourneysWithoutDay');
    else if (importJourney(context, journey, pattern, journeyDays)) {
      calls.addJourney(journey.id, pattern);
      count('serviceJourneys');
    }
  }
  for (const run of runs) dated.give(builder, run);
  count('datedServiceJourneys', runs.length);
}

/** Cancelled and replaced journeys do not run. */
function daysOfRuns(dated: DatedJourneys, runs: readonly DatedRun[]): readonly ServiceDay[] {
  const days = new Set(runs.filter((run) => !dated.isOff(run)).map(({ day }) => day));
  return [...days].sort((a, b) => a - b);
}
