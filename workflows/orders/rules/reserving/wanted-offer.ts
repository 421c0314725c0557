/** What a request wants of one offer, after deprecated members are folded into those that replace them. Types only. */
import type { CustomerNumber, OfferId, OrderLineId } from '../../../shared/ids.ts';

export interface WantedCustomer {
  readonly customerNumber?: CustomerNumber;
  readonly entitlementIds: readonly string[];
  /** In the request, where it is listed in another order now. */
  readonly position?: number;
}

export interface WantedOffer {
  readonly offerId: OfferId;
  /** For the selected travellers, in their order; a traveller beyond the list has none. */
  readonly customers: readonly WantedCustomer[];
  /** Claimed for every traveller that `customers` does not name. */
  readonly entitlementIds: readonly string[];
  /** Of the search; absent: all that the offer is for. */
  readonly selectedTravellerIds?: readonly string[];
  /** A product may be named several times. */
  readonly selectableProductIds: readonly string[];
  readonly externalReference?: string;
  /** How many lines are made, for the offer's travellers in turn; absent: one for each, or one for the party. */
  readonly lineCount?: number;
}

export interface WantedChange extends WantedOffer {
  readonly replacedLineIds: readonly OrderLineId[];
  /** The request chooses none, so the new lines have those of the replaced ones. */
  readonly keepsSupplements: boolean;
}

/** Makes ids that are the same in every attempt of a request. */
export interface DerivedIds {
  /** Of one request. */
  readonly ofWork: (name: string) => string;
  /** Of one order, whichever request asks. */
  readonly ofOrder: (name: string) => string;
}
