/** The manifest of the orders area: orders, their confirmed versions, and how drafts end. */
import { defineArea } from '../../platform/area.ts';
import { SALES_ORDERS_QUEUE } from '../../workflows/orders/messages.ts';
import { COLLECTION_EVENTS, SINGLE_EVENTS } from '../../workflows/orders/rules/order-events.ts';
import { ORDER_ID, ORGANISATION_ID } from '../../workflows/shared/search-attributes.ts';
import { FARES } from '../shared/fares.ts';
import { ORDER } from '../shared/order-kind.ts';
import {
  ORDER_BOOKS,
  ORDER_DISRUPTIONS,
  ORDER_MONEY,
  ORDER_PENALTIES,
  ORDER_REFUNDS,
  ORDER_USE,
  ORDERS,
} from '../shared/orders.ts';
import { SEATING } from '../shared/seating.ts';
import { SOLD_ORDERS } from '../shared/sold-orders.ts';
import { DisruptedLines } from './disruption/disrupted-lines.ts';
import { COMPARED_JOURNEYS, JOURNEY_COMPARISONS } from './disruption/journey-comparisons.ts';
import { SoldJourneys } from './disruption/sold-journeys.ts';
import { OrderAccessor } from './order-access.ts';
import { StoredOrderBooks } from './order-books.ts';
import { ORDER_VERSIONS, ORDERS_COLLECTION } from './order-document.ts';
import { OrderMoneyWriter } from './order-money.ts';
import { OrderRefundWriter } from './order-refunds.ts';
import { OrderStore } from './order-store.ts';
import { OrderUseWriter } from './order-use.ts';
import { ordersRoleShape } from './orders-config.ts';
import { PenaltyOrders } from './penalty-orders.ts';
import { StoredSoldOrders } from './sold-orders.ts';

export const ordersArea = defineArea({
  name: 'orders',
  servedBy: 'api',
  collections: [
    {
      definition: ORDERS_COLLECTION,
      outbox: true,
      personal: true,
      uses: {
        api: ['find', 'insert', 'update'],
        'payment-page': ['find'],
        'payment-pages-worker': ['find', 'update'],
        'books-worker': ['find'],
        'sales-orders-worker': ['find', 'update'],
        'sales-payments-worker': ['find', 'update'],
        'sales-customers-worker': ['find', 'update'],
        // What is sold, and a note when a ticket is used.
        'sales-documents-worker': ['find', 'update'],
      },
    },
    {
      definition: ORDER_VERSIONS,
      personal: true,
      uses: {
        api: ['find', 'insert'],
        // An entry of the ledger that is missing is made again from the versions of its order.
        'books-worker': ['find'],
        'sales-documents-worker': ['find'],
        'sales-orders-worker': ['insert'],
        // Of an order that is sold, when a payment confirms what was added to it.
        'sales-payments-worker': ['insert'],
        'sales-customers-worker': ['find', 'update'],
      },
    },
    // After a restore everything is compared again.
    {
      definition: JOURNEY_COMPARISONS,
      leftOutOfBackups: 'ALL',
      uses: { 'sales-orders-worker': ['find', 'insert', 'update'] },
    },
    {
      definition: COMPARED_JOURNEYS,
      leftOutOfBackups: 'ALL',
      uses: { 'sales-orders-worker': ['find', 'insert', 'update'] },
    },
  ],
  topics: [
    { name: 'order-events', key: 'orderId', events: SINGLE_EVENTS, keptByAggregate: true },
    { name: 'order-event-collections', key: 'orderId', events: COLLECTION_EVENTS, keptByAggregate: true },
  ],
  searchAttributes: [ORDER_ID, ORGANISATION_ID],
  roles: [
    {
      name: 'sales-orders-worker',
      title: 'Orders worker',
      port: 9107,
      weight: 'light',
      config: ordersRoleShape,
      queue: SALES_ORDERS_QUEUE,
      workflows: ['orderExpiry', 'refund'],
      // They may wait for the outcome of a payment or a credit longer than a deployment.
      versioning: 'AUTO_UPGRADE',
      cachedWorkflows: 200,
      activitiesAtOnce: 20,
      load: async () => (await import('./orders-role.ts')).ordersRole,
    },
  ],
  dashboardRows: ['Orders'],
  subjectKinds: [
    {
      kind: ORDER.kind,
      listKept: async (base) => (await import('./kept-orders.ts')).createListKept(base),
      listErased: async (data) => (await import('./kept-orders.ts')).listErasedOrders(data),
    },
  ],
  erasureSteps: async (base) => (await import('./order-erasure.ts')).orderErasureSteps(base),
  provide: ({ mongo, eventEnvironment, log }, interfaces) => {
    const seats = () => interfaces.get(SEATING);
    const orders = new OrderStore({ connection: mongo, environment: eventEnvironment, log, seats });
    interfaces.provide(ORDERS, new OrderAccessor({ orders, seats, fares: () => interfaces.get(FARES) }));
    interfaces.provide(ORDER_MONEY, new OrderMoneyWriter(orders, mongo));
    interfaces.provide(ORDER_REFUNDS, new OrderRefundWriter(orders, mongo));
    const journeys = new SoldJourneys(mongo);
    interfaces.provide(ORDER_DISRUPTIONS, new DisruptedLines({ orders, journeys }));
    interfaces.provide(ORDER_USE, new OrderUseWriter(orders));
    interfaces.provide(ORDER_PENALTIES, new PenaltyOrders(orders));
    const sold = new StoredSoldOrders(mongo);
    interfaces.provide(SOLD_ORDERS, sold);
    interfaces.provide(ORDER_BOOKS, new StoredOrderBooks(sold, mongo));
  },
});
