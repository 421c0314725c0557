/** What the stores of orders take and answer. Types only. */
import type { Connection } from 'mongoose';
import type { EventEnvironment } from '../../platform/events/outbox.ts';
import type { Logger } from '../../platform/log.ts';
import type { SubjectKeys } from '../../platform/personal/subject-keys.ts';
import type { Order, SealedText } from '../../workflows/orders/rules/order.ts';
import type { OrderChange } from '../../workflows/orders/rules/order-change.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import type { OrderWork } from '../shared/orders.ts';
import type { SeatKeeper } from '../shared/seating.ts';

/** `ANY`: orders of every organisation. */
export type Tenancy = OrganisationId | 'ANY';

export interface OrderStoreOptions {
  readonly connection: Connection;
  readonly environment: EventEnvironment;
  /** Absent in processes that read and write no free text. */
  readonly keys?: SubjectKeys;
  /** Told of seats right after the write; what fails, or where it is absent, is left to the sweep. */
  readonly seats?: () => Pick<SeatKeeper, 'confirm' | 'release'>;
  readonly log: Logger;
  readonly now?: () => Date;
}

/** Free texts, opened. Empty once they are erased. */
export interface OrderTexts {
  readonly causeDescription?: string;
  readonly cancelReason?: string;
  readonly feeReasons: ReadonlyMap<string, string>;
}

export interface StoredOrder {
  readonly order: Order;
  /** Every write raises it. */
  readonly revision: number;
  readonly texts: OrderTexts;
}

/** Where a text stands: it opens nowhere else. `fee/<id>` is the reason of that fee. */
export type TextPlace = 'cause' | 'cancel-reason' | `fee/${string}`;
export type SealText = (place: TextPlace, text: string) => SealedText;

/** Without a work id the change removes its own condition, so that a repeat finds nothing to do. */
export type ChangeWork = Omit<OrderWork, 'workId'> & Partial<Pick<OrderWork, 'workId'>>;

export interface Decided extends OrderChange {
  /** A workflow must be started because of this write; false: none must be any more. */
  readonly pendingStart?: boolean;
  /** The order's key was destroyed. */
  readonly textsErased?: boolean;
}

/**
 * Pure: it is called again when another writer came first. It answers the order itself for no change, and refuses by
 * throwing. `now` is the time of the write.
 */
export type Decide = (order: Order, now: Date, seal: SealText) => Decided;

export interface ChangeOptions {
  /** The caller's `If-Match`: throws REVISION_CONFLICT for another state than the caller has seen. */
  readonly ifMatch?: ((state: OrderState) => void) | undefined;
  /** `decide` seals texts: the order's key is opened, or made. */
  readonly seals?: true;
}

/** As the ETag names it. */
export interface OrderState {
  readonly version: number;
  readonly revision: number;
}
