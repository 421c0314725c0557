/** What the operations of orders are made of. */
import type { OrderSearch } from '../../activities/orders/order-search.ts';
import type { OrderStore } from '../../activities/orders/order-store.ts';
import type { ReservingDependencies } from '../../activities/orders/reserving-types.ts';
import type { WithdrawnTickets } from '../../activities/orders/withdrawing.ts';
import type { CatalogueReader } from '../../activities/shared/catalogue.ts';
import type { CustomerReader } from '../../activities/shared/customers.ts';
import type { EventHistory } from '../../activities/shared/event-history.ts';
import type { FareReader } from '../../activities/shared/fares.ts';
import type { OrderPayments } from '../../activities/shared/order-payments.ts';
import type { RefundStates } from '../../activities/shared/refund-states.ts';
import type { TimetableReader } from '../../activities/shared/timetable.ts';

export interface OrdersDependencies {
  readonly orders: OrderStore;
  /** Undefined: no area provides payments. */
  readonly payments: () => OrderPayments | undefined;
  readonly tickets: () => WithdrawnTickets;
  /** Undefined: no area provides refunds. */
  readonly refunds: () => RefundStates | undefined;
  readonly now: () => Date;
  readonly search: OrderSearch;
  readonly history: EventHistory;
  readonly customers: CustomerReader;
  readonly catalogue: Pick<CatalogueReader, 'findDefaultChannel' | 'findChannel'>;
  readonly fares: FareReader;
  readonly timetable: Pick<TimetableReader, 'findJourney' | 'findConnections' | 'findStopPlaces'>;
  readonly reserving: ReservingDependencies;
}
