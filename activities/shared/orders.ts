/**
 * What other areas ask of orders. Provided by the orders area. Types, and the key of the interface.
 */
import { interfaceKey } from '../../platform/interfaces.ts';
import type { SettledOrder } from '../../workflows/books/rules/difference.ts';
import type { SoldLeg } from '../../workflows/offers/rules/offer.ts';
import type { CompensatedDraft, EndedCompensation } from '../../workflows/orders/rules/compensation.ts';
import type { ToldStart } from '../../workflows/orders/rules/moved-start.ts';
import type { DisruptionCause, Order, PaymentRef } from '../../workflows/orders/rules/order.ts';
import type { DecidedDraft, OwedDraft } from '../../workflows/orders/rules/owed-draft.ts';
import type { Refunding } from '../../workflows/orders/rules/refunding.ts';
import type {
  CustomerNumber,
  DistributionChannelId,
  OrderId,
  OrderLineId,
  OrganisationId,
  PaymentPageId,
  RefundId,
  ReservationId,
} from '../../workflows/shared/ids.ts';
import type { JournalEntry } from '../../workflows/shared/journal-entry.ts';

export interface OrderWork {
  readonly workId: string;
  readonly correlationId: string;
  /** The caller: of the token, or the process that works by itself. */
  readonly clientId: string;
  /** Id of the event that caused this work. */
  readonly causationId?: string;
}

export interface ChosenSeat {
  readonly carriageNumber: string;
  readonly seatNumber: string;
}

export interface OrderAccess {
  /** Throws NOT_FOUND, also for an order of another organisation. `ANY`: of every organisation. */
  get(organisationId: OrganisationId | 'ANY', orderId: OrderId): Promise<Order>;
  /** Reservations of the order's draft and of its confirmed version. Empty when it is unknown. */
  listReserved(orderId: OrderId): Promise<ReadonlySet<ReservationId>>;
  /**
   * Moves one reservation to another seat: holds the new seat, writes the order with `ReservationUpdated`, frees the old
   * one. Without an effect where the traveller has the seat already. Throws SEAT_UNAVAILABLE, INVALID_STATE where the order
   * does not have the reservation any more, and what a write of content throws.
   */
  moveSeat(
    organisationId: OrganisationId | 'ANY',
    orderId: OrderId,
    reservationId: ReservationId,
    seat: ChosenSeat,
    work: OrderWork,
  ): Promise<Order>;
}

/** Names the party that holds an order's lock: the id of its workflow. */
export interface LockedWork extends ProcessWork {
  readonly lockOwner: string;
}

export interface CaptureLock extends LockedWork {
  /** `<day>/<rrn>` of the money of another system that the owner enters: no other order of the organisation takes it. */
  readonly importKey?: string;
}

/** How the owner of a lock begins. */
export type LockKind = 'capture' | 'payment-import' | 'refund' | 'order-confirmation' | 'order-reset';

export interface HeldLock {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  readonly owner: string;
  /** That pays money of the draft back. */
  readonly compensation?: RefundId;
}

/** Each write removes its own condition, so it may be repeated without a work id. */
export type ProcessWork = Omit<OrderWork, 'workId'>;

