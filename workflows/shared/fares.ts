/**
 * What the catalogue says of products, prices and their rules. Types only: offers price by them, orders change and
 * refund by them. Written through `PUT /v1/catalogue`.
 */
import type { OrganisationId } from './ids.ts';
import type { TaxRate } from './price.ts';
import type { Text } from './text.ts';

/** A kind of traveller. Those with an age range are chosen by age; their ranges do not overlap. */
export interface UserType {
  /** As `ADULT`. */
  readonly id: string;
  readonly name: readonly Text[];
  /** Whole years, both included. A type without either is only chosen by its id, as a student. */
  readonly minAge?: number;
  readonly maxAge?: number;
}

export interface Entitlement {
  readonly id: string;
  readonly name: readonly Text[];
}

export type FareClass = 'STANDARD' | 'FIRST';
export type Accommodation = 'SEATING' | 'COUCHETTE' | 'SLEEPER';
export type ZoneType = 'RING' | 'POINT_TO_POINT';

/** Where a product is valid. */
export type ProductArea =
  /** Rides of these authorities within these fare zones; absent lists: all of them. */
  | {
      readonly kind: 'ZONES';
      readonly authorityIds?: readonly string[];
      readonly zoneIds?: readonly string[];
    }
  /** Rides on these lines, or of these authorities, or of these modes: each list that is given must hold the ride's. */
  | {
      readonly kind: 'LINES';
      readonly lineIds?: readonly string[];
      readonly authorityIds?: readonly string[];
      readonly modes?: readonly string[];
    };

export interface TravellerCount {
  readonly minTravellers: number;
  readonly maxTravellers: number;
}

interface ProductFacts {
  readonly id: string;
  /** Counts from 1; an offer names the version that it was priced by. */
  readonly version: number;
  readonly name: readonly Text[];
  /** Who sells it. */
  readonly organisationId: OrganisationId;
  /** Who carries the traveller. */
  readonly carrierOrganisationId: OrganisationId;
  readonly currency: string;
  readonly tax: TaxRate;
}

/** A fare: what a ticket is made of. */
export interface PreassignedProduct extends ProductFacts {
  readonly kind: 'PREASSIGNED';
  readonly area: ProductArea;
  /** A zone product's zones are counted as rings around the first, or along the journey. */
  readonly zoneType?: ZoneType;
  /** ISO 8601 duration from the start of validity: `PT2H`, `P1D`, `P30D`. Absent: valid for its journeys alone. */
  readonly validityDuration?: string;
  /** The latest start of validity, in days from the sale. */
  readonly latestStartDays: number;
  readonly fareClass?: FareClass;
  /** What a reservation of it takes on a journey with a seat plan; default SEATING. */
  readonly accommodation?: Accommodation;
  readonly transferable: boolean;
  readonly refundRuleSetId: string;
  readonly changeRuleSetId: string;
  readonly requiredEntitlements: readonly string[];
  /** A whole compartment, priced per party. */
  readonly compartment?: TravellerCount;
  /** A group, priced per party. */
  readonly group?: TravellerCount;
  /** Supplements that every line with this product has. */
  readonly compulsorySupplements: readonly string[];
  /** Supplements that the traveller may add. */
  readonly optionalSupplements: readonly string[];
}

export interface SupplementProduct extends ProductFacts {
  readonly kind: 'SUPPLEMENT';
  /** It decides which seat is reserved, so it can only be chosen with the offer. */
  readonly modifiesSeating: boolean;
  /** With `modifiesSeating`: what its seat must have, as `WINDOW` or `POWER_SOCKET`. */
  readonly seatFacility?: string;
  /** It takes a seat where the offer alone would take none. */
  readonly reservesSeat?: boolean;
}

export type FareProduct = PreassignedProduct | SupplementProduct;

/**
 * How a price is found. Amounts include tax, in the smallest unit of the product's currency. ZONES prices products with an
 * area of zones, DISTANCE and STOP_PAIRS those with an area of lines; supplements are FLAT.
 */
export type PriceBasis =
  | { readonly kind: 'FLAT'; readonly amountMinor: number }
  /** By number of zones, ascending; more zones than the last entry has are not sold. */
  | { readonly kind: 'ZONES'; readonly steps: readonly { readonly zones: number; readonly amountMinor: number }[] }
  | {
      readonly kind: 'DISTANCE';
      readonly baseMinor: number;
      readonly perKilometreMinor: number;
      readonly minimumMinor: number;
      /** The price is rounded up to a multiple of this. */
      readonly roundToMinor: number;
    }
  | {
      readonly kind: 'STOP_PAIRS';
      /** Valid both ways. */
      readonly pairs: readonly {
        readonly fromStopPlaceId: string;
        readonly toStopPlaceId: string;
        readonly amountMinor: number;
      }[];
    };

export interface FarePrice {
  readonly productId: string;
  /** Absent: every user type. A price that names the type is preferred. */
  readonly userTypeId?: string;
  readonly basis: PriceBasis;
}

/** A window of time before departure, or before the start of validity: [from, until). ISO 8601 durations. */
export interface RuleWindow {
  /** How long before it begins; absent: from the sale. */
  readonly fromBefore?: string;
  /** How long before it ends; `PT0S` at departure. A leading minus reaches past departure. */
  readonly untilBefore: string;
}

export interface RefundRule extends RuleWindow {
  readonly id: string;
  /** 0 to 100, two decimals at most. */
  readonly refundPercent: number;
  readonly feeAmountMinor: number;
  readonly unusedOnly: boolean;
}

/** An empty list forbids refunds. Its windows do not overlap. */
export interface RefundRuleSet {
  readonly id: string;
  /** Of its fees, and of the products that refer to it. */
  readonly currency: string;
  readonly rules: readonly RefundRule[];
}

export interface ChangeRule extends RuleWindow {
  readonly id: string;
  readonly feeAmountMinor: number;
}

/** An empty list forbids changes. Its windows do not overlap. */
export interface ChangeRuleSet {
  readonly id: string;
  /** Of its fees, and of the products that refer to it. */
  readonly currency: string;
  readonly rules: readonly ChangeRule[];
}
