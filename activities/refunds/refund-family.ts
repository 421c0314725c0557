/** The events of refunds. Their key is the order: readers get those of one order in their order. Callers: the store, the manifest. */
import type { EventFamily } from '../../platform/events/event-family.ts';
import type { RefundDocument } from './refund-document.ts';

export const REFUND_EVENTS: EventFamily<Pick<RefundDocument, '_id' | 'orderId' | 'organisationId'>> = {
  aggregate: 'refund',
  topic: 'refund-events',
  source: '/sales/refund',
  typePrefix: 'service.refund',
  describe: ({ _id, orderId, organisationId }) => ({
    aggregateId: _id,
    key: orderId,
    organisationId,
    ids: { orderId },
  }),
};
