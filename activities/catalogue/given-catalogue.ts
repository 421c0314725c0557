/**
 * A catalogue as callers write it: amounts are decimal texts, tax rates percent, and what has a default may be absent. The
 * schema has accepted it; `catalogueFaults` checks the rest, `contentOf` makes the catalogue of it. Types alone.
 */
import type {
  ChangeRule,
  FarePrice,
  FareProduct,
  PreassignedProduct,
  RefundRule,
  SupplementProduct,
  UserType,
} from '../../workflows/shared/fares.ts';
import type { Seat, SeatPlan, Train } from '../../workflows/shared/seats.ts';
import type { CatalogueContent, DistributionChannel, PaymentMethod } from '../shared/catalogue.ts';

export const DEFAULT_TIME_ZONE = 'Europe/Oslo';
export const DEFAULT_CURRENCY = 'NOK';
/** From the sale. */
export const DEFAULT_LATEST_START_DAYS = 30;

type Optional<T, Names extends keyof T> = Omit<T, Names> & Partial<Pick<T, Names>>;

export interface GivenMethod extends Optional<Omit<PaymentMethod, 'paymentTypeGroup'>, 'provider'> {
  readonly paymentTypeGroup: string;
}

export interface GivenChannel
  extends Optional<
    Omit<DistributionChannel, 'paymentMethods' | 'refundPaymentTypeGroups'>,
    'currency' | 'returnOrigins'
  > {
  readonly paymentMethods: readonly GivenMethod[];
  readonly refundPaymentTypeGroups: readonly string[];
}

export interface GivenTax {
  readonly code: string;
  /** Percent. */
  readonly rate: number;
}

type GivenFacts<P extends FareProduct, Defaulted extends Exclude<keyof P, 'tax'>> = Optional<
  Omit<P, 'tax'>,
  Defaulted
> & { readonly tax: GivenTax };
type ListOfProduct = 'requiredEntitlements' | 'compulsorySupplements' | 'optionalSupplements';
/** Every product says whether it decides the seat and what it requires, so that callers read both kinds alike. */
export type GivenPreassigned = GivenFacts<PreassignedProduct, 'currency' | 'latestStartDays' | ListOfProduct> & {
  readonly modifiesSeating?: false;
};
export type GivenSupplement = GivenFacts<SupplementProduct, 'currency'> & {
  /** Empty. */
  readonly requiredEntitlements?: readonly unknown[];
};
export type GivenProduct = GivenPreassigned | GivenSupplement;

export interface GivenZonesStep {
  readonly zones: number;
  readonly amount: string;
}

export interface GivenStopPair {
  readonly fromStopPlaceId: string;
  readonly toStopPlaceId: string;
  readonly amount: string;
}

export type GivenBasis =
  | { readonly kind: 'FLAT'; readonly amount: string }
  | { readonly kind: 'ZONES'; readonly steps: readonly GivenZonesStep[] }
  | {
      readonly kind: 'DISTANCE';
      readonly baseAmount: string;
      readonly amountPerKilometre: string;
      readonly minimumAmount: string;
      readonly roundUpTo: string;
    }
  | { readonly kind: 'STOP_PAIRS'; readonly pairs: readonly GivenStopPair[] };

export interface GivenFarePrice extends Omit<FarePrice, 'basis'> {
  readonly basis: GivenBasis;
}

type GivenRule<Rule> = Omit<Rule, 'feeAmountMinor'> & { readonly feeAmount: string };
export type GivenRefundRule = GivenRule<RefundRule>;
export type GivenChangeRule = GivenRule<ChangeRule>;

export interface GivenRuleSet<Rule> {
  readonly id: string;
  readonly currency?: string;
  readonly rules: readonly Rule[];
}

export interface GivenSeat extends Omit<Seat, 'properties'> {
  readonly seatingProperties: Optional<Seat['properties'], 'facilities'>;
}

export interface GivenSeatPlan extends Omit<SeatPlan, 'carriages'> {
  readonly carriages: readonly { readonly carriageNumber: string; readonly seats: readonly GivenSeat[] }[];
}

export interface GivenCatalogue extends Pick<CatalogueContent, 'organisations' | 'consentDefinitions'> {
  /** That of the answer which the caller has read. It says nothing. */
  readonly version?: number;
  readonly timeZone?: string;
  readonly distributionChannels: readonly GivenChannel[];
  readonly userTypes?: readonly UserType[];
  readonly entitlements?: CatalogueContent['entitlements'];
  readonly fareProducts?: readonly GivenProduct[];
  readonly prices?: readonly GivenFarePrice[];
  readonly refundRuleSets?: readonly GivenRuleSet<GivenRefundRule>[];
  readonly changeRuleSets?: readonly GivenRuleSet<GivenChangeRule>[];
  readonly seatPlans?: readonly GivenSeatPlan[];
  readonly trains?: readonly Train[];
}
