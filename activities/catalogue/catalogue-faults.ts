/**
 * Checks what a schema cannot express about a catalogue: unique ids, references that exist, terms in every language.
 * Pure; finds every fault at once. Callers: the operation that replaces the catalogue, its loading at start (api/catalogue).
 */
import type { ErrorItem } from '../../workflows/shared/service-error.ts';
import { TEXT_LANGUAGES } from '../../workflows/shared/text.ts';
import {
  type CatalogueContent,
  type ConsentDefinition,
  type DistributionChannel,
  PAYMENT_TYPE_GROUPS,
  type PaymentMethod,
} from '../shared/catalogue.ts';

interface GivenChannel extends Omit<DistributionChannel, 'paymentMethods' | 'refundPaymentTypeGroups'> {
  readonly paymentMethods: readonly (Omit<PaymentMethod, 'paymentTypeGroup'> & { readonly paymentTypeGroup: string })[];
  readonly refundPaymentTypeGroups: readonly string[];
}

/** A catalogue that the schema accepts; its groups of payment may still be any text. */
export interface GivenCatalogue extends Omit<CatalogueContent, 'distributionChannels'> {
  readonly distributionChannels: readonly GivenChannel[];
}

/** The faults as items of an error: JSON pointer into the catalogue, code and message. */
export function catalogueFaults(content: GivenCatalogue): readonly ErrorItem[] {
  const { organisations, distributionChannels, consentDefinitions } = content;
  const known = new Set<number>(organisations.map(({ id }) => id));
  return [
    ...duplicates(organisations, ({ id }) => String(id), '/organisations', 'id'),
    ...duplicates(distributionChannels, ({ id }) => id, '/distributionChannels', 'id'),
    ...distributionChannels.flatMap((channel, at) => channelFaults(channel, `/distributionChannels/${at}`, known)),
    ...duplicates(
      consentDefinitions,
      ({ consentCode, version }) => `${consentCode} ${version}`,
      '/consentDefinitions',
      'version',
    ),
    ...consentDefinitions.flatMap((definition, at) => definitionFaults(definition, `/consentDefinitions/${at}`, known)),
    ...ownerFaults(consentDefinitions),
  ];
}

function duplicates<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  pointer: string,
  member: string,
): readonly ErrorItem[] {
  const seen = new Set<string>();
  return items.flatMap((item, at) => {
    const key = keyOf(item);
    if (seen.has(key)) return [fault(`${pointer}/${at}/${member}`, 'DUPLICATE', `${key} is there already`)];
    seen.add(key);
    return [];
  });
}

function channelFaults(channel: GivenChannel, pointer: string, known: ReadonlySet<number>): readonly ErrorItem[] {
  return [
    ...channel.organisationIds.flatMap((id, at) => unknownOrganisation(id, `${pointer}/organisationIds/${at}`, known)),
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
  ];
}

function definitionFaults(
  { terms, ownerOrganisationId }: ConsentDefinition,
  pointer: string,
  known: ReadonlySet<number>,
): readonly ErrorItem[] {
  const missing = TEXT_LANGUAGES.filter((language) => !terms.some(({ lang }) => lang === language));
  return [
    ...missing.map((language) => fault(`${pointer}/terms`, 'MISSING_LANGUAGE', `has no text in ${language}`)),
    ...(ownerOrganisationId === undefined
      ? []
      : unknownOrganisation(ownerOrganisationId, `${pointer}/ownerOrganisationId`, known)),
  ];
}

/** All versions of a code have the same owner. Otherwise the version in force would be ambiguous. */
function ownerFaults(definitions: readonly ConsentDefinition[]): readonly ErrorItem[] {
  const owners = new Map<string, number | undefined>();
  return definitions.flatMap(({ consentCode, ownerOrganisationId }, at) => {
    if (!owners.has(consentCode)) owners.set(consentCode, ownerOrganisationId);
    if (owners.get(consentCode) === ownerOrganisationId) return [];
    const detail = `${consentCode} has another owner in another version`;
    return [fault(`/consentDefinitions/${at}/ownerOrganisationId`, 'OWNER', detail)];
  });
}

function unknownOrganisation(id: number, pointer: string, known: ReadonlySet<number>): readonly ErrorItem[] {
  return known.has(id) ? [] : [fault(pointer, 'UNKNOWN_REFERENCE', `there is no organisation ${id}`)];
}

function unknownGroup(group: string, pointer: string): readonly ErrorItem[] {
  const groups: readonly string[] = PAYMENT_TYPE_GROUPS;
  if (groups.includes(group)) return [];
  return [fault(pointer, 'UNKNOWN_REFERENCE', `must be one of ${groups.join(', ')}`)];
}

function fault(pointer: string, code: string, detail: string): ErrorItem {
  return { pointer, code, detail };
}
