/**
 * The manifest of the books: the ledger of every organisation, the settlements that count its money, and the reconciliation with
 * providers, payments and orders.
 */
import { defineArea } from '../../platform/area.ts';
import { BOOKS_QUEUE } from '../../workflows/books/messages.ts';
import { SETTLEMENT_EVENT_TYPES } from '../../workflows/books/rules/settlement.ts';
import { LEDGER } from '../shared/ledger.ts';
import { SETTLEMENTS } from '../shared/settlements.ts';
import { booksShape } from './books-config.ts';
import { LEDGER_ENTRIES } from './ledger-document.ts';
import { LedgerStore } from './ledger-store.ts';
import { RECONCILIATION_EVENT_TYPES, RECONCILIATIONS } from './reconciliation-store.ts';
import { SETTLEMENTS_COLLECTION } from './settlement-document.ts';
import { SettlementStore } from './settlement-store.ts';

export const booksArea = defineArea({
  name: 'books',
  servedBy: 'api',
  dashboardRows: ['Books'],
  collections: [
    {
      definition: LEDGER_ENTRIES,
      // Nobody may change or remove an entry.
      uses: { 'events-worker': ['find', 'insert'], 'books-worker': ['find', 'insert'], api: ['find', 'insert'] },
    },
    {
      definition: SETTLEMENTS_COLLECTION,
      outbox: true,
      uses: { api: ['find', 'insert', 'update'], 'books-worker': ['find', 'update'] },
    },
    { definition: RECONCILIATIONS, outbox: true, uses: { 'books-worker': ['find', 'insert'], api: ['find'] } },
  ],
  topics: [
    { name: 'settlement-events', key: 'settlementId', events: SETTLEMENT_EVENT_TYPES },
    { name: 'reconciliation-events', key: 'organisationId', events: RECONCILIATION_EVENT_TYPES },
  ],
  roles: [
    {
      name: 'books-worker',
      title: 'Books',
      port: 9110,
      weight: 'light',
      config: booksShape,
      queue: BOOKS_QUEUE,
      workflows: ['reconciliation'],
      // A provider that is away holds it up for longer than a deployment.
      versioning: 'AUTO_UPGRADE',
      cachedWorkflows: 5,
      activitiesAtOnce: 2,
      load: async () => (await import('./books-role.ts')).booksRole,
    },
  ],
  provide: ({ mongo, eventEnvironment }, interfaces) => {
    interfaces.provide(LEDGER, new LedgerStore(mongo));
    interfaces.provide(SETTLEMENTS, new SettlementStore({ connection: mongo, environment: eventEnvironment }));
  },
});
