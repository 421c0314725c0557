/** The manifest of the receipts area: numbered receipts of what orders have cost, and their mails. */
import { defineArea } from '../../platform/area.ts';
import { RECEIPTS_WORK } from '../shared/receipts-work.ts';
import { RECEIPT_DOCUMENTS } from './receipt-document.ts';

export const receiptsArea = defineArea({
  name: 'receipts',
  collections: [
    {
      definition: RECEIPT_DOCUMENTS,
      personal: true,
      uses: {
        api: ['find', 'insert', 'update'],
        'sales-documents-worker': ['find', 'insert', 'update'],
        'sales-customers-worker': ['find', 'update'],
      },
    },
  ],
  objects: [
    {
      prefix: 'receipts/',
      uses: { api: ['get'], 'sales-documents-worker': ['get', 'put'], 'sales-customers-worker': ['list', 'delete'] },
    },
  ],
  // Its workflows and activities run in `sales-documents-worker`.
  provide: (_base, interfaces) => interfaces.provide(RECEIPTS_WORK, { create: async () => ({ activities: {} }) }),
  erasureSteps: async () => [],
});
