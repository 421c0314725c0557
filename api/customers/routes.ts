/**
 * The customers area: profiles, temporary ones, and what they hold. What each operation takes and answers stands in
 * openapi.yaml; this only says which handler serves which operation.
 */
import type { Area } from '../shared/operation.ts';
import { createAuthenticate } from './authenticate.ts';
import { createConsentOperations } from './consents.ts';
import { createConvert } from './convert.ts';
import type { CustomersDependencies } from './dependencies.ts';
import { eCards } from './e-cards.ts';
import { createFinds } from './finds.ts';
import { createItemOperations } from './items.ts';
import { loyaltyPrograms } from './loyalty-programs.ts';
import { postalAddresses } from './postal-addresses.ts';
import { preferences } from './preferences.ts';
import { createProfileOperations } from './profiles.ts';
import { createProfileSearch } from './search.ts';
import { createTemporaryProfileOperations } from './temporary-profiles.ts';

export function createCustomersArea(dependencies: CustomersDependencies): Area {
  const { items, profiles } = dependencies;
  return {
    name: 'customers',
    document: new URL('./openapi.yaml', import.meta.url),
    operations: {
      searchProfiles: createProfileSearch(dependencies),
      authenticateProfile: createAuthenticate(dependencies),
      convertProfile: createConvert(dependencies),
      ...createProfileOperations(dependencies),
      ...createTemporaryProfileOperations(dependencies),
      ...createConsentOperations(dependencies),
      ...createItemOperations(items.postalAddresses, profiles, postalAddresses),
      ...createItemOperations(items.preferences, profiles, preferences),
      ...createItemOperations(items.eCards, profiles, eCards),
      ...createItemOperations(items.loyaltyPrograms, profiles, loyaltyPrograms),
    },
    finds: createFinds(dependencies),
  };
}
