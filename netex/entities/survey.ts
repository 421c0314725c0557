/**
 * Looks through the text of a dataset for the few words that cost a pass of their own when they occur. Caller: the planner's
 * importer. It reads no XML: a word in a comment costs time, never a wrong answer.
 */
import type { Archive, ArchiveEntry } from '../zip/index.ts';
import { entryText, isUnreadable } from './scan-entry.ts';

export interface DatasetSurvey {
  /** Some element says who may see it. */
  readonly saysPublication: boolean;
  readonly entriesWithDatedJourneys: ReadonlySet<ArchiveEntry>;
}

const PUBLICATION = 'publication=';
const SPACED_PUBLICATION = /\bpublication\s*=/;
const DATED = 'DatedServiceJourney';
const OVERLAP = 40;

export async function surveyDataset(archive: Archive, signal?: AbortSignal): Promise<DatasetSurvey> {
  let saysPublication = false;
  const entriesWithDatedJourneys = new Set<ArchiveEntry>();
  const look = async (entry: ArchiveEntry): Promise<void> => {
    let last = '';
    for await (const chunk of entryText(archive, entry, signal)) {
      const text = last + chunk;
      if (text.includes(DATED)) entriesWithDatedJourneys.add(entry);
      saysPublication ||= text.includes(PUBLICATION) || (text.includes('publication') && SPACED_PUBLICATION.test(text));
      last = text.slice(-OVERLAP);
    }
  };
  for (const entry of archive.entries) {
    await look(entry).catch((error: unknown) => {
      // Whoever reads the file as XML finds out again.
      if (!isUnreadable(error)) throw error;
    });
  }
  return { saysPublication, entriesWithDatedJourneys };
}
