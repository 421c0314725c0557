/** Composes receipts for the API process. Callers: api/server.ts, by the area's name; tests. */
import { ReceiptSearch } from '../../activities/receipts/receipt-search.ts';
import { startReceipt } from '../../activities/receipts/receipt-start.ts';
import type { WantedMail } from '../../activities/receipts/receipt-store.ts';
import { makeReceipts, RENDERER } from '../../activities/receipts/receipts-parts.ts';
import { CUSTOMERS } from '../../activities/shared/customers.ts';
import { ORDERS } from '../../activities/shared/orders.ts';
import type { StoreBase } from '../../platform/area.ts';
import type { Interfaces } from '../../platform/interfaces.ts';
import { openSubjectKeys, subjectKeysShape } from '../../platform/personal/subject-keys-config.ts';
import type { AreaComposition } from '../shared/area-composition.ts';
import { createReceiptsArea, type ReceiptsDependencies } from './routes.ts';

type Base = Pick<StoreBase, 'mongo' | 'readConfig' | 'connectKeys'> & { readonly interfaces: Interfaces };

export async function composeReceipts(
  base: Base,
  start: (wanted: WantedMail) => Promise<void>,
): Promise<ReceiptsDependencies> {
  const { mongo, interfaces } = base;
  return {
    ...makeReceipts({ mongo, interfaces }),
    search: new ReceiptSearch(mongo),
    renderer: RENDERER,
    orders: () => interfaces.get(ORDERS),
    customers: () => interfaces.get(CUSTOMERS),
    keys: await openSubjectKeys(base),
    start,
  };
}

export const composition: AreaComposition = {
  config: subjectKeysShape,
  compose: async (base) => {
    const start = async (wanted: WantedMail) => await startReceipt(base.temporal, wanted);
    return { area: createReceiptsArea(await composeReceipts(base, start)) };
  },
};
