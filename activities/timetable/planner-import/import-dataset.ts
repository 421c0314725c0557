/**
 * Imports one dataset: scans it, reads its common files, then its line files one at a time. Caller: importDatasets. In
 * memory are the entities of the common files and of one line file, never their text.
 */
import { setImmediate } from 'node:timers/promises';
import { HashSet } from '../../../netex/dataset/hash-set.ts';
import { IdHasher } from '../../../netex/dataset/id-hash.ts';
import { CalendarListener } from '../../../netex/entities/calendar-listener.ts';
import type { EntityFilter, EntitySink } from '../../../netex/entities/entity-reader.ts';
import type { DatedServiceJourneyEntity } from '../../../netex/entities/entity-types.ts';
import { FileListener } from '../../../netex/entities/file-listener.ts';
import { keepEntity } from '../../../netex/entities/keep-entity.ts';
import { findRestrictions } from '../../../netex/entities/restricted-ids.ts';
import { isUnreadable, scanEntry } from '../../../netex/entities/scan-entry.ts';
import { surveyDataset } from '../../../netex/entities/survey.ts';
import { Calendar } from '../../../netex/model/calendar.ts';
import { TimetableFacts } from '../../../netex/model/facts.ts';
import type { StopRegister } from '../../../netex/stop-register/stop-register.ts';
import { DatasetStopsBuilder } from '../../../netex/stop-register/stop-register-reader.ts';
import type { ScanListener } from '../../../netex/xml/scan.ts';
import type { ArchiveEntry } from '../../../netex/zip/index.ts';
import type { TimetableBuilder } from '../../../planner/build/input.ts';
import { EntityStore } from './entity-store.ts';
import { type DatasetContext, importFile } from './import-file.ts';
import type { ImportSource } from './import-types.ts';
import { type DayBounds, JourneyDays } from './journey-days.ts';
import { NoticeIndex } from './notice-index.ts';
import { Scope } from './scope.ts';

export interface DatasetRequest {
  readonly source: ImportSource;
  readonly bounds: DayBounds;
  readonly atMs: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly fileDone: (fileName: string) => void;
}

/** Entities of the common files for every line file. */
interface Common {
  readonly scope: Scope;
  readonly notices: NoticeIndex;
  readonly facts: TimetableFacts;
  readonly days: JourneyDays;
  readonly stops: readonly StopRegister[];
}

export async function importDataset(request: DatasetRequest, context: DatasetContext): Promise<void> {
  const { source, signal } = request;
  const { archive } = source;
  const survey = await surveyDataset(archive, signal);
  const restrictions = survey.saysPublication ? await findRestrictions(archive, signal) : undefined;
  const isLeftOut: EntityFilter | undefined = restrictions && ((id) => restrictions.ids.has(id));
  if (restrictions) context.count('restrictedElements', restrictions.ids.size);
  const readable = archive.entries.filter((entry) => !restrictions?.unreadable.has(entry));
  for (const { name } of restrictions?.unreadable ?? []) context.builder.reject('file', 'cannot be read', name);
  const common = await readCommonFiles(request, context, { readable, isLeftOut });
  const lineEntries = readable.filter(({ kind }) => kind === 'line');
  context.dated.noteReplaced(common.scope.file.dated);
  context.dated.noteElsewhere(context.dated.runsOf(common.scope.file.dated, common.days));
  for (const entry of lineEntries) {
    if (survey.entriesWithDatedJourneys.has(entry)) await noteDated(request, context, common, { entry, isLeftOut });
  }
  context.stops.useOwn(common.stops);
  const isHidden = isLeftOut ?? (() => false);
  for (const register of common.stops) context.stops.addOwnZones(register, isHidden);
  importFile(context, common);
  for (const entry of archive.entries) if (entry.kind === 'common') request.fileDone(entry.name);
  for (const entry of lineEntries) {
    await importLineFile(request, context, common, { entry, isLeftOut });
    context.calls.forgetPatterns();
    request.fileDone(entry.name);
    await setImmediate();
  }
  for (const register of common.stops) context.stops.addOwnTransfers(register, isHidden);
}

