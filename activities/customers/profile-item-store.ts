/**
 * The items of a profile, one kind for each store: addresses, preferences, e-cards, loyalty programs. The profile's own
 * document holds them, so adding one never conflicts with the erasure, and they are erased with it. Callers: the
 * handlers of the API.
 *
 * Repeated under the same `workId` a write changes nothing: the id of a new item follows from it.
 */

import { workItemId } from '../../platform/aggregate/work-item-id.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { CustomerStoreOptions } from './customer-config.ts';
import type { Item, ItemContent, ItemKind, Tenancy, Write } from './customer-types.ts';
import { ITEM_RULES, type ItemRules } from './item-kinds.ts';
import { type OpenProfile, ProfileChanges, type ProfileStep, type ProfileTarget } from './profile-changes.ts';
import { type LiveProfile, PROFILE_INDEX, type StoredItem } from './profile-document.ts';

export class ProfileItemStore<K extends ItemKind> {
  readonly #kind: K;
  readonly #rules: ItemRules<K>;
  readonly #options: CustomerStoreOptions;
  readonly #changes: ProfileChanges;
  readonly #now: () => Date;

  constructor(kind: K, options: CustomerStoreOptions) {
    this.#kind = kind;
    this.#rules = ITEM_RULES[kind];
    this.#options = options;
    this.#changes = new ProfileChanges(options);
    this.#now = options.now ?? (() => new Date());
  }

  /** In the order of creation. */
  async list(tenancy: Tenancy, customerNumber: CustomerNumber): Promise<readonly Item<K>[]> {
    const { document, sealing } = await this.#changes.get(this.#target(tenancy, customerNumber));
    return this.#items(document).map((item) => this.#rules.show(item, sealing));
  }

  /** Throws NOT_FOUND. The `id` of a preference is its key. */
  async get(tenancy: Tenancy, customerNumber: CustomerNumber, id: string): Promise<Item<K>> {
    return this.#show(id)(await this.#changes.get(this.#target(tenancy, customerNumber)));
  }

  /** Throws INVALID_STATE beyond the limit and for a key or serial in use; NOT_ALLOWED_FOR_TEMPORARY_PROFILE. */
  async add(tenancy: Tenancy, customerNumber: CustomerNumber, content: ItemContent<K>, write: Write): Promise<Item<K>> {
    const id = this.#rules.idOf?.(content) ?? workItemId(write.workId, this.#kind);
    const decide = (present: OpenProfile): ProfileStep => {
      if (this.#itemOf(present.document, id)) throw taken(`There is one with the id ${id} already`);
      return this.#put(present, id, content);
    };
    return await this.#change(this.#target(tenancy, customerNumber), write, decide, this.#show(id));
  }

  /** Throws NOT_FOUND; creates a preference that does not exist. */
  async replace(
    tenancy: Tenancy,
    customerNumber: CustomerNumber,
    id: string,
    content: ItemContent<K>,
    write: Write,
  ): Promise<Item<K>> {
    const decide = (present: OpenProfile): ProfileStep => {
      if (!this.#rules.idOf && !this.#itemOf(present.document, id)) throw noItem();
      return this.#put(present, id, content);
    };
    return await this.#change(this.#target(tenancy, customerNumber), write, decide, this.#show(id));
  }

  /** Throws NOT_FOUND. */
  async remove(tenancy: Tenancy, customerNumber: CustomerNumber, id: string, write: Write): Promise<void> {
    const decide = ({ document }: OpenProfile): ProfileStep => {
      if (!this.#itemOf(document, id)) throw noItem();
      return this.#step(
        document,
        this.#items(document).filter((item) => item.id !== id),
      );
    };
    await this.#change(this.#target(tenancy, customerNumber), write, decide, () => undefined);
  }

  async #change<Result>(
    target: ProfileTarget,
    write: Write,
    decide: (present: OpenProfile) => ProfileStep,
    show: (profile: OpenProfile) => Result,
  ): Promise<Result> {
    try {
      return await this.#changes.change(target, write, decide, show);
    } catch (error) {
      if (isDuplicateKey(error, PROFILE_INDEX.cardSerials)) throw serialTaken(error);
      throw error;
    }
  }

  #put({ document, sealing }: OpenProfile, id: string, content: ItemContent<K>): ProfileStep {
    const { limit, ofTemporary, store } = this.#rules;
    if (!ofTemporary && document.profileType === 'TEMPORARY') {
      throw new ServiceError('NOT_ALLOWED_FOR_TEMPORARY_PROFILE', 'A temporary profile cannot hold this');
    }
    const items = this.#items(document);
    const before = this.#itemOf(document, id);
    if (!before && items.length >= limit) throw taken(`A profile holds at most ${limit} of these`);
    const { organisationId } = document;
    const { searchKeys } = this.#options;
    const stored = store(id, content, { organisationId, sealing, searchKeys, at: this.#now(), before });
    const others = items.filter((item) => item.id !== id);
    // The unique index compares with other profiles only.
    if (stored.serialKey !== undefined && others.some((item) => item.serialKey === stored.serialKey)) {
      throw serialTaken();
    }
    return this.#step(document, before ? items.map((item) => (item === before ? stored : item)) : [...items, stored]);
  }

  #step(document: LiveProfile, items: readonly StoredItem[]): ProfileStep {
    const events = [{ type: 'CustomerUpdated', changed: [this.#kind] } as const];
    if (this.#kind !== 'postalAddresses') return { set: { [this.#kind]: items }, events };
    const others = document.searchKeys.filter((term) => !term.startsWith('postCode:'));
    const postCodes = new Set(items.flatMap(({ postCodeTerm }) => postCodeTerm ?? []));
    return { set: { postalAddresses: items, searchKeys: [...others, ...postCodes] }, events };
  }

  #target(tenancy: Tenancy, customerNumber: CustomerNumber): ProfileTarget {
    return { tenancy, customerNumber, members: { [this.#kind]: 1, searchKeys: 1 } };
  }

  #items(document: LiveProfile): readonly StoredItem[] {
    return document[this.#kind] ?? [];
  }

  #itemOf(document: LiveProfile, id: string): StoredItem | undefined {
    return this.#items(document).find((item) => item.id === id);
  }

  #show(id: string): (profile: OpenProfile) => Item<K> {
    return ({ document, sealing }) => {
      const item = this.#itemOf(document, id);
      if (!item) throw noItem();
      return this.#rules.show(item, sealing);
    };
  }
}

function noItem(): ServiceError {
  return new ServiceError('NOT_FOUND', 'The profile holds no such item');
}

function taken(detail: string): ServiceError {
  return new ServiceError('INVALID_STATE', detail);
}

function serialTaken(cause?: unknown): ServiceError {
  return new ServiceError('INVALID_STATE', 'A profile holds a card with this serial number already', { cause });
}
