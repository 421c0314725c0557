/** The fees of an order. */

import { workItemId } from '../../platform/aggregate/work-item-id.ts';
import { addFee, removeFee } from '../../workflows/orders/rules/fees.ts';
import type { OrderLineId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { plainUuid } from '../../workflows/shared/uuid.ts';
import { idsOf } from '../shared/id-lists.ts';
import type { Handlers } from '../shared/operation.ts';
import { readPrice } from '../shared/prices.ts';
import type { Operations } from './contract.gen.ts';
import type { OrdersDependencies } from './dependencies.ts';
import { presentFee } from './present-order.ts';
import { headOf } from './replies.ts';
import { assertMayReduce, ifMatchOf, targetOf, workOf } from './requests.ts';

type FeeOperations = Pick<Operations, 'addFee' | 'deleteFee'>;

export function createFeeOperations({ orders }: Pick<OrdersDependencies, 'orders'>): Handlers<FeeOperations> {
  return {
    addFee: async (context) => {
      const { type, price, reason, orderLineIds = [], orderVersion } = context.body;
      assertMayReduce(context.caller, [context.body]);
      const work = await workOf(context);
      const id = workItemId(work.workId, 'fee');
      const stored = await orders.change(
        ...targetOf(context),
        work,
        (order, now, seal) => {
          const fee = {
            id,
            type,
            price: readPrice(price, order.currency, '/price'),
            reason: seal(`fee/${id}`, reason),
            orderLineIds: idsOf<OrderLineId>(orderLineIds),
            ...(orderVersion !== undefined && { orderVersion }),
          };
          return addFee(order, { fee }, now);
        },
        { ifMatch: ifMatchOf(context), seals: true },
      );
      const fee = stored.order.fees.find((each) => each.id === id);
      if (!fee) throw new ServiceError('NOT_FOUND', 'The fee has been removed since.');
      return { status: 201, ...headOf(stored), json: presentFee(fee, stored.order.currency, stored.texts) };
    },
    deleteFee: async (context) => {
      const feeId = plainUuid(context.path.feeId);
      const work = await workOf(context);
      const options = { ifMatch: ifMatchOf(context) };
      const stored = await orders.change(
        ...targetOf(context),
        work,
        (order, now) => removeFee(order, { feeId }, now),
        options,
      );
      return { status: 204, headers: headOf(stored).headers };
    },
  };
}
