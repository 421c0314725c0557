/** The manifest of the payments area: payments of orders with their transactions, and what is paid back. */
import { defineArea } from '../../platform/area.ts';
import { PAYMENT_EVENT_TYPES } from '../../workflows/payments/rules/payment-events.ts';
import { SETTLED_MONEY } from '../shared/settlements.ts';
import { CREDITS_COLLECTION } from './credit-document.ts';
import { INVOICES_COLLECTION } from './invoice-document.ts';
import { PAYMENTS_COLLECTION } from './payment-document.ts';
import { PaymentStore } from './payment-store.ts';

export const paymentsArea = defineArea({
  name: 'payments',
  servedBy: 'api',
  collections: [
    {
      definition: PAYMENTS_COLLECTION,
      outbox: true,
      // The phone number of an app claim, until the app was asked.
      personal: true,
      uses: {
        'sales-customers-worker': ['find', 'update'],
        api: ['find', 'insert', 'update'],
        'sales-payments-worker': ['find', 'insert', 'update'],
        'payment-page': ['find'],
      },
    },
    {
      definition: CREDITS_COLLECTION,
      uses: { api: ['find', 'insert', 'update'], 'sales-payments-worker': ['find', 'insert', 'update'] },
    },
    {
      definition: INVOICES_COLLECTION,
      personal: true,
      uses: { api: ['find', 'insert'], 'sales-customers-worker': ['find', 'update'] },
    },
  ],
  erasureSteps: async (base) => (await import('./payment-erasure.ts')).paymentErasureSteps(base),
  topics: [{ name: 'payment-events', key: 'orderId', events: PAYMENT_EVENT_TYPES }],
  roles: [
    {
      name: 'sales-payments-worker',
      title: 'Payments worker',
      port: 9108,
      weight: 'light',
      config: {},
      load: async () => (await import('./payments-role.ts')).paymentsRole,
    },
  ],
  provide: ({ mongo, eventEnvironment }, interfaces) => {
    interfaces.provide(SETTLED_MONEY, new PaymentStore({ connection: mongo, environment: eventEnvironment }));
  },
});
