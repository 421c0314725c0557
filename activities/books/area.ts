/** The manifest of the books: the ledger of every organisation. */
import { defineArea } from '../../platform/area.ts';
import { LEDGER } from '../shared/ledger.ts';
import { LEDGER_ENTRIES } from './ledger-document.ts';
import { LedgerStore } from './ledger-store.ts';

export const booksArea = defineArea({
  name: 'books',
  collections: [
    {
      definition: LEDGER_ENTRIES,
      // Nobody may change or remove an entry.
      uses: { 'events-worker': ['find', 'insert'] },
    },
  ],
  provide: ({ mongo }, interfaces) => interfaces.provide(LEDGER, new LedgerStore(mongo)),
});
