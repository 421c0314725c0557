/**
 * An order and what belongs to it, as the rules of this folder see it. Types only. Amounts are in the smallest unit of
 * the order's currency. Free texts are sealed.
 */
import type { SoldLeg } from '../../offers/rules/offer.ts';
import type { ZoneType } from '../../shared/fares.ts';
import type {
  CustomerNumber,
  DistributionChannelId,
  OfferId,
  OrderId,
  OrderLineId,
  OrganisationId,
  RefundId,
  ReservationId,
  TravellerId,
} from '../../shared/ids.ts';
import type { Price } from '../../shared/price.ts';
import type { SeatingProperties } from '../../shared/seats.ts';
import type { Text } from '../../shared/text.ts';

export type OrderStatus = 'DRAFT' | 'CONFIRMED' | 'CANCELLED' | 'EXPIRED';
/**
 * DRAFT: new, or changed since it was confirmed. CANCELLATION_DRAFT: cancelled when the order is confirmed. CANCELLED is
 * final.
 */
export type OrderLineStatus = 'DRAFT' | 'CONFIRMED' | 'CANCELLATION_DRAFT' | 'CANCELLED';

/** WITHDRAWN: the journey does not run that day, or no longer serves the stretch. RESCHEDULED: it runs at other times. */
export type DisruptionCause = 'RESCHEDULED' | 'WITHDRAWN';

/** A journey of the line does not run as it was sold. The mark stays, whatever the operator publishes later. */
export interface Disruption {
  /** The worst that was told. */
  readonly cause: DisruptionCause;
  /** When it was first told. */
  readonly at: Date;
}

export const FEE_TYPES = [
  ...(['MANUAL', 'REFUNDING', 'ONBOARD', 'CHANGE', 'INVOICE'] as const),
  ...(['CHANGE_NON_REFUNDABLE', 'PENALTY', 'BOOKING', 'REDUCTION'] as const),
] as const;
export type FeeType = (typeof FEE_TYPES)[number];

/** A free text, sealed with the order's own key. Rules pass it on and never read it. */
export type SealedText = Uint8Array;

export interface OrderTraveller {
  readonly id: TravellerId;
  readonly customerNumber?: CustomerNumber;
  readonly userTypeId: string;
  readonly age?: number;
}

export interface LineTraveller {
  readonly travellerId: TravellerId;
  readonly contractId?: string;
  readonly externalEntitlementRef?: string;
  /** Claimed by the partner, printed on the ticket. */
  readonly entitlementIds?: readonly string[];
}

export interface LineProduct {
  readonly id: string;
  readonly version: number;
  readonly kind: 'PREASSIGNED' | 'SUPPLEMENT';
  /** Of the offer that the line was made from. */
  readonly selectableId?: string;
  /** Of a supplement: each line of the offer had it, or somebody has chosen it. Absent where that is not known. */
  readonly isCompulsory?: boolean;
  /** Who carries the traveller; absent where that is not known: the seller. */
  readonly carrierOrganisationId?: OrganisationId;
  readonly price: Price;
}

export interface TravelSpecification {
  readonly legs: readonly SoldLeg[];
  readonly startOfValidity: Date;
  readonly endOfValidity: Date;
  readonly zones?: readonly string[];
  /** Of these zones, in their order; absent on lines written by hand. */
  readonly zoneNames?: readonly string[];
  readonly zoneType?: ZoneType;
  readonly fromStopPlaceId?: string;
  readonly toStopPlaceId?: string;
}

/** The start that a caller has moved the tickets of a line to. */
export interface MovedStart {
  readonly to: Date;
  /** The validity that the line was sold with then. */
  readonly of: Pick<TravelSpecification, 'startOfValidity' | 'endOfValidity'>;
}

export interface OrderLine {
  readonly id: OrderLineId;
  /** From 1; rises when a confirmed line is changed. */
  readonly version: number;
  readonly status: OrderLineStatus;
  readonly description: readonly Text[];
  readonly price: Price;
  readonly fareProducts: readonly LineProduct[];
  readonly travellers: readonly LineTraveller[];
  readonly travelSpecification: TravelSpecification;
  readonly reservationIds: readonly ReservationId[];
  readonly salesPackageRef?: string;
  /** The partner's. */
  readonly externalReference?: string;
  /** Legs that may not be ridden without a seat: each traveller needs a reservation before the line is confirmed. */
  readonly compulsoryLegIds?: readonly string[];
  readonly offerId?: OfferId;
  /** What the rules of change and refund are found by; absent on lines written by hand. */
  readonly refundRuleSetId?: string;
  readonly changeRuleSetId?: string;
  readonly transferable?: boolean;
  /** Lines that one change of a draft has exchanged for others are compared together; see rules/reserving. */
  readonly changeGroup?: string;
  /** The part of the price that refunds have taken back, before fees. */
  readonly refundedShareMinor: number;
  /** What refunds have paid back. */
  readonly refundedAmountMinor: number;
  /** First use of its ticket; a used line is not changed. */
  readonly usedAt?: Date;
  readonly disruption?: Disruption;
  /** As tickets tell it. `reissue` counts those of the line's tickets. */
  readonly movedStart?: MovedStart & { readonly reissue: number };
  readonly createdAt: Date;
  readonly confirmedAt?: Date;
}

