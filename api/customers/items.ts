/**
 * The operations common to all collections within a profile: list, create, get, replace, delete. Each resource defines
 * its bodies and its presentation; routes.ts names the operations.
 */
import type { Item, ItemContent, ItemKind } from '../../activities/customers/customer-types.ts';
import type { ProfileItemStore } from '../../activities/customers/profile-item-store.ts';
import type { ProfileStore } from '../../activities/customers/profile-store.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { createdReply, PROFILES_PATH, personalReply } from './replies.ts';
import { type ProfileRequest, targetOf, type WriteRequest, writeOf } from './requests.ts';

/** `Body` of the creation, `Replacement` of the replacement; `Shown` is an item as it is sent. */
export interface ItemResource<K extends ItemKind, Body, Replacement, Shown> {
  /** Segment of the path, below the profile. */
  readonly segment: string;
  readonly idOf: (item: Item<K>) => string;
  readonly contentOf: (body: Body) => ItemContent<K>;
  readonly replacementOf: (body: Replacement, id: string) => ItemContent<K>;
  readonly present: (item: Item<K>) => Shown;
  /** Temporary profiles cannot have any. */
  readonly permanentOnly?: true;
}

export type ItemPath = { readonly id: string } | { readonly key: string };
type ItemRequest = ProfileRequest & { readonly path: ItemPath };
type BodyOf<Body> = { readonly body: Body };
type Target = ReturnType<typeof targetOf>;

export function createItemOperations<K extends ItemKind, Body, Replacement, Shown>(
  store: ProfileItemStore<K>,
  profiles: Pick<ProfileStore, 'getType'>,
  resource: ItemResource<K, Body, Replacement, Shown>,
) {
  const { segment, idOf, contentOf, replacementOf, present, permanentOnly } = resource;
  const refuseTemporary = async (target: Target) => {
    if (permanentOnly && (await profiles.getType(...target)) === 'TEMPORARY') throw notForTemporary();
  };
  /** A profile whose type excludes these items is refused for that; otherwise the item is absent. */
  const look = async <T>(target: Target, found: Promise<T>): Promise<T> => {
    try {
      return await found;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'NOT_FOUND') await refuseTemporary(target);
      throw error;
    }
  };
  return {
    list: async (request: ProfileRequest) => {
      const target = targetOf(request);
      const items = await store.list(...target);
      if (items.length === 0) await refuseTemporary(target);
      return personalReply(target[1], items.map(present));
    },
    create: async (request: ProfileRequest & WriteRequest & BodyOf<Body>) => {
      const target = targetOf(request);
      const item = await store.add(...target, contentOf(request.body), await writeOf(request));
      const location = `${PROFILES_PATH}/${target[1]}/${segment}/${encodeURIComponent(idOf(item))}`;
      return createdReply(target[1], location, present(item));
    },
    get: async (request: ItemRequest) => {
      const target = targetOf(request);
      return personalReply(target[1], present(await look(target, store.get(...target, itemIdOf(request.path)))));
    },
    replace: async (request: ItemRequest & WriteRequest & BodyOf<Replacement>) => {
      const target = targetOf(request);
      const id = itemIdOf(request.path);
      const content = replacementOf(request.body, id);
      const item = await look(target, store.replace(...target, id, content, await writeOf(request)));
      return personalReply(target[1], present(item));
    },
    delete: async (request: ItemRequest & WriteRequest) => {
      const target = targetOf(request);
      const write = await writeOf(request);
      await look(target, store.remove(...target, itemIdOf(request.path), write));
      return { status: 204 as const };
    },
  };
}

/** UUIDs are case-insensitive; keys of preferences are not. */
export function itemIdOf(path: ItemPath): string {
  return 'key' in path ? path.key : path.id.toLowerCase();
}

function notForTemporary(): ServiceError {
  return new ServiceError('NOT_ALLOWED_FOR_TEMPORARY_PROFILE', 'Temporary profiles cannot hold these');
}
