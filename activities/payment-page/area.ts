/** The manifest of payment pages: links on which customers pay orders that were made for them. */
import { defineArea } from '../../platform/area.ts';
import { PAYMENT_PAGES_QUEUE } from '../../workflows/payment-page/messages.ts';
import { EXPIRE_AT, ORDER_ID, ORGANISATION_ID, SALES_STATE } from '../../workflows/shared/search-attributes.ts';
import { ORDERS } from '../shared/orders.ts';
import { PAGE_LINKS } from '../shared/page-links.ts';
import { PAGE_NEWS } from '../shared/page-news.ts';
import { PAYMENT_PAGES } from './page-document.ts';
import { PageStore } from './page-store.ts';
import { ReturnLinks } from './return-links.ts';
import { ToldPages } from './told-pages.ts';

export const paymentPageArea = defineArea({
  name: 'payment-page',
  servedBy: 'api',
  collections: [
    {
      definition: PAYMENT_PAGES,
      uses: {
        api: ['find', 'insert', 'update'],
        'payment-page': ['find', 'update'],
        'payment-pages-worker': ['find', 'update'],
        'events-worker': ['find', 'update'],
        // Whether a page waits for tickets that were sent late.
        'sales-documents-worker': ['find'],
      },
    },
  ],
  subscriptions: [
    {
      name: 'payment-page-orders',
      topic: 'order-events',
      load: async () => {
        const [{ createOrderFollower }, { PageStore }] = await Promise.all([
          import('./order-follower.ts'),
          import('./page-store.ts'),
        ]);
        return ({ mongo, interfaces }) =>
          createOrderFollower({ pages: new PageStore({ connection: mongo }), orders: () => interfaces.get(ORDERS) });
      },
    },
  ],
  searchAttributes: [ORDER_ID, ORGANISATION_ID, SALES_STATE, EXPIRE_AT],
  roles: [
    {
      name: 'payment-pages-worker',
      title: 'Payment pages worker',
      port: 9109,
      weight: 'light',
      config: {},
      queue: PAYMENT_PAGES_QUEUE,
      workflows: ['paymentPage'],
      // A page lives for up to half a year.
      versioning: 'AUTO_UPGRADE',
      // Most of them sleep for days and are replayed when they wake.
      cachedWorkflows: 200,
      activitiesAtOnce: 20,
      localActivitiesAtOnce: 50,
      load: async () => (await import('./payment-pages-role.ts')).paymentPagesRole,
    },
  ],
  provide: ({ readConfig, temporal, mongo }, interfaces) => {
    interfaces.provide(PAGE_LINKS, new ReturnLinks(readConfig));
    interfaces.provide(PAGE_NEWS, new ToldPages({ temporal, pages: new PageStore({ connection: mongo }) }));
  },
});
