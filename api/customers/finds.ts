/** How each operation finds the profile or item that its path names, for this caller. */
import type { ItemKind, ProfileType } from '../../activities/customers/customer-types.ts';
import type { Caller, Finds } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import type { CustomersDependencies } from './dependencies.ts';
import { type ItemPath, itemIdOf } from './items.ts';
import { findProfile } from './profiles.ts';
import { noSuchProfile, type ProfileRequest, targetOf, tenancyOf } from './requests.ts';

type Dependencies = Pick<CustomersDependencies, 'profiles' | 'items' | 'consents'>;
type ItemRequest = ProfileRequest & { readonly path: ItemPath };

export function createFinds(dependencies: Dependencies): Finds<Operations> {
  const { profiles, items, consents } = dependencies;
  const profile = async (request: ProfileRequest) => await profiles.getType(...targetOf(request));
  const profileOf = (type: ProfileType) => async (request: ProfileRequest) => {
    if ((await profile(request)) !== type) throw noSuchProfile();
  };
  const itemOf = (kind: ItemKind) => async (request: ItemRequest) =>
    await items[kind].get(...targetOf(request), itemIdOf(request.path));
  const consent = async (request: ItemRequest) => await consents.get(...targetOf(request), itemIdOf(request.path));
  const [permanent, temporary] = [profileOf('PERMANENT'), profileOf('TEMPORARY')];
  const [address, preference] = [itemOf('postalAddresses'), itemOf('preferences')];
  const [eCard, membership] = [itemOf('eCards'), itemOf('loyaltyPrograms')];
  return {
    getProfile: async ({ path, caller }) => await byIdentifier(dependencies, caller, path.customerIdentifier),
    replaceProfile: permanent,
    changeProfile: permanent,
    deleteProfile: permanent,
    getTemporaryProfile: temporary,
    changeTemporaryProfile: temporary,
    deleteTemporaryProfile: temporary,
    // A permanent profile is refused for its state; it is not treated as absent.
    convertProfile: profile,
    listPostalAddresses: profile,
    createPostalAddress: profile,
    getPostalAddress: address,
    replacePostalAddress: address,
    deletePostalAddress: address,
    listPreferences: profile,
    createPreference: profile,
    getPreference: preference,
    // The request may create the preference.
    replacePreference: profile,
    deletePreference: preference,
    listECards: profile,
    createECard: profile,
    getECard: eCard,
    replaceECard: eCard,
    deleteECard: eCard,
    listLoyaltyPrograms: profile,
    createLoyaltyProgram: profile,
    getLoyaltyProgram: membership,
    replaceLoyaltyProgram: membership,
    deleteLoyaltyProgram: membership,
    listConsents: profile,
    createConsent: profile,
    getConsent: consent,
    replaceConsent: consent,
    deleteConsent: consent,
    // A deleted consent keeps its history.
    listConsentHistory: profile,
  };
}

/** A caller of every organisation may mean a reference of any: only the whole request names the organisation. */
async function byIdentifier(dependencies: Dependencies, caller: Caller, identifier: string): Promise<void> {
  if (tenancyOf(caller) === 'ANY') return;
  if (!(await findProfile(dependencies, caller, identifier))) throw noSuchProfile();
}
