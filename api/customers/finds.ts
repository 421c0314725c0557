/** What must be there for the caller before the rest of a request is judged, by the path of each operation. */
import type { ItemKind, ProfileType } from '../../activities/customers/customer-types.ts';
import type { Find } from '../shared/operation.ts';
import type { CustomersDependencies } from './dependencies.ts';
import { itemIdOf } from './items.ts';
import { customerNumberOf, noSuchProfile, tenancyOf } from './requests.ts';

type Dependencies = Pick<CustomersDependencies, 'profiles' | 'items' | 'consents'>;

export function createFinds({ profiles, items, consents }: Dependencies): Readonly<Record<string, Find>> {
  const findProfile =
    (type?: ProfileType): Find =>
    async ({ path, caller }) => {
      const found = await profiles.getType(tenancyOf(caller), customerNumberOf({ path }));
      if (type !== undefined && found !== type) throw noSuchProfile();
    };
  const findItem =
    (kind: ItemKind): Find =>
    async ({ path, caller }) =>
      await items[kind].get(tenancyOf(caller), customerNumberOf({ path }), itemIdOf({ path }));
  const findConsent: Find = async ({ path, caller }) =>
    await consents.get(tenancyOf(caller), customerNumberOf({ path }), itemIdOf({ path }));
  const ofItems = (kind: ItemKind, one: string, many: string) => ({
    [`list${many}`]: findProfile(),
    [`create${one}`]: findProfile(),
    [`get${one}`]: findItem(kind),
    // A preference that is not there is made.
    [`replace${one}`]: kind === 'preferences' ? findProfile() : findItem(kind),
    [`delete${one}`]: findItem(kind),
  });
  return {
    replaceProfile: findProfile('PERMANENT'),
    changeProfile: findProfile('PERMANENT'),
    deleteProfile: findProfile('PERMANENT'),
    getTemporaryProfile: findProfile('TEMPORARY'),
    changeTemporaryProfile: findProfile('TEMPORARY'),
    deleteTemporaryProfile: findProfile('TEMPORARY'),
    // A permanent profile is refused for its state, not as absent.
    convertProfile: findProfile(),
    ...ofItems('postalAddresses', 'PostalAddress', 'PostalAddresses'),
    ...ofItems('preferences', 'Preference', 'Preferences'),
    ...ofItems('eCards', 'ECard', 'ECards'),
    ...ofItems('loyaltyPrograms', 'LoyaltyProgram', 'LoyaltyPrograms'),
    listConsents: findProfile(),
    createConsent: findProfile(),
    getConsent: findConsent,
    replaceConsent: findConsent,
    deleteConsent: findConsent,
    listConsentHistory: findProfile(),
  };
}
