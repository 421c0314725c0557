/** Makes small catalogues, valid unless a test changes them. */
import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { EMPTY_CATALOGUE } from '../../../activities/catalogue/catalogue-content.ts';
import { CatalogueStore } from '../../../activities/catalogue/catalogue-store.ts';
import type { GivenCatalogue } from '../../../activities/catalogue/given-catalogue.ts';
import type { CatalogueContent, ConsentDefinition, DistributionChannel } from '../../../activities/shared/catalogue.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import type { OrganisationId } from '../../../workflows/shared/ids.ts';
import { useMongo } from '../../support/stack.ts';

export const ONE = 1 as OrganisationId;
export const TWO = 2 as OrganisationId;
export const PAGE = 'SVC:DistributionChannel:PaymentPage';

export function channel(changes: Partial<DistributionChannel> = {}): DistributionChannel {
  return {
    id: PAGE,
    organisationIds: [ONE],
    refundPaymentTypeGroups: ['PAYMENTCARD'],
    autoDistribute: true,
    paymentMethods: [
      {
        paymentMethodId: 1,
        paymentTypeGroup: 'PAYMENTCARD',
        paymentType: 'VISA',
        name: 'Visa',
        active: true,
        provider: 'SIMULATOR',
      },
    ],
    defaultLanguage: 'nob',
    currency: 'NOK',
    returnOrigins: ['https://shop.example'],
    ...changes,
  };
}

export function consent(
  consentCode: string,
  version: number,
  changes: Partial<ConsentDefinition> = {},
): ConsentDefinition {
  const terms = (['nob', 'nno', 'eng'] as const).map((lang) => ({ lang, value: `${consentCode} ${version}` }));
  return { consentCode, version, terms, ...changes };
}

/** Without fares, as a caller writes it. */
export function given(changes: Partial<GivenCatalogue> = {}): GivenCatalogue {
  const { organisations, distributionChannels, consentDefinitions } = catalogue();
  return { organisations, distributionChannels, consentDefinitions, ...changes };
}

export function catalogue(changes: Partial<CatalogueContent> = {}): CatalogueContent {
  return {
    ...EMPTY_CATALOGUE,
    organisations: [
      { id: ONE, name: 'One' },
      { id: TWO, name: 'Two' },
    ],
    distributionChannels: [channel()],
    consentDefinitions: [consent('NEWS', 1), consent('NEWS', 2), consent('CLUB', 1, { ownerOrganisationId: ONE })],
    ...changes,
  };
}

export async function openCatalogue(): Promise<{ readonly connection: Connection; readonly store: CatalogueStore }> {
  const connection = await connectMongo((await useMongo()).uri(`catalogue_${randomUUID().slice(0, 8)}`));
  return { connection, store: new CatalogueStore(connection) };
}
