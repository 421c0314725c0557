/** What a search asks for, as the rules see it: rides of a journey, two places, zones, or all of an authority. Types. */
import type { FarePrice, FareProduct, RefundRuleSet } from '../../shared/fares.ts';
import type { SeatReservation } from '../../shared/seats.ts';
import type { SearchedTraveller, SoldLeg } from './offer.ts';

/** One ride of the journey, with what prices need to know of it. */
export interface Ride extends SoldLeg {
  /** Fare zones of `calls`. */
  readonly callZones: readonly (readonly string[])[];
  readonly plannedStart: Date;
  /** Ids that a price may have for its ends: the places, and the station that each belongs to. */
  readonly fromPlaceIds: readonly string[];
  readonly toPlaceIds: readonly string[];
  readonly isCancelled: boolean;
  /** Absent: nothing is reserved on it. */
  readonly train?: { readonly seatPlanId: string; readonly seatReservation: SeatReservation };
}

/** A line that serves both places. */
export interface Connection {
  readonly lineId: string;
  readonly mode: string;
  readonly authorityId: string;
  readonly distanceMetres: number;
  readonly zoneIds: readonly string[];
}

export type WantedTravel =
  | { readonly kind: 'RIDES'; readonly rides: readonly Ride[] }
  | {
      readonly kind: 'STOP_PLACES';
      readonly fromStopPlaceId: string;
      readonly toStopPlaceId: string;
      /** Fare zones of the two places. */
      readonly endZones: readonly (readonly string[])[];
      readonly connections: readonly Connection[];
      readonly startsAt: Date;
    }
  | { readonly kind: 'ZONES'; readonly zoneIds: readonly string[]; readonly startsAt: Date }
  | { readonly kind: 'AUTHORITY'; readonly authorityId: string; readonly startsAt: Date };

export interface WantingTraveller extends SearchedTraveller {
  /** The products that the traveller asks for; empty: any. */
  readonly productIds: readonly string[];
}

/** The parts of the catalogue in force that prices come from. */
export interface FareTable {
  readonly timeZone: string;
  readonly products: ReadonlyMap<string, FareProduct>;
  readonly prices: ReadonlyMap<string, readonly FarePrice[]>;
  readonly refundRuleSets: ReadonlyMap<string, RefundRuleSet>;
}

/** The channel that sells, as far as offers depend on it. */
export interface SellingChannel {
  readonly organisationIds: readonly number[];
  readonly currency: string;
}

export interface OfferSearch {
  readonly now: Date;
  readonly travellers: readonly WantingTraveller[];
  readonly travel: WantedTravel;
  readonly fares: FareTable;
  readonly channel: SellingChannel;
}
