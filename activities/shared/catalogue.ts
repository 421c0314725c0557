/**
 * The reference data of sales and customers, as other areas read it. Written only through `PUT /v1/catalogue`; stored
 * by activities/catalogue. Types, and the key of the interface.
 */
import { interfaceKey } from '../../platform/interfaces.ts';
import type {
  ChangeRuleSet,
  Entitlement,
  FarePrice,
  FareProduct,
  RefundRuleSet,
  UserType,
} from '../../workflows/shared/fares.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import type { SeatPlan, Train } from '../../workflows/shared/seats.ts';
import type { Text, TextLanguage } from '../../workflows/shared/text.ts';

export type PaymentTypeGroup = (typeof PAYMENT_TYPE_GROUPS)[number];
export const PAYMENT_TYPE_GROUPS = [
  ...(['PAYMENTCARD', 'MOBILE', 'INVOICE', 'GIFTCARD'] as const),
  ...(['CASH', 'TRAVELACCOUNT', 'AGENT'] as const),
] as const;

/** What receipts say of the seller. Each fact may be absent. */
export interface SellerFacts {
  /** By default the organisation's name. */
  readonly legalName?: string;
  /** Of the organisation, or for value added tax, as `915 123 456 MVA`. */
  readonly vatNumber?: string;
  /** Line by line. */
  readonly address?: readonly string[];
  /** Where customers ask, as an e-mail or web address. */
  readonly contact?: string;
}

export interface Organisation {
  readonly id: OrganisationId;
  readonly name: string;
  readonly seller?: SellerFacts;
  /** Granted to it. Its requests that name no channel are of this one. */
  readonly defaultDistributionChannelId?: string;
}

/** Provider of money that is handled elsewhere and only entered here: invoices, cash, agents, gift cards. */
export const BOOK_PROVIDER = 'BOOK';

export interface PaymentMethod {
  readonly paymentMethodId: number;
  readonly paymentTypeGroup: PaymentTypeGroup;
  /** `VISA`, `VIPPS`, … */
  readonly paymentType: string;
  readonly name: string;
  readonly active: boolean;
  /** Name of a payment provider, or {@link BOOK_PROVIDER}. */
  readonly provider: string;
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
  /** ISO 4217; that of every order of the channel. */
  readonly currency: string;
  /** Where customers may be sent after a payment, as `https://shop.example`. Empty: nowhere. */
  readonly returnOrigins: readonly string[];
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
  /** IANA name: rules that count days count them there. */
  readonly timeZone: string;
  readonly organisations: readonly Organisation[];
  readonly distributionChannels: readonly DistributionChannel[];
  readonly consentDefinitions: readonly ConsentDefinition[];
  readonly userTypes: readonly UserType[];
  readonly entitlements: readonly Entitlement[];
  readonly fareProducts: readonly FareProduct[];
  readonly prices: readonly FarePrice[];
  readonly refundRuleSets: readonly RefundRuleSet[];
  readonly changeRuleSets: readonly ChangeRuleSet[];
  readonly seatPlans: readonly SeatPlan[];
  readonly trains: readonly Train[];
}

export interface CatalogueVersion {
  /** Counts from 1; 0 before the first catalogue is loaded. */
  readonly version: number;
  readonly content: CatalogueContent;
}

/** Reads for other areas. Answers hold what is stored at this moment, whichever process wrote it. */
export interface CatalogueReader {
  current(): Promise<CatalogueVersion>;
  /** As this process has read it some milliseconds ago, as a request does with its channel; else as `current`. */
  lately(): Promise<CatalogueVersion>;
  findOrganisation(id: OrganisationId): Promise<Organisation | undefined>;
  findChannel(id: string): Promise<DistributionChannel | undefined>;
  /** See {@link defaultChannel}. */
  findDefaultChannel(organisation: OrganisationId): Promise<DistributionChannel | undefined>;
  /**
   * The highest version of each code, ordered by code: definitions without an owner and those of the organisation; all
   * for `ANY`.
   */
  listConsentDefinitions(organisation: OrganisationId | 'ANY'): Promise<readonly ConsentDefinition[]>;
  /** The version in force of this code, as in the list. */
  findConsentDefinition(organisation: OrganisationId | 'ANY', code: string): Promise<ConsentDefinition | undefined>;
}

export const CATALOGUE = interfaceKey<CatalogueReader>('catalogue');

/**
 * The channel of requests that name none: the organisation's own choice, else the first that is granted to it. Undefined
 * when none is.
 */
export function defaultChannel(
  { organisations, distributionChannels }: Pick<CatalogueContent, 'organisations' | 'distributionChannels'>,
  organisation: OrganisationId,
): DistributionChannel | undefined {
  const chosen = organisations.find(({ id }) => id === organisation)?.defaultDistributionChannelId;
  const granted = distributionChannels.filter(({ organisationIds }) => organisationIds.includes(organisation));
  return granted.find(({ id }) => id === chosen) ?? granted[0];
}
