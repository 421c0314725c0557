/** An offer as it is stored: what may be bought, for whom and at what price, until it expires. Types only. */
import type { Accommodation, FareClass, TravellerCount, ZoneType } from '../../shared/fares.ts';
import type { OfferId, OrganisationId } from '../../shared/ids.ts';
import type { Price } from '../../shared/price.ts';
import type { SeatReservation } from '../../shared/seats.ts';
import type { Text } from '../../shared/text.ts';

/** A ride of the journey that an offer or an order line is for. */
export interface SoldLeg {
  /** Unique within the offer or line; made from its position. */
  readonly legId: string;
  readonly mode: string;
  readonly fromStopPlaceId: string;
  readonly toStopPlaceId: string;
  /** Of the stop places of its ends, where the timetable names one. */
  readonly fromParentStopPlaceId?: string;
  readonly toParentStopPlaceId?: string;
  readonly expectedStartTime: Date;
  readonly expectedEndTime: Date;
  readonly lineId: string;
  /** As travellers know the line: `R10`. Absent where the timetable has none. */
  readonly linePublicCode?: string;
  readonly authorityId: string;
  readonly serviceJourneyId: string;
  readonly serviceJourneyPrivateCode?: string;
  readonly datedServiceJourneyId: string;
  readonly serviceDay: string;
  readonly distanceMetres: number;
  /** Positions of its ends in the journey; see JourneyCall. */
  readonly fromPosition: number;
  readonly toPosition: number;
  /** From boarding to alighting, both included. */
  readonly calls: readonly SoldCall[];
}

export interface SoldCall {
  readonly stopPlaceId: string;
  readonly name: string;
  readonly arrival?: Date;
  readonly departure?: Date;
}

export interface OfferedProduct {
  readonly id: string;
  readonly version: number;
  /** A request names the product by it. Equal to the product's id, so it is still known when the offer is gone. */
  readonly selectableId: string;
  readonly name: readonly Text[];
  readonly organisationId: OrganisationId;
  /** Who carries the traveller; absent in offers from before it was kept. */
  readonly carrierOrganisationId?: OrganisationId;
  readonly kind: 'PREASSIGNED' | 'SUPPLEMENT';
  /** Per traveller; per party where the offer is. */
  readonly price: Price;
  readonly refundRuleSetId?: string;
  readonly changeRuleSetId?: string;
  readonly transferable?: boolean;
}

export interface OfferedSupplement extends OfferedProduct {
  readonly modifiesSeating: boolean;
  readonly seatFacility?: string;
  readonly reservesSeat: boolean;
  /** Part of every line of this offer. */
  readonly isCompulsory: boolean;
}

/**
 * The travellers of the search that may use the offer. Its counts are those of one selection: from 1 to all of them, or
 * those of the party.
 */
export interface TravellerMapping extends TravellerCount {
  readonly travellerIds: readonly string[];
  readonly userTypeId: string;
}

/** A traveller of the search. */
export interface SearchedTraveller {
  readonly id: string;
  readonly userTypeId: string;
  readonly age?: number;
  readonly customerNumber?: string;
  readonly entitlementIds: readonly string[];
}

/** Where the ticket is valid. */
export interface GeographicalValidity {
  readonly authorityIds?: readonly string[];
  readonly zoneIds?: readonly string[];
  /** In the order of the ids, as the timetable named them when the offer was made. */
  readonly zoneNames?: readonly string[];
  readonly zoneType?: ZoneType;
  readonly fromStopPlaceId?: string;
  readonly toStopPlaceId?: string;
  readonly lineIds?: readonly string[];
}

export interface Offer {
  readonly _id: OfferId;
  readonly organisationId: OrganisationId;
  readonly distributionChannelId: string;
  readonly catalogueVersion: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly name: readonly Text[];
  readonly currency: string;
  /** Per traveller; per party for a group or a compartment. */
  readonly price: Price;
  /** With compulsory supplements. */
  readonly totalPrice: Price;
  /** One line for the party instead of one per traveller. */
  readonly isPerParty: boolean;
  /** With `isPerParty`: how many travellers one line may have, of all mappings together. */
  readonly party?: TravellerCount;
  readonly preassignedProducts: readonly OfferedProduct[];
  readonly supplements: readonly OfferedSupplement[];
  readonly travellers: readonly SearchedTraveller[];
  readonly travellerMapping: readonly TravellerMapping[];
  readonly requiredEntitlements: readonly string[];
  readonly startOfValidity: Date;
  readonly endOfValidity: Date;
  readonly geographicalValidity: GeographicalValidity;
  /** Rides that the product covers; empty when it is not for a journey. */
  readonly legs: readonly SoldLeg[];
  /** Seats that each traveller gets, one entry for each ride with a seat plan. */
  readonly seating: readonly OfferedSeating[];
}

export interface OfferedSeating {
  readonly legId: string;
  readonly seatReservation: SeatReservation;
  readonly seatPlanId: string;
  readonly fareClass?: FareClass;
  readonly accommodation: Accommodation;
  readonly wholeCompartment: boolean;
}
