/**
 * Reads a dataset into its outline: common files, then one line file after the other. In memory are the outline, the
 * entities of the common files and those of one line file, never their text.
 *
 * Callers: the activity that compares a version with the one before, the benchmark. Reads what the public may see: the
 * entities that say otherwise are passed over, as in the journey planner. Throws ArchiveError and the signal's reason.
 */
import { setImmediate } from 'node:timers/promises';
import { CalendarListener } from '../entities/calendar-listener.ts';
import { FileListener } from '../entities/file-listener.ts';
import { isUnreadable, scanEntry } from '../entities/scan-entry.ts';
import { Calendar } from '../model/calendar.ts';
import { TimetableFacts } from '../model/facts.ts';
import type { StopRegister } from '../stop-register/stop-register.ts';
import { DatasetStopsBuilder } from '../stop-register/stop-register-reader.ts';
import type { Archive, ArchiveEntry } from '../zip/index.ts';
import { FileEntities } from './file-entities.ts';
import type { DatasetOutline, Vocabulary } from './outline.ts';
import { OutlineBuilder } from './outline-builder.ts';

export interface OutlineRequest {
  readonly archive: Archive;
  /** The same for both datasets of a comparison. */
  readonly vocabulary: Vocabulary;
  /** The national register: it knows a stop better than the dataset does. */
  readonly register?: StopRegister | undefined;
  /** The instant for which versions of the dataset's own stops are chosen. */
  readonly atMs?: number;
  readonly signal?: AbortSignal;
}

export async function readOutline(request: OutlineRequest): Promise<DatasetOutline> {
  const { archive, vocabulary, register } = request;
  const builder = new OutlineBuilder(vocabulary, register);
  const common = await readFiles(
    request,
    archive.entries.filter(({ kind }) => kind === 'common'),
  );
  builder.addFile({ entities: common.entities, calendar: new Calendar([common.facts]), stops: common.stops });
  for (const entry of archive.entries) {
    if (entry.kind !== 'line') continue;
    const file = await readFiles(request, [entry]);
    builder.addFile({
      entities: file.entities,
      common: common.entities,
      calendar: new Calendar([file.facts, common.facts]),
      stops: [...common.stops, ...file.stops],
    });
    await setImmediate();
  }
  return builder.build();
}

/** The end of a file that is cut short is missing, as in the journey planner. */
async function readFiles({ archive, atMs, signal }: OutlineRequest, entries: readonly ArchiveEntry[]) {
  const entities = new FileEntities();
  const calendar = new CalendarListener();
  const stops = new DatasetStopsBuilder(atMs);
  for (const entry of entries) {
    const listener = new FileListener(entities, undefined, calendar, stops.listener());
    await scanEntry(archive, entry, listener, signal).catch((error: unknown) => {
      if (!isUnreadable(error)) throw error;
    });
  }
  return { entities, facts: TimetableFacts.open(calendar.build()), stops: stops.isEmpty ? [] : [stops.build()] };
}
