/** Translates rights to MongoDB's privileges. Callers: ops/privileges, tests. */
import type { DocumentRight } from '../area.ts';
import type { Rights } from './process-privileges.ts';

export interface DatabasePrivilege {
  /** An empty collection stands for every collection of the database. */
  readonly resource: { readonly db: string; readonly collection: string };
  readonly actions: readonly string[];
}

const ACTIONS: Readonly<Record<DocumentRight, readonly string[]>> = {
  find: ['find'],
  insert: ['insert'],
  update: ['update'],
  remove: ['remove'],
  watch: ['find', 'changeStream'],
  index: ['createIndex', 'collMod'],
};
/** Every right includes it, because a process checks at its start whether the indexes exist. */
const ALWAYS = 'listIndexes';
const READ_ALL = ['find', 'listCollections', 'listIndexes'];
const REPLACE_ALL = ['insert', 'update', 'remove', 'createCollection', 'dropCollection', 'createIndex'];

export function toDatabasePrivileges(db: string, rights: Rights<DocumentRight>): readonly DatabasePrivilege[] {
  return [...rights].map(([collection, each]) => ({
    resource: { db, collection },
    actions: sorted([ALWAYS, ...[...each].flatMap((right) => ACTIONS[right])]),
  }));
}

/** Privileges of a back-up. It also copies collections of areas that this release does not know. */
export function readingAll(db: string): readonly DatabasePrivilege[] {
  return [{ resource: { db, collection: '' }, actions: sorted(READ_ALL) }];
}

/** Privileges of a restore. */
export function replacingAll(db: string): readonly DatabasePrivilege[] {
  return [{ resource: { db, collection: '' }, actions: sorted([...READ_ALL, ...REPLACE_ALL]) }];
}

function sorted(actions: readonly string[]): readonly string[] {
  return [...new Set(actions)].sort();
}
