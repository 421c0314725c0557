/** The manifest of the customers area: profiles, temporary profiles and their items. */
import { defineArea } from '../../platform/area.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import { SUBJECT_KEYS } from '../../platform/personal/key-document.ts';
import { SALES_CUSTOMERS_QUEUE } from '../../workflows/customers/messages.ts';
import { EXPIRE_AT, ORGANISATION_ID } from '../../workflows/customers/search-attributes.ts';
import { customerShape } from './customer-config.ts';
import { CUSTOMER_EVENTS } from './customer-events.ts';
import { PROFILES } from './profile-document.ts';

export const customersArea = defineArea({
  name: 'customers',
  servedBy: 'api',
  collections: [
    { definition: PROFILES, outbox: true, personal: true },
    { definition: new CollectionDefinition('customer_login_failures') },
    { definition: SUBJECT_KEYS, database: 'customerKeys' },
  ],
  topics: [
    {
      name: CUSTOMER_EVENTS.topic,
      key: 'customerNumber',
      events: ['CustomerCreated', 'CustomerUpdated', 'CustomerConverted', 'CustomerErased', 'ConsentChanged'],
    },
  ],
  searchAttributes: [ORGANISATION_ID, EXPIRE_AT],
  roles: [
    {
      name: 'sales-customers-worker',
      title: 'Customers worker',
      port: 9104,
      weight: 'light',
      config: customerShape,
      queue: SALES_CUSTOMERS_QUEUE,
      workflows: ['profileErasure', 'temporaryProfile'],
      versioning: 'AUTO_UPGRADE',
      // Most workflows sleep for months and are replayed when they wake.
      cachedWorkflows: 500,
      activitiesAtOnce: 20,
      localActivitiesAtOnce: 50,
      load: async () => (await import('./customers-role.ts')).customersRole,
    },
  ],
  dashboardRows: ['Customers'],
  ensureIndexes: async (base) => (await import('./customers-indexes.ts')).ensureCustomersIndexes(base),
  erasureSteps: async (base) =>
    (await import('../../platform/personal/stored-answers-step.ts')).storedAnswersSteps(base),
});
