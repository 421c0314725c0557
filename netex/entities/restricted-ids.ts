/**
 * Finds the entities that the public may not see: marked ones, the content of such frames, and entities that need a
 * restricted one. The result equals the filter's public mode (`filter/barred.ts`), without its window of days and
 * without a second archive. Callers: the planner's importer.
 */
import { barReason, findBarred } from '../filter/barred.ts';
import { FactCollector } from '../filter/fact-collector.ts';
import { References } from '../filter/references.ts';
import { Walker, type WalkListener } from '../filter/walker.ts';
import { keptText } from '../xml/kept-text.ts';
import type { Archive, ArchiveEntry } from '../zip/index.ts';
import { entryText, isUnreadable } from './scan-entry.ts';

export interface Restrictions {
  /** Ids of all restricted entities, of any kind. */
  readonly ids: ReadonlySet<string>;
  /** Files that cannot be read to their end: their restricted entities are unknown. */
  readonly unreadable: ReadonlySet<ArchiveEntry>;
}

export async function findRestrictions(archive: Archive, signal?: AbortSignal): Promise<Restrictions> {
  const unreadable = new Set<ArchiveEntry>();
  const walk = async (walker: Walker, entry: ArchiveEntry): Promise<void> => {
    walker.beginFile();
    try {
      for await (const text of entryText(archive, entry, signal)) walker.write(text);
      walker.endFile();
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      unreadable.add(entry);
    }
  };
  const first = new FactCollector(true);
  const walker = new Walker('public', first);
  for (const entry of archive.entries) {
    first.beginFile(entry.kind === 'common');
    await walk(walker, entry);
    first.endFile();
  }
  first.endDataset();
  const { facts } = first;
  const barred = findBarred(facts, new References(facts), 'public');
  const isRestricted = (entity: number): boolean => barReason(barred[entity] ?? 0) === 'restricted';
  const ids = new Set<string>();
  const names: WalkListener = {
    open({ attributes, owner, depthInOwner }) {
      if (depthInOwner === 0 && attributes.id !== '' && isRestricted(owner)) ids.add(keptText(attributes.id));
    },
    close() {},
    text() {},
  };
  const second = new Walker('public', names);
  // Both passes read the same text and end at the same error, so the numbers agree.
  for (const entry of archive.entries) await walk(second, entry);
  return { ids, unreadable };
}
