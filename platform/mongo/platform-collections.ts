/** Collections that belong to no area. Callers: code that handles all collections. */
import type { CollectionEntry } from '../area.ts';
import { IDEMPOTENCY_KEYS } from '../idempotency/idempotency-store.ts';

export const PLATFORM_COLLECTIONS: readonly CollectionEntry[] = [
  {
    definition: IDEMPOTENCY_KEYS,
    personal: true,
    uses: { api: ['find', 'insert', 'update', 'remove'], 'sales-customers-worker': ['find', 'update'] },
  },
];
