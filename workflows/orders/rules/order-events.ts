/**
 * The domain events of orders. Together they tell an order's lines and status: who replays them needs no other source.
 * They hold ids, versions and codes, never a free text. Types and their names.
 */
import type {
  CustomerNumber,
  DistributionChannelId,
  OrderLineId,
  ReservationId,
  TravellerId,
} from '../../shared/ids.ts';
import type { JournalEntry } from '../../shared/journal-entry.ts';
import type { DisruptionCause, FeeType, OrderLineStatus } from './order.ts';

interface OfVersion {
  readonly orderVersion: number;
}

/** What it means in the ledger; the store adds it (postings.ts), and readers do not get it. */
interface Entered {
  readonly entry?: JournalEntry;
}

interface OfLine extends OfVersion {
  readonly orderLineId: OrderLineId;
  readonly orderLineVersion: number;
}

export interface LineRef {
  readonly orderLineId: OrderLineId;
  readonly orderLineVersion: number;
}

type Created = OfVersion & { readonly distributionChannelId: DistributionChannelId; readonly currency: string };
type OfReservation = OfVersion & { readonly reservationId: ReservationId; readonly orderLineId: OrderLineId };
type OfFee = OfVersion & { readonly feeId: string; readonly feeType: FeeType };

export type SingleOrderEvent =
  | (Created & { readonly type: 'OrderCreated' })
  /** Created as CONFIRMED; its lines follow. */
  | (Created & Entered & { readonly type: 'OrderImported' })
  /** DRAFT lines are CONFIRMED, those in CANCELLATION_DRAFT are CANCELLED. */
  | (OfVersion & Entered & { readonly type: 'OrderConfirmed' })
  /** The order is as `orderVersion` was confirmed; `droppedVersion` is never used again. */
  | (OfVersion & { readonly type: 'OrderReset'; readonly droppedVersion: number })
  | (OfVersion & { readonly type: 'OrderCancelled' | 'OrderExpired' })
  | (OfVersion & { readonly type: 'OrderExpiredAtSet'; readonly timestamp: Date })
  | (OfVersion & {
      readonly type: 'OrderContactInformationUpdated';
      readonly createdBy?: CustomerNumber;
      readonly contact?: CustomerNumber;
    })
  | (OfVersion & { readonly type: 'OrderExternalReferenceUpdated' | 'SpecialOrderCauseRemoved' })
  | (OfVersion & { readonly type: 'SpecialOrderCauseAddedOrUpdated'; readonly causeCode: string })
  | (OfVersion & {
      readonly type: 'TravellerAdded' | 'TravellerUpdated' | 'TravellerRemoved';
      readonly travellerId: TravellerId;
    })
  | (OfFee & { readonly type: 'FeeAdded' | 'FeeRemoved' })
  | (OfReservation & { readonly type: 'ReservationAdded' | 'ReservationRemoved' })
  | (OfReservation & { readonly type: 'ReservationUpdated'; readonly replacedReservationId: ReservationId })
  /** `status`: CONFIRMED where the order is imported. */
  | (OfLine & { readonly type: 'OrderLineAdded'; readonly status: OrderLineStatus })
  /** The line is DRAFT. */
  | (OfLine & { readonly type: 'OrderLineUpdated' })
  /** The line is in CANCELLATION_DRAFT. */
  | (OfLine & { readonly type: 'OrderLineCancelled' })
  | (OfLine & { readonly type: 'OrderLineRemoved' })
  /** A journey of the line does not run as it was sold. Once for each cause; its version and status stay. */
  | (OfVersion & {
      readonly type: 'OrderLineDisrupted';
      readonly orderLineId: OrderLineId;
      readonly cause: DisruptionCause;
    });

/** Follow the single events of the same call. */
export interface OrderCollectionEvent extends OfVersion {
  readonly type: 'OrderLinesAdded' | 'OrderLinesRemoved' | 'OrderLinesCancelled';
  readonly orderLines: readonly LineRef[];
}

export type OrderEvent = SingleOrderEvent | OrderCollectionEvent;

/** Every type once; the type fails when one is missing. */
const SINGLE: { readonly [Type in SingleOrderEvent['type']]-?: true } = {
  OrderCreated: true,
  OrderImported: true,
  OrderConfirmed: true,
  OrderReset: true,
  OrderCancelled: true,
  OrderExpired: true,
  OrderExpiredAtSet: true,
  OrderContactInformationUpdated: true,
  OrderExternalReferenceUpdated: true,
  SpecialOrderCauseAddedOrUpdated: true,
  SpecialOrderCauseRemoved: true,
  TravellerAdded: true,
  TravellerUpdated: true,
  TravellerRemoved: true,
  FeeAdded: true,
  FeeRemoved: true,
  ReservationAdded: true,
  ReservationRemoved: true,
  ReservationUpdated: true,
  OrderLineAdded: true,
  OrderLineUpdated: true,
  OrderLineCancelled: true,
  OrderLineRemoved: true,
  OrderLineDisrupted: true,
};
export const SINGLE_EVENTS = Object.keys(SINGLE) as readonly SingleOrderEvent['type'][];

export const COLLECTION_EVENTS = ['OrderLinesAdded', 'OrderLinesRemoved', 'OrderLinesCancelled'] as const;

export function isCollectionEvent(event: OrderEvent): event is OrderCollectionEvent {
  return (COLLECTION_EVENTS as readonly string[]).includes(event.type);
}

export function lineRef({ id, version }: { readonly id: OrderLineId; readonly version: number }): LineRef {
  return { orderLineId: id, orderLineVersion: version };
}
