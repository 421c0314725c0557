/**
 * The tickets of an order line, as the rules of this folder see them. Types only. A group belongs to one order line and has a
 * distribution, which is a ticket, for each main product. Nothing here names a person: names and barcodes are sealed.
 */
import type { SoldLeg } from '../../offers/rules/offer.ts';
import type { MovedStart } from '../../orders/rules/order.ts';
import type { FareClass, ZoneType } from '../../shared/fares.ts';
import type {
  CustomerNumber,
  DistributionChannelId,
  OrderId,
  OrderLineId,
  OrganisationId,
  TicketDistributionId,
  TicketGroupId,
  TravellerId,
} from '../../shared/ids.ts';
import type { Price } from '../../shared/price.ts';
import type { SeatingProperties } from '../../shared/seats.ts';
import type { Text } from '../../shared/text.ts';

/**
 * GENERATED: signed, or about to be; sent to nobody. DISTRIBUTING: a mail is on its way. FAILED: no mail arrived within 24 hours, or its
 * address is refused. DISABLED: cancelled or refunded. REPLACED: a reissue has made a successor.
 */
export type TicketStatus = 'GENERATED' | 'DISTRIBUTING' | 'DISTRIBUTED' | 'FAILED' | 'DISABLED' | 'REPLACED';

/** CANCELLED: its line. REFUNDED: its money. REPLACED: a successor is valid. */
export type RevocationReason = 'CANCELLED' | 'REFUNDED' | 'REPLACED';

export interface TicketTraveller {
  readonly travellerId: TravellerId;
  readonly customerNumber?: CustomerNumber;
  readonly userTypeId: string;
  readonly entitlementIds?: readonly string[];
}

export interface Topology {
  readonly fromStopPlace?: string;
  readonly toStopPlace?: string;
  readonly fromFareZone?: string;
  readonly toFareZone?: string;
  readonly fareZones: readonly string[];
  readonly zoneType?: ZoneType;
  /** Metres, of all legs. */
  readonly distance?: number;
}

export interface TicketSeat {
  readonly legId: string;
  readonly travellerId: TravellerId;
  readonly carriageNumber: string;
  readonly seatNumber: string;
  readonly seatingProperties: SeatingProperties;
}

/** How the ticket reached its holder. */
export interface DistributionDetails {
  readonly distributedAsPdf: boolean;
  readonly distributedAt?: Date;
  readonly channel: 'EMAIL' | 'NONE';
  /** Mails that were tried. */
  readonly attempts: number;
  /** Why the last one did not arrive, as the mail server's code; never its text, which may hold the address. */
  readonly lastFailure?: string;
  /** The mailing that has begun to send it last. While it is DISTRIBUTING, others leave it alone. Absent: begun by an older build. */
  readonly sentBy?: string;
}

export interface Distribution {
  readonly id: TicketDistributionId;
  readonly status: TicketStatus;
  /** With DISABLED: what a refund that fails goes back to. */
  readonly statusBefore?: TicketStatus;
  readonly startOfValidity: Date;
  readonly endOfValidity: Date;
  readonly travellers: readonly TicketTraveller[];
  readonly productId: string;
  readonly productName: readonly Text[];
  readonly fareClass?: FareClass;
  readonly price: Price;
  readonly topology: Topology;
  readonly legs: readonly SoldLeg[];
  readonly seatReservations: readonly TicketSeat[];
  readonly fullAreaValidity: boolean;
  /** Of the fare zones of its topology, in their order, as they were called when the ticket was sold. */
  readonly zoneNames?: readonly string[];
  /** Of the supplements that were paid for with it, as they were called when the ticket was made. Absent: none, or made before they were kept. */
  readonly supplementNames?: readonly (readonly Text[])[];
  readonly distributionDetails: DistributionDetails;
  /** First use. */
  readonly usedAt?: Date;
  readonly usedLegIds: readonly string[];
  /** With REPLACED. */
  readonly replacedBy?: TicketDistributionId;
  /** With a successor: what it replaces. */
  readonly replaces?: TicketDistributionId;
  /** With DISABLED and REPLACED: inspectors find it in the list of revocations from then on. */
  readonly revokedAt?: Date;
  readonly revocationReason?: RevocationReason;
  /** With DISABLED: who has disabled it, as a refund; only the same one restores it. */
  readonly disabledBy?: string;
  readonly issuedAt: Date;
  /** Absent until it is signed, and after an erasure. */
  readonly signed?: SignedTicket;
}

/** What names persons, sealed with the order's key. */
export interface SignedTicket {
  /** Of the order's data key: an order gets another one after an erasure. */
  readonly keyId: string;
  /** Of the key that has signed the barcode. Absent: signed before it was kept. */
  readonly signingKeyId?: number;
  /** Whose key that is. Absent: signed before it was kept. */
  readonly signingIssuerCode?: number;
  /** The barcode's bytes, sealed. */
  readonly sealedBarcode: Uint8Array;
  /** Where the PDF is, or will be as soon as it is rendered. */
  readonly pdfKey: string;
}

export interface TicketGroup {
  readonly id: TicketGroupId;
  readonly organisationId: OrganisationId;
  readonly distributionChannelId: DistributionChannelId;
  readonly orderId: OrderId;
  /** The version that the tickets were made from last. */
  readonly orderVersion: number;
  readonly orderLineId: OrderLineId;
  readonly updatedForOrderLineVersion: number;
  /** The order's contact, else who made it. */
  readonly orderOwnerCustomerId?: CustomerNumber;
  /** Who holds the tickets now, after a transfer. */
  readonly distributionHolderCustomerId?: CustomerNumber;
  /** The traveller whose place the new holder has taken. */
  readonly holderTravellerId?: TravellerId;
  readonly transferable: boolean;
  readonly currency: string;
  /** When the line was confirmed first: the last start of validity counts from then. */
  readonly soldAt: Date;
  /** Absent: the tickets start as the line was sold, or were moved before this was kept. */
  readonly movedStart?: MovedStart;
  /** When a party began to give tickets of the line back: what it had begun before to disable has no effect any more. */
  readonly givenBackSince?: Date;
  /** Reissues that callers have asked for; each is one workflow. */
  readonly reissues: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Replaced ones stay. */
  readonly ticketDistributions: readonly Distribution[];
}
