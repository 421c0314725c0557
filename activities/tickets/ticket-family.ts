/** The events of tickets. Their key is the order: readers get those of one order in their order. Callers: the store, the manifest. */
import type { EventFamily } from '../../platform/events/event-family.ts';
import type { TicketGroupDocument } from './ticket-group-document.ts';

export const TICKET_EVENTS: EventFamily<Pick<TicketGroupDocument, '_id' | 'orderId' | 'organisationId'>> = {
  aggregate: 'ticket-distribution-group',
  topic: 'ticket-distribution-events',
  source: '/sales/ticket-distribution',
  typePrefix: 'service.ticket-distribution',
  // Readers from before `meta` find the same here.
  flatMeta: 'metaData',
  describe: ({ _id, orderId, organisationId }) => ({
    aggregateId: _id,
    key: orderId,
    organisationId,
    ids: { orderId },
  }),
};