/**
 * When a file is cut short, the entities before the cut count: the validation accepted it, or it would not be
 * published.
 */
async function scanFile(
  { source, signal }: DatasetRequest,
  builder: TimetableBuilder | undefined,
  entry: ArchiveEntry,
  listener: ScanListener,
): Promise<void> {
  try {
    await scanEntry(source.archive, entry, listener, signal);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    builder?.reject('file', 'cannot be read to its end', `${entry.name}: ${error.message}`);
  }
}

async function readCommonFiles(
  request: DatasetRequest,
  context: DatasetContext,
  { readable, isLeftOut }: { readable: readonly ArchiveEntry[]; isLeftOut: EntityFilter | undefined },
): Promise<Common> {
  const store = new EntityStore();
  const calendar = new CalendarListener();
  const stops = new DatasetStopsBuilder(request.atMs);
  for (const entry of readable) {
    if (entry.kind !== 'common') continue;
    await scanFile(request, context.builder, entry, new FileListener(store, isLeftOut, calendar, stops.listener()));
  }
  const facts = TimetableFacts.open(calendar.build());
  return {
    scope: new Scope(store),
    notices: new NoticeIndex(store.noticeAssignments),
    facts,
    days: new JourneyDays(new Calendar([facts]), request.bounds),
    stops: stops.isEmpty ? [] : [stops.build()],
  };
}

interface LineFile {
  readonly entry: ArchiveEntry;
  readonly isLeftOut: EntityFilter | undefined;
}

/** Records only what other files may need of the dated journeys in this one. */
async function noteDated(
  request: DatasetRequest,
  context: DatasetContext,
  common: Common,
  { entry, isLeftOut }: LineFile,
): Promise<void> {
  const entities: DatedServiceJourneyEntity[] = [];
  const journeys = new HashSet();
  const hasher = new IdHasher();
  const calendar = new CalendarListener();
  const noteJourney: ScanListener = {
    start({ name, attributes: { id } }) {
      if (name !== 'ServiceJourney' || id === undefined) return;
      hasher.hash(id);
      journeys.add(hasher.high, hasher.low);
    },
  };
  const sink: EntitySink = { datedServiceJourney: (entity) => entities.push(keepEntity(entity)) };
  const listener = new FileListener(sink, isLeftOut, calendar, noteJourney);
  const { dated } = context;
  // The import of the file reports its errors.
  await scanFile(request, undefined, entry, listener);
  dated.noteReplaced(entities);
  const elsewhere = entities.filter(({ serviceJourneyRef }) => {
    hasher.hash(serviceJourneyRef ?? '');
    return !journeys.has(hasher.high, hasher.low);
  });
  if (elsewhere.length > 0) dated.noteElsewhere(dated.runsOf(elsewhere, daysFor(request, common, calendar)));
}

async function importLineFile(
  request: DatasetRequest,
  context: DatasetContext,
  common: Common,
  { entry, isLeftOut }: LineFile,
): Promise<void> {
  const store = new EntityStore();
  const calendar = new CalendarListener();
  const stops = new DatasetStopsBuilder(request.atMs);
  const listener = new FileListener(store, isLeftOut, calendar, stops.listener());
  await scanFile(request, context.builder, entry, listener);
  const own = stops.isEmpty ? undefined : stops.build();
  const isHidden = isLeftOut ?? (() => false);
  if (own) {
    context.stops.useOwn([...common.stops, own]);
    context.stops.addOwnZones(own, isHidden);
  }
  importFile(context, {
    scope: new Scope(store, common.scope),
    notices: new NoticeIndex(store.noticeAssignments, common.notices),
    days: daysFor(request, common, calendar),
  });
  if (own) {
    context.stops.addOwnTransfers(own, isHidden);
    context.stops.useOwn(common.stops);
  }
}

/** A file with its own calendar has its own days; all others share one computation. */
function daysFor({ bounds }: DatasetRequest, common: Common, calendar: CalendarListener): JourneyDays {
  if (calendar.isEmpty) return common.days;
  return new JourneyDays(new Calendar([TimetableFacts.open(calendar.build()), common.facts]), bounds);
}
