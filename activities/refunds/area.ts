/** The manifest of the refunds area: what customers get back of orders that are confirmed. */
import { defineArea } from '../../platform/area.ts';
import { REFUND_EVENT_TYPES } from '../../workflows/refunds/rules/refund-events.ts';
import { ORDER_ID, ORGANISATION_ID, SALES_STATE } from '../../workflows/shared/search-attributes.ts';
import { REFUNDS_COLLECTION } from './refund-document.ts';
import { provideRefunds } from './refunds-parts.ts';

export const refundsArea = defineArea({
  name: 'refunds',
  servedBy: 'api',
  collections: [
    {
      definition: REFUNDS_COLLECTION,
      outbox: true,
      uses: {
        api: ['find', 'insert', 'update'],
        // Money of drafts that expire.
        'sales-orders-worker': ['find', 'insert', 'update'],
        // Money of captures whose orders cannot be confirmed.
        'sales-payments-worker': ['find', 'insert', 'update'],
      },
    },
  ],
  topics: [{ name: 'refund-events', key: 'orderId', events: REFUND_EVENT_TYPES }],
  searchAttributes: [ORDER_ID, ORGANISATION_ID, SALES_STATE],
  dashboardRows: ['Refunds'],
  // Its workflow and activities run in `sales-orders-worker`: REFUNDS_WORK.
  provide: provideRefunds,
});
