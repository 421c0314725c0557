/** The events of payments. Their key is the order: readers get those of one order in their order. Callers: the store, the manifest. */
import type { EventFamily } from '../../platform/events/event-family.ts';
import type { PaymentDocument } from './payment-document.ts';

export const PAYMENT_EVENTS: EventFamily<Pick<PaymentDocument, '_id' | 'orderId' | 'organisationId'>> = {
  aggregate: 'payment',
  topic: 'payment-events',
  source: '/sales/payment',
  typePrefix: 'service.payment',
  describe: ({ _id, orderId, organisationId }) => ({
    aggregateId: _id,
    key: orderId,
    organisationId,
    ids: { orderId },
  }),
};
