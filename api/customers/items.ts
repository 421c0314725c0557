/**
 * The operations that all things a profile holds many of have alike: list, create, get, replace, remove. Each resource
 * says how its operations are called, what a body means and how an item looks.
 */
import type { Item, ItemContent, ItemKind } from '../../activities/customers/customer-types.ts';
import type { ProfileItemStore } from '../../activities/customers/profile-item-store.ts';
import type { Operation, OperationContext } from '../shared/operation.ts';
import { createdReply, PROFILES_PATH, personalReply } from './replies.ts';
import { targetOf, writeOf } from './requests.ts';

export interface ItemResource<K extends ItemKind> {
  /** In the names of the operations: `PostalAddress`, `PostalAddresses`. */
  readonly one: string;
  readonly many: string;
  /** In the path, below the profile. */
  readonly segment: string;
  readonly idOf: (item: Item<K>) => string;
  readonly contentOf: (context: OperationContext) => ItemContent<K>;
  readonly present: (item: Item<K>) => unknown;
}

export function createItemOperations<K extends ItemKind>(
  store: ProfileItemStore<K>,
  { one, many, segment, idOf, contentOf, present }: ItemResource<K>,
): Readonly<Record<string, Operation>> {
  return {
    [`list${many}`]: async (context) => {
      const target = targetOf(context);
      return personalReply(target[1], (await store.list(...target)).map(present));
    },
    [`create${one}`]: async (context) => {
      const target = targetOf(context);
      const item = await store.add(...target, contentOf(context), await writeOf(context));
      const location = `${PROFILES_PATH}/${target[1]}/${segment}/${encodeURIComponent(idOf(item))}`;
      return createdReply(target[1], location, present(item));
    },
    [`get${one}`]: async (context) => {
      const target = targetOf(context);
      return personalReply(target[1], present(await store.get(...target, itemIdOf(context))));
    },
    [`replace${one}`]: async (context) => {
      const target = targetOf(context);
      const content = contentOf(context);
      const item = await store.replace(...target, itemIdOf(context), content, await writeOf(context));
      return personalReply(target[1], present(item));
    },
    [`delete${one}`]: async (context) => {
      await store.remove(...targetOf(context), itemIdOf(context), await writeOf(context));
      return { status: 204 };
    },
  };
}

/** UUIDs are the same in upper case; keys of preferences are not. */
export function itemIdOf({ path }: Pick<OperationContext, 'path'>): string {
  return path.key ?? (path.id ?? '').toLowerCase();
}
