import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import type { CustomerStoreOptions } from './customer-config.ts';
import type { Item, ItemContent, ItemKind, Tenancy, Write } from './customer-types.ts';

export declare class ProfileItemStore<K extends ItemKind> {
  constructor(kind: K, options: CustomerStoreOptions);
  list(tenancy: Tenancy, customerNumber: CustomerNumber): Promise<readonly Item<K>[]>;
  /** NOT_FOUND. `id` of a preference: its key. */
  get(tenancy: Tenancy, customerNumber: CustomerNumber, id: string): Promise<Item<K>>;
  /** INVALID_STATE beyond the limit, for a key or a serial that is taken; NOT_ALLOWED_FOR_TEMPORARY_PROFILE. */
  add(tenancy: Tenancy, customerNumber: CustomerNumber, content: ItemContent<K>, write: Write): Promise<Item<K>>;
  /** NOT_FOUND; a preference is made when it is not there. */
  replace(
    tenancy: Tenancy,
    customerNumber: CustomerNumber,
    id: string,
    content: ItemContent<K>,
    write: Write,
  ): Promise<Item<K>>;
  /** NOT_FOUND. */
  remove(tenancy: Tenancy, customerNumber: CustomerNumber, id: string, write: Write): Promise<void>;
}
