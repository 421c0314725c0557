/** Composes the books for the API process. Caller: api/server.ts, by the area's name. */
import { LedgerReader } from '../../activities/books/ledger-reader.ts';
import { LedgerStore } from '../../activities/books/ledger-store.ts';
import { ReconciliationStore } from '../../activities/books/reconciliation-store.ts';
import { SettlementStore } from '../../activities/books/settlement-store.ts';
import { SETTLED_MONEY } from '../../activities/shared/settlements.ts';
import type { StoreBase } from '../../platform/area.ts';
import type { Interfaces } from '../../platform/interfaces.ts';
import type { AreaComposition } from '../shared/area-composition.ts';
import { type BooksDependencies, createBooksArea } from './routes.ts';

type Base = Pick<StoreBase, 'mongo' | 'eventEnvironment'> & { readonly interfaces: Interfaces };

export function composeBooks({
  mongo: connection,
  eventEnvironment: environment,
  interfaces,
}: Base): BooksDependencies {
  const settlements = new SettlementStore({ connection, environment });
  const reader = new LedgerReader(connection);
  const money = () => interfaces.find(SETTLED_MONEY);
  const reports = new ReconciliationStore({ connection, environment });
  return { settlements, reader, reports, closing: { settlements, reader, ledger: new LedgerStore(connection), money } };
}

export const composition: AreaComposition = {
  config: {},
  compose: (base) => ({ area: createBooksArea(composeBooks(base)) }),
};
