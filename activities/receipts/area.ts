/** The manifest of the receipts area: numbered receipts of what orders have cost, and their mails. */
import { defineArea } from '../../platform/area.ts';
import { ORDER_ID, ORGANISATION_ID } from '../../workflows/shared/search-attributes.ts';
import { RECEIPT_DOCUMENTS } from './receipt-document.ts';
import { provideReceipts } from './receipts-parts.ts';

export const receiptsArea = defineArea({
  name: 'receipts',
  servedBy: 'api',
  collections: [
    {
      definition: RECEIPT_DOCUMENTS,
      // Addresses that callers give for a mail, until it is settled.
      personal: true,
      uses: {
        api: ['find', 'insert', 'update'],
        'sales-documents-worker': ['find', 'insert', 'update'],
        'sales-customers-worker': ['find', 'update'],
      },
    },
  ],
  searchAttributes: [ORDER_ID, ORGANISATION_ID],
  dashboardRows: ['Receipts'],
  // Its workflow and activities run in `sales-documents-worker`: RECEIPTS_WORK.
  provide: provideReceipts,
  erasureSteps: async (base) => (await import('./receipt-erasure.ts')).receiptErasureSteps(base),
});
