/** The manifest of the payments area: payments of orders with their transactions, and what is paid back. */
import { defineArea } from '../../platform/area.ts';
import { SALES_PAYMENTS_QUEUE } from '../../workflows/payments/messages.ts';
import { PAYMENT_EVENT_TYPES } from '../../workflows/payments/rules/payment-events.ts';
import { PAYMENT_ID } from '../../workflows/payments/search-attributes.ts';
import { ORDER_ID, ORGANISATION_ID, SALES_STATE } from '../../workflows/shared/search-attributes.ts';
import { CALLBACKS_COLLECTION } from './client-callbacks.ts';
import { CREDITS_COLLECTION } from './credit-document.ts';
import { INVOICES_COLLECTION } from './invoice-document.ts';
import { PAYMENTS_COLLECTION } from './payment-document.ts';
import { paymentsWorkerShape } from './payments-config.ts';
import { providePayments } from './payments-parts.ts';
import { PROVIDER_REPORTS_COLLECTION } from './provider-reports.ts';

export const paymentsArea = defineArea({
  name: 'payments',
  servedBy: 'api',
  collections: [
    {
      definition: PAYMENTS_COLLECTION,
      outbox: true,
      // The phone number of an app claim, until the app was asked, and addresses that callers have given, both sealed.
      personal: true,
      uses: {
        'sales-customers-worker': ['find', 'update'],
        api: ['find', 'insert', 'update'],
        'sales-payments-worker': ['find', 'update'],
        'sales-orders-worker': ['find', 'insert', 'update'],
        'payment-pages-worker': ['find', 'insert', 'update'],
        'payment-page': ['find'],
        'books-worker': ['find'],
        // What has paid a version of an order.
        'sales-documents-worker': ['find'],
      },
    },
    {
      definition: CREDITS_COLLECTION,
      uses: {
        api: ['find', 'insert', 'update'],
        'sales-payments-worker': ['find', 'insert', 'update'],
        'sales-orders-worker': ['find', 'insert', 'update'],
        'sales-documents-worker': ['find'],
      },
    },
    {
      definition: INVOICES_COLLECTION,
      personal: true,
      uses: {
        api: ['find', 'insert'],
        'sales-customers-worker': ['find', 'update'],
        // Which claims have an invoice.
        'sales-payments-worker': ['find'],
      },
    },
    {
      definition: CALLBACKS_COLLECTION,
      // The address that a caller has given, sealed.
      personal: true,
      uses: { 'sales-customers-worker': ['find', 'update'], 'sales-payments-worker': ['find', 'insert', 'update'] },
    },
    { definition: PROVIDER_REPORTS_COLLECTION, uses: { api: ['find', 'insert', 'update'] } },
  ],
  erasureSteps: async (base) => (await import('./payment-erasure.ts')).paymentErasureSteps(base),
  topics: [{ name: 'payment-events', key: 'orderId', events: PAYMENT_EVENT_TYPES }],
  searchAttributes: [PAYMENT_ID, ORDER_ID, ORGANISATION_ID, SALES_STATE],
  dashboardRows: ['Payments'],
  roles: [
    {
      name: 'sales-payments-worker',
      title: 'Payments worker',
      port: 9108,
      weight: 'light',
      config: paymentsWorkerShape,
      queue: SALES_PAYMENTS_QUEUE,
      workflows: ['capture', 'credit'],
      versioning: 'PINNED',
      cachedWorkflows: 500,
      activitiesAtOnce: 50,
      load: async () => (await import('./payments-role.ts')).paymentsRole,
    },
  ],
  provide: providePayments,
});
