/** The events of an order, from its first on. */
import { cloudEvent } from '../../platform/events/cloud-event.ts';
import { toSearchPage } from '../../platform/mongo/search-filter.ts';
import type { Operation } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import type { OrdersDependencies } from './dependencies.ts';
import { targetOf, tenancyOf } from './requests.ts';

const DEFAULT_PER_PAGE = 25;

export function createHistory({
  orders,
  history,
}: Pick<OrdersDependencies, 'orders' | 'history'>): Operation<Operations['listOrderEvents']> {
  return async (context) => {
    const { page = 1, perPage = DEFAULT_PER_PAGE } = context.query;
    // The outbox is read before the history, so that no event falls between them.
    const { outbox, sequence } = await orders.getOutbox(...targetOf(context));
    const events = await history.list({
      organisationId: tenancyOf(context.caller),
      aggregate: `order/${context.path.orderId}`,
      pending: outbox,
      after: (page - 1) * perPage,
      limit: perPage,
    });
    return { status: 200, json: toSearchPage({ page, perPage }, events.map(cloudEvent), sequence) };
  };
}
