/** The manifest of the books: the ledger of every organisation, and the settlements that count its money. */
import { defineArea } from '../../platform/area.ts';
import { SETTLEMENT_EVENT_TYPES } from '../../workflows/books/rules/settlement.ts';
import { LEDGER } from '../shared/ledger.ts';
import { SETTLEMENTS } from '../shared/settlements.ts';
import { LEDGER_ENTRIES } from './ledger-document.ts';
import { LedgerStore } from './ledger-store.ts';
import { SETTLEMENTS_COLLECTION } from './settlement-document.ts';
import { SettlementStore } from './settlement-store.ts';

export const booksArea = defineArea({
  name: 'books',
  servedBy: 'api',
  collections: [
    {
      definition: LEDGER_ENTRIES,
      // Nobody may change or remove an entry.
      uses: { 'events-worker': ['find', 'insert'], api: ['find', 'insert'] },
    },
    { definition: SETTLEMENTS_COLLECTION, outbox: true, uses: { api: ['find', 'insert', 'update'] } },
  ],
  topics: [{ name: 'settlement-events', key: 'settlementId', events: SETTLEMENT_EVENT_TYPES }],
  provide: ({ mongo, eventEnvironment }, interfaces) => {
    interfaces.provide(LEDGER, new LedgerStore(mongo));
    interfaces.provide(SETTLEMENTS, new SettlementStore({ connection: mongo, environment: eventEnvironment }));
  },
});
