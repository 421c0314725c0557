/**
 * The part of receipts in the erasure of a customer: addresses that callers have given for receipts of the customer's orders. The
 * key that seals them is destroyed besides, by the orders area. Receipts stay: they name nobody. Caller: the worker that erases,
 * by the manifest.
 */
import type { Connection } from 'mongoose';
import type { ErasureBase } from '../../platform/area.ts';
import { batchesOf } from '../../platform/batches.ts';
import type { ErasureStep } from '../../platform/erasure/erasure-step.ts';
import type { SubjectId } from '../../platform/personal/subject-id.ts';
import type { OrderId, OrganisationId } from '../../workflows/shared/ids.ts';
import { CUSTOMER } from '../shared/customer-kind.ts';
import { SOLD_ORDERS, type SoldOrders } from '../shared/sold-orders.ts';
import { RECEIPT_DOCUMENTS, RECEIPT_INDEX } from './receipt-document.ts';

const ERASED_AT_ONCE = 100;

export interface ReceiptErasureOptions {
  readonly connection: Connection;
  readonly sold: () => Pick<SoldOrders, 'listNaming'>;
}

export async function receiptErasureSteps({
  mongo: connection,
  interfaces,
}: Pick<ErasureBase, 'mongo' | 'interfaces'>): Promise<readonly ErasureStep[]> {
  return [receiptErasureStep({ connection, sold: () => interfaces.get(SOLD_ORDERS) })];
}

export function receiptErasureStep({ connection, sold }: ReceiptErasureOptions): ErasureStep {
  const receipts = RECEIPT_DOCUMENTS.open(connection);
  const ordersOf = (organisationId: number, subject: SubjectId): AsyncIterable<OrderId[]> => {
    const named = CUSTOMER.includes(subject)
      ? sold().listNaming(organisationId as OrganisationId, CUSTOMER.idOf(subject))
      : [];
    return batchesOf(named, { count: ERASED_AT_ONCE });
  };
  return {
    name: 'receipts',
    erase: async (organisationId, subject) => {
      for await (const ids of ordersOf(organisationId, subject)) {
        // A mail that is tried right now finds nothing to open.
        const removed = { $unset: { 'mailings.$[].address': '' }, $inc: { revision: 1 } } as const;
        await receipts.updateMany(withAddress(ids), removed, { hint: RECEIPT_INDEX.order });
      }
    },
    isErased: async (organisationId, subject) => {
      const options = { projection: { _id: 1 }, hint: RECEIPT_INDEX.order } as const;
      for await (const ids of ordersOf(organisationId, subject)) {
        if ((await receipts.findOne(withAddress(ids), options)) !== null) return false;
      }
      return true;
    },
  };
}

function withAddress(ids: readonly OrderId[]): object {
  return { orderId: { $in: [...ids] }, 'mailings.address': { $exists: true } };
}
