/**
 * Searches the text of a dataset for the few words that require a pass of their own. It parses no XML: a word in a
 * comment costs time but never gives a wrong result. Caller: the planner's importer.
 */
import type { Archive, ArchiveEntry } from '../zip/index.ts';
import { entryText, isUnreadable } from './scan-entry.ts';

export interface DatasetSurvey {
  /** Some element states its publication. */
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
      // The XML reader finds the same error later.
      if (!isUnreadable(error)) throw error;
    });
  }
  return { saysPublication, entriesWithDatedJourneys };
}
