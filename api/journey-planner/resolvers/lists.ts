/** Lists of things by index, cut at the length that one answer may have. Called by the types' resolvers. */
import type { Entities } from '../../../planner/model/catalogue.ts';
import { addNote, type RequestContext } from './request-context.ts';

export const MAX_LIST = 5_000;

/** The first MAX_LIST; when that is not all, the answer says so. */
export function cut<Item>(items: readonly Item[], what: string, context: RequestContext): readonly Item[] {
  context.budget.take(Math.min(items.length, MAX_LIST));
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

/** All there are, as far as MAX_LIST; with `accepts` those it accepts. */
export function pickAll<Kind, KindIndex extends number>(
  entities: Entities<Kind, KindIndex>,
  what: string,
  context: RequestContext,
  accepts?: (item: Kind) => boolean,
): readonly Kind[] {
  const found: Kind[] = [];
  let count = 0;
  for (let index = 0; index < entities.count; index += 1) {
    if (!accepts && found.length === MAX_LIST) {
      count = entities.count;
      break;
    }
    const item = entities.at(index as KindIndex);
    if (accepts && !accepts(item)) continue;
    count += 1;
    if (found.length < MAX_LIST) found.push(item);
  }
  context.budget.take(found.length);
  if (count > MAX_LIST) addNote(context, `${what}: the first ${MAX_LIST} of ${count} are shown.`);
  return found;
}

/** Those named, in the order of the ids; null where nothing has the id. */
export function pickNamed<Kind, KindIndex extends number>(
  entities: Entities<Kind, KindIndex>,
  ids: readonly (string | null)[],
  what: string,
  context: RequestContext,
): readonly (Kind | null)[] {
  return cut(ids, what, context).map((id) => (id === null ? null : (entities.find(id) ?? null)));
}

/** Each index once, in the order it first comes. */
export function distinct<Index extends number>(indexes: Iterable<Index>): readonly Index[] {
  return [...new Set(indexes)];
}

/** What a list argument says when it restricts: null and empty lists do not. */
export function given<Item>(items: readonly (Item | null)[] | null | undefined): ReadonlySet<Item> | undefined {
  const present = items?.filter((item): item is Item => item !== null) ?? [];
  return present.length > 0 ? new Set(present) : undefined;
}
