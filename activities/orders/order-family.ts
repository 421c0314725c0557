/** The events of orders, single ones and collections, in one sequence. Callers: the store, the manifest. */
import type { EventFamily } from '../../platform/events/event-family.ts';
import { COLLECTION_EVENTS } from '../../workflows/orders/rules/order-events.ts';
import type { OrderDocument } from './order-document.ts';

export const ORDER_EVENTS: EventFamily<Pick<OrderDocument, '_id' | 'organisationId'>> = {
  aggregate: 'order',
  topic: 'order-events',
  otherTopics: [{ topic: 'order-event-collections', types: COLLECTION_EVENTS }],
  source: '/sales/order',
  typePrefix: 'service.order',
  describe: ({ _id, organisationId }) => ({ aggregateId: _id, key: _id, organisationId, ids: { orderId: _id } }),
};
