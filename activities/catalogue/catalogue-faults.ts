/**
 * Checks what a schema cannot express about a catalogue: unique ids, references that exist, terms in every language, prices
 * and rules that fit together. Pure. Callers: the operation that replaces the catalogue, its
 * loading at start (api/catalogue).
 */
import type { ErrorItem } from '../../workflows/shared/service-error.ts';
import { TEXT_LANGUAGES } from '../../workflows/shared/text.ts';
import { type ConsentDefinition, PAYMENT_TYPE_GROUPS } from '../shared/catalogue.ts';
import { originFault } from '../shared/return-origins.ts';
import { currencyFaults } from './currency-faults.ts';
import { duplicates, type Faults, fault, faultsOfEach, idsOf, unknownReference } from './fault-items.ts';
import { DEFAULT_TIME_ZONE, type GivenCatalogue, type GivenChannel } from './given-catalogue.ts';
import { priceFaults } from './price-faults.ts';
import { productFaults } from './product-faults.ts';
import { ruleSetFaults } from './rule-set-faults.ts';
import { seatFaults } from './seat-faults.ts';
import { userTypeFaults } from './user-type-faults.ts';

/** The first faults as items of an error: JSON pointer into the catalogue, code and message. Looks for no more. */
export function catalogueFaults(content: GivenCatalogue, limit = Number.POSITIVE_INFINITY): readonly ErrorItem[] {
  const found: ErrorItem[] = [];
  for (const item of allFaults(content)) {
    found.push(item);
    if (found.length >= limit) break;
  }
  return found;
}

function* allFaults(content: GivenCatalogue): Faults {
  const { organisations, distributionChannels, consentDefinitions, entitlements = [] } = content;
  const known: ReadonlySet<number> = idsOf(organisations);
  yield* timeZoneFaults(content.timeZone ?? DEFAULT_TIME_ZONE);
  yield* organisationFaults(content);
  yield* duplicates(distributionChannels, ({ id }) => id, '/distributionChannels', 'id');
  yield* faultsOfEach(distributionChannels, (channel, at) =>
    channelFaults(channel, `/distributionChannels/${at}`, known),
  );
  yield* consentFaults(consentDefinitions, known);
  yield* currencyFaults(content);
  yield* userTypeFaults(content);
  yield* duplicates(entitlements, ({ id }) => id, '/entitlements', 'id');
  yield* productFaults(content);
  yield* priceFaults(content);
  yield* ruleSetFaults(content);
  yield* seatFaults(content);
}

function timeZoneFaults(timeZone: string): readonly ErrorItem[] {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return [];
  } catch {
    return [fault('/timeZone', 'UNKNOWN_REFERENCE', `there is no time zone ${timeZone}`)];
  }
}

function* organisationFaults({ organisations, distributionChannels }: GivenCatalogue): Faults {
  yield* duplicates(organisations, ({ id }) => String(id), '/organisations', 'id');
  yield* faultsOfEach(organisations, ({ id, defaultDistributionChannelId: chosen }, at) => {
    if (chosen === undefined) return [];
    const pointer = `/organisations/${at}/defaultDistributionChannelId`;
    const channel = distributionChannels.find((each) => each.id === chosen);
    if (!channel) return [fault(pointer, 'UNKNOWN_REFERENCE', `there is no distribution channel ${chosen}`)];
    if (channel.organisationIds.includes(id)) return [];
    return [fault(pointer, 'NOT_GRANTED', `${chosen} is not granted to organisation ${id}`)];
  });
}

function channelFaults(channel: GivenChannel, pointer: string, known: ReadonlySet<number>): readonly ErrorItem[] {
  return [
    ...channel.organisationIds.flatMap((id, at) =>
      unknownReference(id, known, `${pointer}/organisationIds/${at}`, 'organisation'),
    ),
    ...channel.refundPaymentTypeGroups.flatMap((group, at) =>
      unknownGroup(group, `${pointer}/refundPaymentTypeGroups/${at}`),
    ),
    ...channel.paymentMethods.flatMap(({ paymentTypeGroup }, at) =>
      unknownGroup(paymentTypeGroup, `${pointer}/paymentMethods/${at}/paymentTypeGroup`),
    ),
    ...duplicates(
      channel.paymentMethods,
      ({ paymentMethodId }) => String(paymentMethodId),
      `${pointer}/paymentMethods`,
      'paymentMethodId',
    ),
    ...duplicates(
      channel.paymentMethods,
      ({ paymentTypeGroup, paymentType }) => `${paymentTypeGroup} ${paymentType}`,
      `${pointer}/paymentMethods`,
      'paymentType',
    ),
    ...(channel.returnOrigins ?? []).flatMap((origin, at) => {
      const detail = originFault(origin);
      return detail === undefined ? [] : [fault(`${pointer}/returnOrigins/${at}`, 'ORIGIN', detail)];
    }),
  ];
}

function* consentFaults(definitions: readonly ConsentDefinition[], known: ReadonlySet<number>): Faults {
  const keyOf = ({ consentCode, version }: ConsentDefinition) => `${consentCode} ${version}`;
  yield* duplicates(definitions, keyOf, '/consentDefinitions', 'version');
  yield* faultsOfEach(definitions, (definition, at) =>
    definitionFaults(definition, `/consentDefinitions/${at}`, known),
  );
  yield* ownerFaults(definitions);
}

function definitionFaults(
  { terms, ownerOrganisationId: owner }: ConsentDefinition,
  pointer: string,
  known: ReadonlySet<number>,
): readonly ErrorItem[] {
  const missing = TEXT_LANGUAGES.filter((language) => !terms.some(({ lang }) => lang === language));
  return [
    ...missing.map((language) => fault(`${pointer}/terms`, 'MISSING_LANGUAGE', `has no text in ${language}`)),
    ...(owner === undefined ? [] : unknownReference(owner, known, `${pointer}/ownerOrganisationId`, 'organisation')),
  ];
}

/** All versions of a code have the same owner. Otherwise the version in force would be ambiguous. */
function ownerFaults(definitions: readonly ConsentDefinition[]): Faults {
  const owners = new Map<string, number | undefined>();
  return faultsOfEach(definitions, ({ consentCode, ownerOrganisationId }, at) => {
    if (!owners.has(consentCode)) owners.set(consentCode, ownerOrganisationId);
    if (owners.get(consentCode) === ownerOrganisationId) return [];
    const detail = `${consentCode} has another owner in another version`;
    return [fault(`/consentDefinitions/${at}/ownerOrganisationId`, 'OWNER', detail)];
  });
}

function unknownGroup(group: string, pointer: string): readonly ErrorItem[] {
  const groups: readonly string[] = PAYMENT_TYPE_GROUPS;
  if (groups.includes(group)) return [];
  return [fault(pointer, 'UNKNOWN_REFERENCE', `must be one of ${groups.join(', ')}`)];
}
