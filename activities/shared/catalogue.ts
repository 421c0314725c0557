/**
 * The reference data of sales and customers, as other areas read it. Written only through `PUT /v1/catalogue`; stored
 * by activities/catalogue. Types, and the key of the interface.
 */
import { interfaceKey } from '../../platform/interfaces.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import type { Text, TextLanguage } from '../../workflows/shared/text.ts';

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
  /** The organisations that it is granted to. */
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
  /** The organisation whose customers are asked; absent: the customers of all. */
  readonly ownerOrganisationId?: OrganisationId;
}

export interface CatalogueContent {
  readonly organisations: readonly Organisation[];
  readonly distributionChannels: readonly DistributionChannel[];
  readonly consentDefinitions: readonly ConsentDefinition[];
}

export interface CatalogueVersion {
  /** Counts from 1; 0 before the first catalogue is loaded. */
  readonly version: number;
  readonly content: CatalogueContent;
}

/** Reads for other areas. Answers hold what is stored at this moment, whichever process wrote it. */
export interface CatalogueReader {
  current(): Promise<CatalogueVersion>;
  findOrganisation(id: OrganisationId): Promise<Organisation | undefined>;
  findChannel(id: string): Promise<DistributionChannel | undefined>;
  /**
   * The highest version of each code, ordered by code: definitions without an owner and those of the organisation; all
   * for `ANY`.
   */
  listConsentDefinitions(organisation: OrganisationId | 'ANY'): Promise<readonly ConsentDefinition[]>;
  /** The version in force of this code, as in the list. */
  findConsentDefinition(organisation: OrganisationId | 'ANY', code: string): Promise<ConsentDefinition | undefined>;
}

export const CATALOGUE = interfaceKey<CatalogueReader>('catalogue');
