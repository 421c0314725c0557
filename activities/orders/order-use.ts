/** What tickets write on orders: that a line was used. Repeated, it changes nothing. Provided by the manifest. */
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
    { correlationId, clientId, causationId }: ProcessWork,
  ): Promise<void> {
    const work = { correlationId, clientId, ...(causationId !== undefined && { causationId }) };
    await this.#orders.change(organisationId, orderId, work, (order, now) => noteUse(order, use, now));
  }
}
