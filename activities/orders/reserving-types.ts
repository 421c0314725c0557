/** Between the handlers of the API and reserving. Types only. */
import type { WantedChange, WantedOffer } from '../../workflows/orders/rules/reserving/wanted-offer.ts';
import type {
  DistributionChannelId,
  OrderId,
  OrderLineId,
  OrganisationId,
  ReservationId,
} from '../../workflows/shared/ids.ts';
import type { CustomerReader } from '../shared/customers.ts';
import type { FareReader } from '../shared/fares.ts';
import type { OfferReader } from '../shared/offers.ts';
import type { OrderWork } from '../shared/orders.ts';
import type { SeatKeeper } from '../shared/seating.ts';
import type { OrderStore } from './order-store.ts';
import type { OrderState, StoredOrder, Tenancy } from './order-types.ts';

export interface ReservingDependencies {
  readonly orders: OrderStore;
  readonly offers: OfferReader;
  readonly seating: Pick<SeatKeeper, 'hold' | 'giveBack'>;
  readonly fares: FareReader;
  readonly customers: CustomerReader;
  readonly now: () => Date;
  /** Shorter in tests. */
  readonly budgetMs?: number | undefined;
}

/** The channel that sells: of the request's header. */
export interface ReservingChannel {
  readonly id: DistributionChannelId;
  readonly currency: string;
}

interface Requested {
  readonly tenancy: Tenancy;
  readonly work: OrderWork;
  /** The caller's `If-Match`. */
  readonly ifMatch?: ((state: OrderState) => void) | undefined;
}

export interface ReserveRequest extends Requested {
  /** Of a new order. */
  readonly organisationId: OrganisationId;
  readonly channel: ReservingChannel;
  readonly pos?: string;
  /** Absent: an order is created. */
  readonly orderId?: OrderId;
  readonly wanted: readonly WantedOffer[];
  /** Ids that the new lines get. */
  readonly lineIds?: readonly OrderLineId[];
}

export interface ChangeRequest extends Requested {
  readonly channelId: DistributionChannelId;
  readonly orderId: OrderId;
  readonly changes: readonly WantedChange[];
  readonly refundPriceDifference: boolean;
}

export interface SupplementRequest extends Requested {
  readonly orderId: OrderId;
  readonly supplements: readonly {
    readonly orderLineId: OrderLineId;
    readonly selectableProductIds: readonly string[];
  }[];
}

export interface Reserved {
  readonly stored: StoredOrder;
  /** Made or changed by the request. */
  readonly orderLineIds: readonly OrderLineId[];
  readonly reservationIds: readonly ReservationId[];
}
