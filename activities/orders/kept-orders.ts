/** The orders whose data keys are needed, and those whose keys a restore must not bring back. Caller: area.ts. */
import type { Connection } from 'mongoose';
import type { StoreBase } from '../../platform/area.ts';
import type { ListKept } from '../../platform/personal/orphan-keys.ts';
import type { SubjectId } from '../../platform/personal/subject-id.ts';
import { ORDER } from '../shared/order-kind.ts';
import { ORDERS_COLLECTION } from './order-document.ts';

/** The first text of an order makes its key before the order's write names it: an order that is there keeps it. */
export async function createListKept({ mongo }: Pick<StoreBase, 'mongo'>): Promise<ListKept> {
  const orders = ORDERS_COLLECTION.open(mongo);
  return async (subjects) => {
    const ids = subjects.map((subject) => ORDER.idOf(subject));
    const kept = { _id: { $in: ids }, ...NOT_ERASED };
    const found = await orders.find(kept, { projection: { _id: 1 } }).toArray();
    return new Set(found.map(({ _id }) => ORDER.subjectOf(_id)));
  };
}

export async function* listErasedOrders(data: Connection): AsyncGenerator<SubjectId> {
  const found = ORDERS_COLLECTION.open(data).find(ERASED, { projection: { _id: 1 } });
  for await (const { _id } of found) yield ORDER.subjectOf(_id);
}

/** A text that was written after the erasure has a key of its own. */
const ERASED = { textsErasedAt: { $exists: true }, keyId: { $exists: false } };
const NOT_ERASED = { $or: [{ textsErasedAt: { $exists: false } }, { keyId: { $exists: true } }] };
