/**
 * The reference data of sales and customers, as every area may ask for it. Written only through `PUT /v1/catalogue`;
 * kept by activities/catalogue. Types, and the key by which areas ask for it.
 */
import { interfaceKey } from '../../platform/interfaces.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';

/** ISO 639-3. */
export type TextLanguage = 'nob' | 'nno' | 'eng';
export const TEXT_LANGUAGES: readonly TextLanguage[] = ['nob', 'nno', 'eng'];

export interface Text {
  readonly lang: TextLanguage;
  readonly value: string;
}

export type PaymentTypeGroup = (typeof PAYMENT_TYPE_GROUPS)[number];
export const PAYMENT_TYPE_GROUPS = [
  ...(['PAYMENTCARD', 'MOBILE', 'INVOICE', 'GIFTCARD'] as const),
  ...(['CASH', 'TRAVELACCOUNT', 'AGENT'] as const),
] as const;

export interface Organisation {
  readonly id: OrganisationId;
  readonly name: string;
}

export interface PaymentMethod {
  readonly paymentMethodId: number;
  readonly paymentTypeGroup: PaymentTypeGroup;
  /** `VISA`, `VIPPS`, … */
  readonly paymentType: string;
  readonly name: string;
  readonly active: boolean;
}

export interface DistributionChannel {
  /** `SVC:DistributionChannel:PaymentPage` */
  readonly id: string;
  /** To whom it is granted. */
  readonly organisationIds: readonly OrganisationId[];
  readonly paymentMethods: readonly PaymentMethod[];
  readonly refundPaymentTypeGroups: readonly PaymentTypeGroup[];
  readonly autoDistribute: boolean;
  readonly defaultLanguage: TextLanguage;
}

export interface ConsentDefinition {
  readonly consentCode: string;
  readonly version: number;
  /** At least one text in every language. */
  readonly terms: readonly Text[];
  /** Whose customers are asked; absent: everybody's. */
  readonly ownerOrganisationId?: OrganisationId;
}

export interface CatalogueContent {
  readonly organisations: readonly Organisation[];
  readonly distributionChannels: readonly DistributionChannel[];
  readonly consentDefinitions: readonly ConsentDefinition[];
}

export interface CatalogueVersion {
  /** From 1; 0 while none was ever loaded. */
  readonly version: number;
  readonly content: CatalogueContent;
}

/** What other areas ask. Answers hold what is stored at this moment, whichever process wrote it. */
export interface CatalogueReader {
  current(): Promise<CatalogueVersion>;
  findOrganisation(id: OrganisationId): Promise<Organisation | undefined>;
  findChannel(id: string): Promise<DistributionChannel | undefined>;
  /** Of each code the highest version: those for everybody and the organisation's own; of `ANY` all. In order of code. */
  listConsentDefinitions(organisation: OrganisationId | 'ANY'): Promise<readonly ConsentDefinition[]>;
  /** The one in force of this code, as in the list. */
  findConsentDefinition(organisation: OrganisationId | 'ANY', code: string): Promise<ConsentDefinition | undefined>;
}

export const CATALOGUE = interfaceKey<CatalogueReader>('catalogue');
