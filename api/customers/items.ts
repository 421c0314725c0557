/**
 * The operations that all things a profile holds many of have alike: list, create, get, replace, remove. Each resource
 * says how its operations are called, what a body means and how an item looks.
 */
import type { Item, ItemContent, ItemKind } from '../../activities/customers/customer-types.ts';
import type { ProfileItemStore } from '../../activities/customers/profile-item-store.ts';
import type { ProfileStore } from '../../activities/customers/profile-store.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
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
  /** Temporary profiles cannot have any. */
  readonly permanentOnly?: true;
}

type Target = ReturnType<typeof targetOf>;

export function createItemOperations<K extends ItemKind>(
  store: ProfileItemStore<K>,
  profiles: Pick<ProfileStore, 'getType'>,
  { one, many, segment, idOf, contentOf, present, permanentOnly }: ItemResource<K>,
): Readonly<Record<string, Operation>> {
  const refuseTemporary = async (target: Target) => {
    if (permanentOnly && (await profiles.getType(...target)) === 'TEMPORARY') throw notForTemporary();
  };
  /** Of a profile that cannot have any, that is told instead of that there is none. */
  const look = async <T>(target: Target, found: Promise<T>): Promise<T> => {
    try {
      return await found;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'NOT_FOUND') await refuseTemporary(target);
      throw error;
    }
  };
  return {
    [`list${many}`]: async (context) => {
      const target = targetOf(context);
      const items = await store.list(...target);
      if (items.length === 0) await refuseTemporary(target);
      return personalReply(target[1], items.map(present));
    },
    [`create${one}`]: async (context) => {
      const target = targetOf(context);
      const item = await store.add(...target, contentOf(context), await writeOf(context));
      const location = `${PROFILES_PATH}/${target[1]}/${segment}/${encodeURIComponent(idOf(item))}`;
      return createdReply(target[1], location, present(item));
    },
    [`get${one}`]: async (context) => {
      const target = targetOf(context);
      return personalReply(target[1], present(await look(target, store.get(...target, itemIdOf(context)))));
    },
    [`replace${one}`]: async (context) => {
      const target = targetOf(context);
      const content = contentOf(context);
      const write = await writeOf(context);
      const item = await look(target, store.replace(...target, itemIdOf(context), content, write));
      return personalReply(target[1], present(item));
    },
    [`delete${one}`]: async (context) => {
      const target = targetOf(context);
      const write = await writeOf(context);
      await look(target, store.remove(...target, itemIdOf(context), write));
      return { status: 204 };
    },
  };
}

/** UUIDs are the same in upper case; keys of preferences are not. */
export function itemIdOf({ path }: Pick<OperationContext, 'path'>): string {
  return path.key ?? (path.id ?? '').toLowerCase();
}

function notForTemporary(): ServiceError {
  return new ServiceError('NOT_ALLOWED_FOR_TEMPORARY_PROFILE', 'Temporary profiles cannot hold these');
}
