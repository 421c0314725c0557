/** The customers whose data keys are needed, for the sweep of orphan keys. Caller: area.ts. */
import type { StoreBase } from '../../platform/area.ts';
import type { ListKept } from '../../platform/personal/orphan-keys.ts';
import { openCustomerStores } from './customer-config.ts';
import { ProfileLifecycleStore } from './profile-lifecycle-store.ts';

export async function createListKept(base: StoreBase): Promise<ListKept> {
  const profiles = new ProfileLifecycleStore(await openCustomerStores(base));
  return (subjects) => profiles.listKept(subjects);
}
