/** The manifest of the customers area: profiles, temporary profiles and their items. */
import { defineArea } from '../../platform/area.ts';
import { MASTER_KEYS, SUBJECT_KEYS } from '../../platform/personal/key-document.ts';
import { SALES_CUSTOMERS_QUEUE } from '../../workflows/customers/messages.ts';
import { EXPIRE_AT, ORGANISATION_ID } from '../../workflows/shared/search-attributes.ts';
import { CUSTOMER } from '../shared/customer-kind.ts';
import { CUSTOMERS } from '../shared/customers.ts';
import { customersRoleShape } from './customer-config.ts';
import { CUSTOMER_EVENTS } from './customer-events.ts';
import { ExistingCustomers } from './existing-customers.ts';
import { CUSTOMER_LOGIN_FAILURES } from './login-failures.ts';
import { PROFILES, SEARCH_KEY_MEMBERS } from './profile-document.ts';

export const customersArea = defineArea({
  name: 'customers',
  servedBy: 'api',
  collections: [
    {
      definition: PROFILES,
      outbox: true,
      personal: true,
      leftOutOfBackups: SEARCH_KEY_MEMBERS,
      uses: {
        api: ['find', 'insert', 'update'],
        'sales-customers-worker': ['find', 'update'],
        // The language of the contact alone.
        'payment-page': ['find'],
        // Names on tickets, and the addresses that they are sent to.
        'sales-documents-worker': ['find'],
      },
    },
    {
      definition: CUSTOMER_LOGIN_FAILURES,
      // Keyed hashes of user names, kept for minutes.
      leftOutOfBackups: 'ALL',
      uses: { api: ['find', 'insert', 'update'] },
    },
    {
      definition: SUBJECT_KEYS,
      database: 'customerKeys',
      uses: {
        api: ['find', 'insert', 'remove'],
        'sales-customers-worker': ['find', 'update', 'remove'],
        // Phone numbers of app claims.
        'sales-payments-worker': ['find'],
        // Names on tickets, and addresses of mails. An order without sealed texts gets its key with its first ticket.
        'sales-documents-worker': ['find', 'insert'],
      },
    },
    {
      definition: MASTER_KEYS,
      database: 'customerKeys',
      uses: {
        api: ['find'],
        'sales-customers-worker': ['find', 'insert', 'update'],
      },
    },
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
      config: customersRoleShape,
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
  provide: (base, interfaces) => {
    const openKeys = async () =>
      await (await import('../../platform/personal/subject-keys-config.ts')).openSubjectKeys(base);
    interfaces.provide(CUSTOMERS, new ExistingCustomers(base.mongo, undefined, openKeys));
  },
  ensureIndexes: async (base) => (await import('./customers-indexes.ts')).ensureCustomersIndexes(base),
  subjectKinds: [
    {
      kind: CUSTOMER.kind,
      listKept: async (base) => (await import('./kept-profiles.ts')).createListKept(base),
      listErased: async (data) => (await import('./erased-profiles.ts')).listErasedCustomers(data),
    },
  ],
  erasureSteps: async (base) =>
    (await import('../../platform/personal/stored-answers-step.ts')).storedAnswersSteps(base),
});
