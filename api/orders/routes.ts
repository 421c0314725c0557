/** The orders area: openapi.yaml describes each operation; reserving has a document and an area of its own. */
import type { TypedArea } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import type { OrdersDependencies } from './dependencies.ts';
import { createDetailOperations } from './details.ts';
import { createFeeOperations } from './fees.ts';
import { createFinds } from './finds.ts';
import { createHistory } from './history.ts';
import { createImport } from './import-order.ts';
import { createLineOperations } from './order-lines.ts';
import { createOrderOperations } from './orders.ts';
import { createTravellerOperations } from './travellers.ts';

export function createOrdersArea(dependencies: OrdersDependencies): TypedArea<Operations> {
  return {
    name: 'order',
    document: new URL('./openapi.yaml', import.meta.url),
    operations: {
      ...createOrderOperations(dependencies),
      ...createDetailOperations(dependencies),
      ...createTravellerOperations(dependencies),
      ...createLineOperations(dependencies),
      ...createFeeOperations(dependencies),
      importOrder: createImport(dependencies),
      listOrderEvents: createHistory(dependencies),
    },
    finds: createFinds(dependencies),
  };
}
