/**
 * The rights of each process in the databases and in the bucket, from the manifests. Everything that is not named here
 * is refused. Callers: ops/privileges, which makes users and roles of it; tests.
 */
import {
  type Area,
  type CollectionEntry,
  collectionsOf,
  type DocumentRight,
  type ObjectRight,
  rolesOf,
} from '../area.ts';
import { PLATFORM_COLLECTIONS } from '../mongo/platform-collections.ts';
import { RESTORE_MARK } from '../mongo/restore-mark.ts';

export type Rights<Right extends string> = ReadonlyMap<string, ReadonlySet<Right>>;

export interface Privileges {
  /** Rights by collection of the data. */
  readonly data: Rights<DocumentRight>;
  /** Rights by collection of the database of customers' keys. If empty, the process does not reach it. */
  readonly customerKeys: Rights<DocumentRight>;
  /** Rights by prefix. If empty, the process does not reach the object store. */
  readonly objects: Rights<ObjectRight>;
}

/** The relay takes events out of outboxes. */
const RELAY: readonly DocumentRight[] = ['find', 'update', 'watch'];

/** Lists all processes that reach the databases, worker roles included, and the commands that the manifests name. */
export function listProcesses(areas: readonly Area[]): readonly string[] {
  const using = entriesOf(areas).flatMap(({ uses }) => Object.keys(uses));
  return [...new Set([...rolesOf(areas).map(({ name }) => name), ...using])].sort();
}

/** Returns the rights of a process that runs all of these: the union of theirs. */
export function privilegesOf(processes: readonly string[], areas: readonly Area[]): Privileges {
  const relays = rolesOf(areas).some(({ name, relay }) => relay && processes.includes(name));
  const keys = documentRights(processes, areas, 'customerKeys', relays);
  return {
    data: withMark(documentRights(processes, areas, 'data', relays)),
    customerKeys: keys.size > 0 ? withMark(keys) : keys,
    objects: mergeRights(
      areas.flatMap(({ objects = [] }) =>
        objects.flatMap(({ prefix, uses }) => processes.map((name) => [prefix, uses[name] ?? []] as const)),
      ),
    ),
  };
}

/** True when one of them reads or writes objects. */
export function usesObjects(processes: readonly string[], areas: readonly Area[]): boolean {
  return privilegesOf(processes, areas).objects.size > 0;
}

function entriesOf(areas: readonly Area[]): readonly CollectionEntry[] {
  return [...collectionsOf(areas), ...PLATFORM_COLLECTIONS];
}

function documentRights(
  processes: readonly string[],
  areas: readonly Area[],
  wanted: 'data' | 'customerKeys',
  relays: boolean,
): Rights<DocumentRight> {
  const entries = entriesOf(areas).filter(({ database = 'data' }) => database === wanted);
  return mergeRights(
    entries.flatMap(({ definition: { collection }, uses, outbox }) => [
      ...processes.map((name) => [collection, uses[name] ?? []] as const),
      ...(relays && outbox ? [[collection, RELAY] as const] : []),
    ]),
  );
}

function mergeRights<Right extends string>(pairs: readonly (readonly [string, readonly Right[]])[]): Rights<Right> {
  const merged = new Map<string, Set<Right>>();
  for (const [name, rights] of pairs) {
    if (rights.length > 0) merged.set(name, new Set([...(merged.get(name) ?? []), ...rights]));
  }
  return merged;
}

/** At its connection, every process checks for an unfinished restore. */
function withMark(rights: Rights<DocumentRight>): Rights<DocumentRight> {
  return new Map([...rights, [RESTORE_MARK, new Set<DocumentRight>(['find'])]]);
}
