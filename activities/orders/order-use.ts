/** What tickets write on orders: that a line was used, or its start moved. Repeated, it changes nothing. Provided by the manifest. */
import { noteMovedStart, type ToldStart } from '../../workflows/orders/rules/moved-start.ts';
import { noteUse } from '../../workflows/orders/rules/use.ts';
import type { OrderId, OrderLineId, OrganisationId } from '../../workflows/shared/ids.ts';
import type { OrderUseAccess, ProcessWork } from '../shared/orders.ts';
import type { OrderStore } from './order-store.ts';

export class OrderUseWriter implements OrderUseAccess {
  readonly #orders: Pick<OrderStore, 'change'>;

  constructor(orders: Pick<OrderStore, 'change'>) {
    this.#orders = orders;
  }

  async noteUse(
    organisationId: OrganisationId,
    orderId: OrderId,
    use: { readonly orderLineId: OrderLineId; readonly usedAt: Date },
    work: ProcessWork,
  ): Promise<void> {
    await this.#orders.change(organisationId, orderId, workOf(work), (order, now) => noteUse(order, use, now));
  }

  async noteMovedStart(
    organisationId: OrganisationId,
    orderId: OrderId,
    start: ToldStart,
    work: ProcessWork,
  ): Promise<void> {
    await this.#orders.change(organisationId, orderId, workOf(work), (order, now) => noteMovedStart(order, start, now));
  }
}

/** Each note removes its own condition, so it needs no work id. */
function workOf({ correlationId, clientId, causationId }: ProcessWork): ProcessWork {
  return { correlationId, clientId, ...(causationId !== undefined && { causationId }) };
}
