/** Lists of entities by index, cut at the maximum length of one answer. Callers: the resolvers of types. */
import type { Entities } from '../../../planner/model/catalogue.ts';
import { addNote, type RequestContext } from './request-context.ts';

export const MAX_LIST = 5_000;

/** The first MAX_LIST items; the answer states when there are more. */
export function cut<Item>(items: readonly Item[], what: string, context: RequestContext): readonly Item[] {
  if (items.length <= MAX_LIST) return items;
  addNote(context, `${what}: the first ${MAX_LIST} of ${items.length} are shown.`);
  return items.slice(0, MAX_LIST);
}

export function pick<Kind, KindIndex extends number>(
  entities: Entities<Kind, KindIndex>,
  indexes: readonly KindIndex[],
  what: string,
  context: RequestContext,
): readonly Kind[] {
  return cut(indexes, what, context).map((index) => entities.at(index));
}

/** A list, or a promise of one that takes several turns to make. */
export type Found<Item> = readonly Item[] | Promise<readonly Item[]>;

/** Number of entities examined between two turns. */
const SCAN_STEP = 5_000;

/** Returns all entities up to MAX_LIST. */
export function pickAll<Kind, KindIndex extends number>(
  entities: Entities<Kind, KindIndex>,
  what: string,
  context: RequestContext,
): readonly Kind[] {
  const found: Kind[] = [];
  const shown = Math.min(entities.count, MAX_LIST);
  for (let index = 0; index < shown; index += 1) found.push(entities.at(index as KindIndex));
  noteCut(shown, entities.count, what, context);
  return found;
}

/** Returns the items that `accepts` takes; for long lists, a promise of them. */
export function pickWhere<Kind, KindIndex extends number>(
  entities: Entities<Kind, KindIndex>,
  what: string,
  context: RequestContext,
  accepts: (item: Kind) => boolean,
): Found<Kind> {
  const found: Kind[] = [];
  let count = 0;
  const scan = (from: number): void => {
    const end = Math.min(entities.count, from + SCAN_STEP);
    for (let index = from; index < end; index += 1) {
      const item = entities.at(index as KindIndex);
      if (!accepts(item)) continue;
      count += 1;
      if (found.length < MAX_LIST) found.push(item);
    }
  };
  const done = (): readonly Kind[] => {
    noteCut(found.length, count, what, context);
    return found;
  };
  scan(0);
  if (entities.count <= SCAN_STEP) return done();
  const scanRest = async (): Promise<readonly Kind[]> => {
    for (let from = SCAN_STEP; from < entities.count; from += SCAN_STEP) {
      if (context.slices.isOver()) await context.slices.turn();
      context.budget.checkTime();
      scan(from);
    }
    return done();
  };
  return scanRest();
}

/** Adds a note to the answer when a list was cut. */
export function noteCut(shown: number, count: number, what: string, context: RequestContext): void {
  if (count > shown) addNote(context, `${what}: the first ${shown} of ${count} are shown.`);
}

/** Entities by id, in the order of the ids; null for unknown ids. */
export function pickNamed<Kind, KindIndex extends number>(
  entities: Entities<Kind, KindIndex>,
  ids: readonly (string | null)[],
  what: string,
  context: RequestContext,
): readonly (Kind | null)[] {
  return cut(ids, what, context).map((id) => (id === null ? null : (entities.find(id) ?? null)));
}

/** Returns each index once, in order of first occurrence. */
export function distinct<Index extends number>(indexes: Iterable<Index>): readonly Index[] {
  return [...new Set(indexes)];
}

/** The values of a list argument; undefined for null and empty lists, which restrict nothing. */
export function given<Item>(items: readonly (Item | null)[] | null | undefined): ReadonlySet<Item> | undefined {
  const present = items?.filter((item): item is Item => item !== null) ?? [];
  return present.length > 0 ? new Set(present) : undefined;
}
