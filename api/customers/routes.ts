/**
 * The customers area: profiles, temporary profiles, and their items. openapi.yaml describes each operation; this maps
 * operations to handlers.
 */
import type { TypedArea } from '../shared/operation.ts';
import { createAuthenticate } from './authenticate.ts';
import { createConsentOperations } from './consents.ts';
import type { Operations } from './contract.gen.ts';
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

export function createCustomersArea(dependencies: CustomersDependencies): TypedArea<Operations> {
  const { items, profiles } = dependencies;
  const addresses = createItemOperations(items.postalAddresses, profiles, postalAddresses);
  const preference = createItemOperations(items.preferences, profiles, preferences);
  const cards = createItemOperations(items.eCards, profiles, eCards);
  const memberships = createItemOperations(items.loyaltyPrograms, profiles, loyaltyPrograms);
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
      listPostalAddresses: addresses.list,
      createPostalAddress: addresses.create,
      getPostalAddress: addresses.get,
      replacePostalAddress: addresses.replace,
      deletePostalAddress: addresses.delete,
      listPreferences: preference.list,
      createPreference: preference.create,
      getPreference: preference.get,
      replacePreference: preference.replace,
      deletePreference: preference.delete,
      listECards: cards.list,
      createECard: cards.create,
      getECard: cards.get,
      replaceECard: cards.replace,
      deleteECard: cards.delete,
      listLoyaltyPrograms: memberships.list,
      createLoyaltyProgram: memberships.create,
      getLoyaltyProgram: memberships.get,
      replaceLoyaltyProgram: memberships.replace,
      deleteLoyaltyProgram: memberships.delete,
    },
    finds: createFinds(dependencies),
  };
}
