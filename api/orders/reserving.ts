/** The operations of reserving and changing, in a document of their own. */

import { changeOrder } from '../../activities/orders/changing.ts';
import { reserveOffers } from '../../activities/orders/reserving.ts';
import { Budget } from '../../activities/orders/reserving-budget.ts';
import type { Reserved } from '../../activities/orders/reserving-types.ts';
import { listChangeOptions, supplementOrder } from '../../activities/orders/supplementing.ts';
import type { DistributionChannelId, OrderLineId } from '../../workflows/shared/ids.ts';
import { plainUuid } from '../../workflows/shared/uuid.ts';
import type { OperationContext, TypedArea } from '../shared/operation.ts';
import { presentPrice } from '../shared/prices.ts';
import type { OrdersDependencies } from './dependencies.ts';
import { headOf } from './replies.ts';
import { ifMatchOf, posOf, targetOf, tenancyOf, type WriteRequest, workOf } from './requests.ts';
import type { Operations } from './reserve-offers.contract.gen.ts';
import { readChanges, readOffers, readSupplements } from './reserving-requests.ts';

export function createReservingArea(dependencies: OrdersDependencies): TypedArea<Operations> {
  const { orders, reserving, catalogue } = dependencies;
  const supplementing = { ...reserving, catalogue };
  const orderOf = (context: Pick<OperationContext<Operations['getChangeOptions']>, 'path' | 'caller'>) =>
    targetOf(context);
  return {
    name: 'reserve-offers',
    document: new URL('./reserve-offers.openapi.yaml', import.meta.url),
    operations: {
      reserveOffers: async (context) => {
        const { body, caller, channel } = context;
        const wanted = readOffers(body.offerConfigurations);
        const request = {
          ...(await commonOf(context)),
          organisationId: caller.organisationId,
          channel: { id: channel.id as DistributionChannelId, currency: channel.currency },
          ...posOf(context),
          ...(body.orderId !== undefined && { orderId: body.orderId }),
          wanted,
          ...(body.orderLineIds && { lineIds: body.orderLineIds.map((id) => plainUuid(id) as OrderLineId) }),
        };
        return await inTime(context, dependencies, (budget) => reserveOffers(reserving, request, budget));
      },
      updateOrder: async (context) => {
        const { orderId, changeOfferConfigurations, refundPriceDifference = false } = context.body;
        const channelId = context.channel.id as DistributionChannelId;
        const changes = readChanges(changeOfferConfigurations);
        const request = { ...(await commonOf(context)), orderId, channelId, changes, refundPriceDifference };
        return await inTime(context, dependencies, (budget) => changeOrder(reserving, request, budget));
      },
      addSupplementProducts: async (context) => {
        const { orderId, supplementProducts } = context.body;
        const request = { ...(await commonOf(context)), orderId, supplements: readSupplements(supplementProducts) };
        return await inTime(context, dependencies, (budget) => supplementOrder(supplementing, request, budget));
      },
      getChangeOptions: async (context) => {
        const [tenancy, orderId] = orderOf(context);
        const { stored, lines } = await listChangeOptions(supplementing, tenancy, orderId);
        const { currency } = stored.order;
        const orderLines = lines.map(({ orderLineId, options, reason }) => ({
          orderLineId,
          reason,
          options: options.map(({ type, fee, until }) => ({
            type,
            fee: fee && presentPrice(fee, currency),
            until: until.toISOString(),
          })),
        }));
        return { status: 200, headers: headOf(stored).headers, json: { orderId, orderLines } };
      },
    },
    finds: { getChangeOptions: async (request) => await orders.require(...orderOf(request)) },
  };
}

async function commonOf(context: WriteRequest) {
  return { tenancy: tenancyOf(context.caller), work: await workOf(context), ifMatch: ifMatchOf(context) };
}

async function inTime(
  { headers: given }: WriteRequest,
  { reserving }: Pick<OrdersDependencies, 'reserving'>,
  work: (budget: Budget) => Promise<Reserved>,
) {
  const budget = new Budget({ ms: reserving.budgetMs, isJoinable: given['idempotency-key'] !== undefined });
  const { stored, orderLineIds, reservationIds } = await budget.within(work(budget));
  const { headers } = headOf(stored);
  return { status: 200 as const, headers, json: { orderId: stored.order.id, orderLineIds, reservationIds } };
}