/** The writes of payments and payment pages. Provided by the orders area. */
export interface OrderMoneyAccess {
  /**
   * Locks the draft of this version for a capture. Repeatable by its owner; a lock that enters money begins anew. Throws
   * NOT_FOUND, ORDER_LOCKED, ORDER_EXPIRED, INVALID_STATE, DUPLICATE_TRANSACTION for money that was entered before, and
   * what a confirmation throws apart from the balance: nothing is locked then.
   */
  lockForCapture(
    organisationId: OrganisationId,
    orderId: OrderId,
    orderVersion: number,
    work: CaptureLock,
  ): Promise<Order>;
  /** All locks of the kind since before this time, in pages: whose they are may be lost. */
  pagesOfLocked(kind: LockKind, before: Date): AsyncIterable<readonly HeldLock[]>;
  /** Without an effect where another one holds the lock, or nobody. */
  unlock(organisationId: OrganisationId, orderId: OrderId, work: LockedWork): Promise<void>;
  /** The payment as it is now. No state and no lock refuses it; a late note changes nothing. */
  notePayment(organisationId: OrganisationId, orderId: OrderId, payment: PaymentRef, work: ProcessWork): Promise<Order>;
  /** One conditional write that ends the lock. Throws what a confirmation throws; a confirmed version stays as it is. */
  confirm(organisationId: OrganisationId, orderId: OrderId, orderVersion: number, work: LockedWork): Promise<Order>;
  /**
   * Locks a draft that owes exactly this amount back, which an operator has decided on. Repeatable by its owner. Throws ORDER_LOCKED,
   * INVALID_STATE, and what a confirmation throws apart from the balance.
   */
  lockOwed(organisationId: OrganisationId, orderId: OrderId, draft: OwedDraft, work: LockedWork): Promise<void>;
  /** Confirms it, with what is given up as a fee. Without an effect where the owner does not hold the lock. */
  confirmDecided(
    organisationId: OrganisationId,
    orderId: OrderId,
    draft: DecidedDraft,
    work: LockedWork,
  ): Promise<void>;
  /** Ends a draft whose money was credited: the order expires, or goes back to its last confirmed version. */
  abandonDraft(
    organisationId: OrganisationId,
    orderId: OrderId,
    orderVersion: number,
    work: LockedWork,
  ): Promise<Order>;
  /**
   * The draft lives until then at least, but not past the departure of a held seat. Never lowered. Without an effect on an
   * order that is no draft, or is locked. Throws ORDER_EXPIRED for a draft that is due.
   */
  raiseExpireAt(organisationId: OrganisationId, orderId: OrderId, expireAt: Date, work: ProcessWork): Promise<Order>;
  /**
   * The page of the draft is open, or closed. Throws INVALID_STATE where another page is attached, ORDER_LOCKED, and what a
   * write of an ended order throws; closing is never refused.
   */
  attachPaymentPage(
    organisationId: OrganisationId,
    orderId: OrderId,
    change: { readonly pageId: PaymentPageId; readonly attached: boolean; readonly expireAt?: Date },
    work: ProcessWork,
  ): Promise<Order>;
}

/** What tickets write on orders. Provided by the orders area. */
export interface OrderUseAccess {
  /** The first use counts. No state and no lock refuses it. Throws NOT_FOUND. */
  noteUse(
    organisationId: OrganisationId,
    orderId: OrderId,
    use: { readonly orderLineId: OrderLineId; readonly usedAt: Date },
    work: ProcessWork,
  ): Promise<void>;
  /** The last move counts. No state and no lock refuses it. Throws NOT_FOUND. */
  noteMovedStart(organisationId: OrganisationId, orderId: OrderId, start: ToldStart, work: ProcessWork): Promise<void>;
}

/** A journey on a day, as the timetable named it when a ride on it was sold. */
export interface SoldJourney {
  readonly serviceDay: string;
  readonly datedServiceJourneyId: string;
}

/** A ride of an order line. */
export interface SoldRide {
  readonly leg: SoldLeg;
  /** The ride that follows on the line. */
  readonly next?: SoldLeg;
}

/** What a source of timetables tells orders, planned or in real time. Provided by the orders area. */
export interface OrderDisruptionAccess {
  /**
   * Marks each line, sold or in a draft, whose future ride on the journey is disrupted. `causeOf` is asked once for each different ride;
   * undefined: it runs as it was sold. Repeatable. Answers how many lines were marked now.
   */
  disrupt(
    journey: SoldJourney,
    causeOf: (ride: SoldRide) => Promise<DisruptionCause | undefined>,
    work: ProcessWork,
  ): Promise<number>;
}

