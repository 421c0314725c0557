/** Consents of a profile with their history, and the definitions that they refer to. */
import type { ConsentContent, Tenancy } from '../../activities/customers/customer-types.ts';
import { toSearchPage } from '../../platform/mongo/search-filter.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import type { Handlers } from '../shared/operation.ts';
import type { Operations, Schemas } from './contract.gen.ts';
import type { CustomersDependencies } from './dependencies.ts';
import { itemIdOf } from './items.ts';
import { presentConsent } from './presenters.ts';
import { createdReply, PROFILES_PATH, personalReply } from './replies.ts';
import { invalidMember, targetOf, tenancyOf, writeOf } from './requests.ts';

type ConsentOperations = Pick<
  Operations,
  | 'listConsents'
  | 'createConsent'
  | 'getConsent'
  | 'replaceConsent'
  | 'deleteConsent'
  | 'listConsentHistory'
  | 'listConsentDefinitions'
>;

type Dependencies = Pick<CustomersDependencies, 'consents' | 'profiles' | 'catalogue'>;

export function createConsentOperations(dependencies: Dependencies): Handlers<ConsentOperations> {
  const { consents, catalogue } = dependencies;
  return {
    listConsents: async (context) => {
      const target = targetOf(context);
      return personalReply(target[1], (await consents.list(...target)).map(presentConsent));
    },
    createConsent: async (context) => {
      const target = targetOf(context);
      const content = await contentOf(dependencies, target, context.body);
      const consent = await consents.add(...target, content, await writeOf(context));
      const location = `${PROFILES_PATH}/${target[1]}/consents/${consent.id}`;
      return createdReply(target[1], location, presentConsent(consent));
    },
    getConsent: async (context) => {
      const target = targetOf(context);
      return personalReply(target[1], presentConsent(await consents.get(...target, itemIdOf(context.path))));
    },
    replaceConsent: async (context) => {
      const target = targetOf(context);
      const content = await contentOf(dependencies, target, context.body);
      const consent = await consents.replace(...target, itemIdOf(context.path), content, await writeOf(context));
      return personalReply(target[1], presentConsent(consent));
    },
    deleteConsent: async (context) => {
      await consents.remove(...targetOf(context), itemIdOf(context.path), await writeOf(context));
      return { status: 204 };
    },
    listConsentHistory: async (context) => {
      const target = targetOf(context);
      const { search } = context;
      const { items, totalItems } = await consents.history(...target, itemIdOf(context.path), search);
      return personalReply(target[1], toSearchPage(search, items.map(presentConsent), totalItems));
    },
    listConsentDefinitions: async ({ caller }) => {
      const definitions = await catalogue.listConsentDefinitions(tenancyOf(caller));
      return { status: 200, json: definitions };
    },
  };
}

/** Refers to the definition in force, through a channel that the profile's organisation may use. */
async function contentOf(
  { profiles, catalogue }: Dependencies,
  target: readonly [Tenancy, CustomerNumber],
  { consentCode, consentChoice, distributionChannel, givenAt }: Schemas['ConsentRequest'],
): Promise<ConsentContent> {
  const { organisationId } = await profiles.get(...target);
  const definition = await catalogue.findConsentDefinition(organisationId, consentCode);
  if (!definition) throw invalidMember('/consentCode', 'UNKNOWN', 'is not a consent that customers are asked for', 422);
  const channel = await catalogue.findChannel(distributionChannel);
  if (!channel?.organisationIds.includes(organisationId)) {
    throw invalidMember('/distributionChannel', 'UNKNOWN', 'is not a channel granted to the organisation', 422);
  }
  return {
    consentCode,
    consentChoice,
    consentVersion: definition.version,
    distributionChannel,
    ...(givenAt !== undefined && { givenAt: new Date(givenAt) }),
  };
}
