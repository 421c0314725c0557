/** Orders as a whole: create, read, search, confirm, cancel, reset. */
import { confirmFor } from '../../activities/orders/confirming.ts';
import type { StoredOrder } from '../../activities/orders/order-types.ts';
import { assertCustomers } from '../../activities/orders/reserving-checks.ts';
import { resetFor } from '../../activities/orders/resetting.ts';
import type { Logger } from '../../platform/log.ts';
import { toSearchPage } from '../../platform/mongo/search-filter.ts';
import { createOrder } from '../../workflows/orders/rules/creation.ts';
import { cancelOrder, hasNoOpenTransactions } from '../../workflows/orders/rules/endings.ts';
import type { DistributionChannelId } from '../../workflows/shared/ids.ts';
import { channelOrDefault } from '../shared/distribution-channel.ts';
import type { Handlers } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import type { OrdersDependencies } from './dependencies.ts';
import { contactOf } from './details.ts';
import { presentAsHeld } from './held-orders.ts';
import { presentOrder } from './present-order.ts';
import { createdOrderReply, orderReply } from './replies.ts';
import { ifMatchOf, posOf, targetOf, tenancyOf, workOf } from './requests.ts';
import { searchOf } from './search-requests.ts';
import { readTravellers } from './traveller-requests.ts';

type OrderOperations = Pick<
  Operations,
  'createOrder' | 'searchOrders' | 'getOrder' | 'confirmOrder' | 'cancelOrder' | 'resetOrder'
>;

export function createOrderOperations(dependencies: OrdersDependencies): Handlers<OrderOperations> {
  const { orders, search, refunds } = dependencies;
  return {
    createOrder: createHandler(dependencies),
    searchOrders: async ({ caller, search: given }) => {
      const { items, totalItems } = await search.search(tenancyOf(caller), searchOf(given));
      const presented = await presentAsHeld(refunds(), tenancyOf(caller), items);
      return { status: 200, json: toSearchPage(given, presented, totalItems) };
    },
    getOrder: async (context) => {
      const target = targetOf(context);
      const { version } = context.query;
      if (version !== undefined) return orderReply(await orders.getVersion(...target, version));
      const stored = await orders.get(...target);
      const [json = presentOrder(stored)] = await presentAsHeld(refunds(), target[0], [stored]);
      return { ...orderReply(stored), json };
    },
    confirmOrder: async (context) => {
      const { orderVersion, creditBalance } = context.body;
      const wanted = {
        orderVersion,
        ...(creditBalance !== undefined && { creditBalance }),
        ...(context.settlementId !== undefined && { settlementId: context.settlementId }),
        ifMatch: ifMatchOf(context),
      };
      const work = await workOf(context);
      const [tenancy, orderId] = targetOf(context);
      // A settlement counts money of its own organisation alone, which is the caller's.
      const owner = context.settlementId === undefined ? tenancy : context.caller.organisationId;
      const confirmed = await confirmFor(dependencies, owner, orderId, work, wanted);
      if (!hasNoOpenTransactions(confirmed.order)) {
        await dependencies.payments()?.endNeedless(confirmed.order, work.correlationId);
      }
      return orderReply(confirmed);
    },
    cancelOrder: async (context) => {
      const reason = context.body?.reason;
      const work = await workOf(context);
      const options = { ifMatch: ifMatchOf(context), ...(reason !== undefined && { seals: true as const }) };
      const cancel = orders.change(
        ...targetOf(context),
        work,
        (order, now, seal) =>
          cancelOrder(order, reason === undefined ? {} : { reason: seal('cancel-reason', reason) }, now),
        options,
      );
      return orderReply(await withoutPayments(dependencies, await cancel, context.log));
    },
    resetOrder: async (context) => {
      const options = { ifMatch: ifMatchOf(context) };
      const work = await workOf(context);
      const [tenancy, orderId] = targetOf(context);
      return orderReply(await resetFor(dependencies, tenancy, orderId, work, options));
    },
  };
}

/** Nobody pays a cancelled order. What fails here has no effect later: every capture asks the order. */
async function withoutPayments(
  { orders, payments }: OrdersDependencies,
  cancelled: StoredOrder,
  log: Logger,
): Promise<StoredOrder> {
  const { organisationId, id: orderId, version } = cancelled.order;
  const provided = hasNoOpenTransactions(cancelled.order) ? undefined : payments();
  if (!provided) return cancelled;
  try {
    await provided.endOpenTransactions({ organisationId, orderId, version });
  } catch (error) {
    log.warn({ err: error, orderId }, 'transactions of a cancelled order are still open');
  }
  return await orders.get(organisationId, orderId);
}

function createHandler({
  orders,
  catalogue,
  customers,
  fares,
}: OrdersDependencies): Handlers<OrderOperations>['createOrder'] {
  return async (context) => {
    const { body, caller } = context;
    const { organisationId } = caller;
    const { id, currency } = await channelOrDefault(context, catalogue);
    const work = await workOf(context);
    const contact = contactOf(body.contactInfo ?? {});
    const travellers = await readTravellers(body.travellers ?? [], {
      fares,
      workId: work.workId,
      pointer: '/travellers',
    });
    const customerNumbers = travellers.map(({ customerNumber }) => customerNumber);
    await assertCustomers(customers, organisationId, [contact.createdBy, contact.contact, ...customerNumbers]);
    const { externalReference, specialOrderCause, expireAt } = body;
    const { causeCode, description } = specialOrderCause ?? {};
    const created = orders.create(
      organisationId,
      work,
      (orderId, now, seal) =>
        createOrder(
          {
            id: orderId,
            organisationId,
            distributionChannelId: id as DistributionChannelId,
            currency,
            ...posOf(context),
            ...contact,
            travellers,
            ...(externalReference !== undefined && { externalReference }),
            ...(causeCode !== undefined && { causeCode }),
            ...(description !== undefined && { causeDescription: seal('cause', description) }),
            ...(expireAt !== undefined && { expireAt: new Date(expireAt) }),
          },
          now,
        ),
      description === undefined ? {} : { seals: true },
    );
    return createdOrderReply(await created);
  };
}
