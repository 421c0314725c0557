/**
 * Which entities of a dataset the public may not see: what says so, what lies in such a frame, and what needs such a thing.
 * Callers: the planner's importer. The answer is that of the filter's public mode (`filter/barred.ts`), without its window
 * of days and without a second archive.
 */
import { barReason, findBarred } from '../filter/barred.ts';
import { FactCollector } from '../filter/fact-collector.ts';
import { References } from '../filter/references.ts';
import { Walker, type WalkListener } from '../filter/walker.ts';
import { keptText } from '../xml/kept-text.ts';
import type { Archive, ArchiveEntry } from '../zip/index.ts';
import { entryText, isUnreadable } from './scan-entry.ts';

export interface Restrictions {
  /** Of all that is restricted, whatever it is. */
  readonly ids: ReadonlySet<string>;
  /** Files that cannot be read to their end: what is restricted in them is not known. */
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
  // Both ways go through the same text and end at the same fault, so the numbers agree.
  for (const entry of archive.entries) await walk(second, entry);
  return { ids, unreadable };
}
