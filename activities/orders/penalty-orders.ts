/** Orders that are claims, for other areas. Provided by the manifest. */
import { workItemId } from '../../platform/aggregate/work-item-id.ts';
import { createOrder } from '../../workflows/orders/rules/creation.ts';
import { cancelOrder } from '../../workflows/orders/rules/endings.ts';
import { addFee } from '../../workflows/orders/rules/fees.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import { unchanged } from '../../workflows/orders/rules/order-change.ts';
import type { OrderId, OrganisationId } from '../../workflows/shared/ids.ts';
import type { NewPenalty, OrderPenaltyAccess, OrderWork, ProcessWork } from '../shared/orders.ts';
import type { OrderStore } from './order-store.ts';

export class PenaltyOrders implements OrderPenaltyAccess {
  readonly #orders: Pick<OrderStore, 'create' | 'change' | 'listDraftsCreated' | 'pagesOfPenalties'>;

  constructor(orders: Pick<OrderStore, 'create' | 'change' | 'listDraftsCreated' | 'pagesOfPenalties'>) {
    this.#orders = orders;
  }

  async createPenalty(
    organisationId: OrganisationId,
    { customerNumber, amountMinor, ...facts }: NewPenalty,
    work: OrderWork,
  ): Promise<Order> {
    // No tax is contained in a penalty.
    const price = { amountMinor, taxMinor: 0 };
    const fee = { id: workItemId(work.workId, 'fee'), type: 'PENALTY' as const, price, orderLineIds: [] };
    const { order } = await this.#orders.create(organisationId, work, (id, now) => {
      const contact = customerNumber === undefined ? {} : { contact: customerNumber };
      const empty = createOrder({ id, organisationId, ...facts, ...contact }, now);
      const claim = addFee(empty.order, { fee }, now);
      return { order: claim.order, events: [...empty.events, ...claim.events] };
    });
    return order;
  }

  async listPenalties(organisationId: OrganisationId, workIdsBegin: string): Promise<readonly OrderId[]> {
    return await this.#orders.listDraftsCreated(organisationId, workIdsBegin);
  }

  pagesOfPenalties(before: Date) {
    return this.#orders.pagesOfPenalties(before);
  }

  async cancelPenalty(organisationId: OrganisationId, orderId: OrderId, work: ProcessWork): Promise<Order> {
    const { order } = await this.#orders.change(organisationId, orderId, work, (before, now) =>
      before.status === 'DRAFT' ? cancelOrder(before, {}, now) : unchanged(before),
    );
    return order;
  }
}
