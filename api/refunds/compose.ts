/** Composes refunds for the API process. Callers: api/server.ts, by the area's name; tests. */

import { RefundSearch } from '../../activities/refunds/refund-search.ts';
import { type StartedRefund, startRefund, wakeRefund } from '../../activities/refunds/refund-start.ts';
import { RefundStore } from '../../activities/refunds/refund-store.ts';
import { Refunder } from '../../activities/refunds/refunder.ts';
import { RefundPlanning } from '../../activities/refunds/refunding.ts';
import { refundsShape } from '../../activities/refunds/refunds-config.ts';
import { AUDIT_TRAIL } from '../../activities/shared/audit.ts';
import { FARES } from '../../activities/shared/fares.ts';
import { ORDERS } from '../../activities/shared/orders.ts';
import { REFUND_MONEY } from '../../activities/shared/refund-money.ts';
import { SOLD_ORDERS } from '../../activities/shared/sold-orders.ts';
import { TICKETS } from '../../activities/shared/tickets.ts';
import type { AreaComposition } from '../shared/area-composition.ts';
import { createRefundsArea } from './routes.ts';

export const composition: AreaComposition = {
  config: refundsShape,
  compose: async ({ mongo, eventEnvironment, interfaces, temporal, readConfig }) => {
    const { REFUND_OVERRULE_CODES: overruleCodes } = readConfig(refundsShape);
    const now = () => new Date();
    const refunds = new RefundStore({ connection: mongo, environment: eventEnvironment, now });
    const orders = () => interfaces.get(ORDERS);
    const planning = new RefundPlanning({
      ...{ orders, now },
      sold: () => interfaces.get(SOLD_ORDERS),
      tickets: () => interfaces.get(TICKETS),
      fares: () => interfaces.get(FARES),
      money: () => interfaces.get(REFUND_MONEY),
    });
    const start = async (refund: StartedRefund) => await startRefund(temporal, refund);
    const refunder = new Refunder({ refunds, planning, start });
    return {
      area: createRefundsArea({
        ...{ refunds, refunder, planning, orders, overruleCodes },
        refundSearch: new RefundSearch(mongo),
        money: () => interfaces.get(REFUND_MONEY),
        wake: async (refund) => await wakeRefund(temporal, refund),
        audit: () => interfaces.get(AUDIT_TRAIL),
      }),
    };
  },
};