export interface Fee {
  readonly id: string;
  readonly type: FeeType;
  /** Negative for REDUCTION alone. */
  readonly price: Price;
  readonly reason?: SealedText;
  /** It follows from a change of its line, and goes with that change. */
  readonly isAutomatic?: true;
  readonly orderLineIds: readonly OrderLineId[];
  readonly orderVersion: number;
}

/** A seat of one traveller on one ride. */
export interface Reservation {
  readonly id: ReservationId;
  readonly orderLineId: OrderLineId;
  readonly travellerId: TravellerId;
  readonly legId: string;
  readonly datedServiceJourneyId: string;
  readonly fromStopPlaceId: string;
  readonly toStopPlaceId: string;
  readonly departure: Date;
  readonly isCompulsory: boolean;
  readonly carriageNumber: string;
  readonly seatNumber: string;
  readonly compartmentNumber?: string;
  readonly seatingProperties: SeatingProperties;
  /** Of a moved seat: what the seat had that reserving gave. The traveller may have it back without a supplement. */
  readonly givenFacilities?: readonly string[];
}

/** What belongs to a version. */
export interface OrderContent {
  readonly travellers: readonly OrderTraveller[];
  readonly orderLines: readonly OrderLine[];
  readonly fees: readonly Fee[];
  readonly reservations: readonly Reservation[];
}

export interface ConfirmedVersion extends OrderContent {
  readonly version: number;
  readonly confirmedAt: Date;
}

/** What has been captured and credited, over all versions. Written by payments and refunds. */
export interface OrderMoney {
  readonly capturedMinor: number;
  readonly creditedMinor: number;
}

/** A capture, confirmation or refund runs, and other writes are refused. */
export interface OrderLock {
  /** Id of the workflow that holds it. */
  readonly owner: string;
  readonly since: Date;
  /** Of a refund: the lines that it may give back. */
  readonly orderLineIds?: readonly OrderLineId[];
  /** Of the money of another system that its owner enters. */
  readonly importKey?: string;
  /** The refund that pays money of the draft back: until it has ended the draft is not confirmed, and nobody else unlocks it. */
  readonly compensation?: RefundId;
}

/** Tickets of the sold version that are disabled before money is paid back; see rules/ticket-withdrawal.ts. */
export interface TicketWithdrawal {
  readonly orderLineIds: readonly OrderLineId[];
  /** Of these lines it has happened, and nobody had travelled before. */
  readonly doneIds: readonly OrderLineId[];
  /** They are given back: no money is paid any more. */
  readonly isEnding?: true;
  /** With `isEnding`: since when. Absent where a build of before has begun it. */
  readonly endingSince?: Date;
}

export interface PaymentRef {
  readonly paymentId: number;
  readonly orderVersion: number;
  /** Of this payment; the order's money is the sum over all. */
  readonly capturedMinor: number;
  readonly creditedMinor: number;
  /** Transactions that may still capture. */
  readonly openTransactions: number;
  /** Of the money that was imported with the order. */
  readonly cameWithOrder?: true;
  /** `<day>/<rrn>` of each transaction that was imported into the payment. */
  readonly importKeys?: readonly string[];
  /** Of the payment's document: a note with a lower one comes late. */
  readonly revision?: number;
}

/** Money that another system took before the order was imported. */
export interface ImportedTransaction {
  readonly amountMinor: number;
  readonly paymentTypeGroup: string;
  readonly paymentType: string;
  readonly confirmedAt: Date;
  /** Of the payment network. */
  readonly rrn: string;
}

/** The order as rules see it. The store keeps it in one document. */
export interface Order extends OrderContent {
  readonly id: OrderId;
  readonly organisationId: OrganisationId;
  readonly distributionChannelId: DistributionChannelId;
  readonly pos?: string;
  readonly currency: string;
  /** From 1; rises with the first content write after a confirmation, and is never used twice. */
  readonly version: number;
  /** The highest version that was ever begun: a reset goes back to an earlier one. */
  readonly highestVersion: number;
  readonly status: OrderStatus;
  readonly createdAt: Date;
  /** When a draft ends. Absent where it never does. */
  readonly expireAt?: Date;
  /** The caller has chosen the time: it may lie past the departure of a line with a seat. */
  readonly expireAtSet?: true;
  readonly lastConfirmedAt?: Date;
  /** The last confirmed version, whole; while the order is CONFIRMED it equals the content. */
  readonly confirmed?: ConfirmedVersion;
  readonly createdBy?: CustomerNumber;
  readonly contact?: CustomerNumber;
  readonly externalReference?: string;
  readonly causeCode?: string;
  readonly causeDescription?: SealedText;
  readonly cancelReason?: SealedText;
  readonly importedAt?: Date;
  /** What paid an imported order elsewhere; their sum is in `money`. */
  readonly importedTransactions?: readonly ImportedTransaction[];
  readonly money: OrderMoney;
  /** What the service had of the customer when the confirmed version was sold. Absent: never sold, or before this was kept. */
  readonly paidMinor?: number;
  readonly paymentRefs: readonly PaymentRef[];
  readonly paymentPageId?: string;
  readonly lock?: OrderLock;
  /** A negative balance is credited when this version is confirmed. */
  readonly creditBalance?: true;
  /** Of a draft whose confirmation pays money back. */
  readonly withdrawal?: TicketWithdrawal;
  /** Seats that this and earlier writes have sold or given up, until the seat keeper knows. */
  readonly pendingSeats?: PendingSeats;
}

export interface PendingSeats {
  readonly confirm: readonly ReservationId[];
  readonly release: readonly ReservationId[];
}