/** What refunds write on orders. Provided by the orders area. */
export interface OrderRefundAccess {
  /**
   * Repeatable by its owner. Answers the version that the refund makes. Throws NOT_FOUND, INVALID_STATE, ORDER_LOCKED,
   * UNKNOWN_ORDER_LINE: nothing is locked then.
   */
  lockForRefund(
    organisationId: OrganisationId,
    orderId: OrderId,
    refunding: Refunding,
    work: LockedWork,
  ): Promise<number>;
  /** Without an effect where another one holds the lock, or nobody. */
  unlock(organisationId: OrganisationId, orderId: OrderId, work: LockedWork): Promise<void>;
  /** All locks of the kind since before this time, in pages. */
  pagesOfLocked(kind: LockKind, before: Date): AsyncIterable<readonly HeldLock[]>;
  /** One write that confirms the version and ends the lock. The order knows before what was credited. Repeatable. */
  refundLines(organisationId: OrganisationId, orderId: OrderId, refunding: Refunding, work: LockedWork): Promise<void>;
  /** All locks since before this time of drafts whose money is paid back, in pages. */
  pagesOfCompensated(before: Date): AsyncIterable<readonly HeldLock[]>;
  /**
   * Before money of the draft is paid back: nobody confirms or unlocks it until the refund ends. Repeatable. Throws INVALID_STATE where
   * the draft has ended or is in other hands; UNAVAILABLE while another refund has marked it.
   */
  markCompensated(
    organisationId: OrganisationId,
    orderId: OrderId,
    draft: CompensatedDraft,
    work: LockedWork,
  ): Promise<void>;
  /** The refund has ended: its mark goes, and its lock. Repeatable. */
  releaseCompensated(
    organisationId: OrganisationId,
    orderId: OrderId,
    refundId: RefundId,
    work: LockedWork,
  ): Promise<void>;
  /** Takes the lock of a draft over whose money an operator decides on. Repeatable. Throws ORDER_LOCKED. */
  holdCompensated(
    organisationId: OrganisationId,
    orderId: OrderId,
    draft: CompensatedDraft,
    work: LockedWork,
  ): Promise<void>;
  /** Ends the draft, its lock and the mark. The mark alone where another one holds the lock. Repeatable. */
  endCompensated(
    organisationId: OrganisationId,
    orderId: OrderId,
    ended: EndedCompensation,
    work: LockedWork,
  ): Promise<void>;
}

export interface NewPenalty {
  readonly distributionChannelId: DistributionChannelId;
  readonly currency: string;
  readonly amountMinor: number;
  /** The contact of the order. */
  readonly customerNumber?: CustomerNumber;
}

/** Orders that are claims: one fee of the type PENALTY, which waits until it is paid. Provided by the orders area. */
export interface OrderPenaltyAccess {
  /** The same order for every repeat of the work. */
  createPenalty(organisationId: OrganisationId, penalty: NewPenalty, work: OrderWork): Promise<Order>;
  /** Those whose work ids begin so, and that wait still. */
  listPenalties(organisationId: OrganisationId, workIdsBegin: string): Promise<readonly OrderId[]>;
  /** Of all organisations, in pages: those that this area has made before that time, and that wait still. */
  pagesOfPenalties(before: Date): AsyncIterable<readonly Pick<Order, 'organisationId' | 'id'>[]>;
  /** Without an effect on an order that is not a draft any more. Its transactions have ended before. */
  cancelPenalty(organisationId: OrganisationId, orderId: OrderId, work: ProcessWork): Promise<Order>;
}

/** A version as it was confirmed or imported. */
export interface SoldVersion {
  readonly organisationId: OrganisationId;
  /** Absent where it costs exactly what the version before did. */
  readonly entry?: JournalEntry;
}

/** What the ledger asks of orders. Provided by the orders area. */
export interface OrderBooks {
  /** Undefined where there is no such confirmed version. */
  findSold(orderId: OrderId, version: number): Promise<SoldVersion | undefined>;
  /** Those of them that are CONFIRMED and not locked. */
  listSettled(orderIds: readonly OrderId[]): Promise<readonly SettledOrder[]>;
}

export const ORDER_BOOKS = interfaceKey<OrderBooks>('order-books');

export const ORDER_PENALTIES = interfaceKey<OrderPenaltyAccess>('order-penalties');

export const ORDER_MONEY = interfaceKey<OrderMoneyAccess>('order-money');

export const ORDER_REFUNDS = interfaceKey<OrderRefundAccess>('order-refunds');

export const ORDER_DISRUPTIONS = interfaceKey<OrderDisruptionAccess>('order-disruptions');

export const ORDER_USE = interfaceKey<OrderUseAccess>('order-use');

export const ORDERS = interfaceKey<OrderAccess>('orders');
