/**
 * The part of an order in the erasure of a customer. Where the customer is the contact, the order's own key is
 * destroyed with all texts that it seals. Drafts lose every reference to the customer; other orders keep the number,
 * which names nobody any more. Caller: the worker that erases, by the manifest.
 */
import type { Connection } from 'mongoose';
import type { StoreBase } from '../../platform/area.ts';
import { batchesOf } from '../../platform/batches.ts';
import type { ErasureStep } from '../../platform/erasure/erasure-step.ts';
import type { SubjectId } from '../../platform/personal/subject-id.ts';
import type { SubjectKeys } from '../../platform/personal/subject-keys.ts';
import { openSubjectKeys } from '../../platform/personal/subject-keys-config.ts';
import { detachCustomer } from '../../workflows/orders/rules/detachment.ts';
import { combine } from '../../workflows/orders/rules/order-change.ts';
import { eraseTexts } from '../../workflows/orders/rules/text-erasure.ts';
import type { CustomerNumber, OrderId, OrganisationId } from '../../workflows/shared/ids.ts';
import { CUSTOMER } from '../shared/customer-kind.ts';
import { ORDER_VERSIONS, ORDERS_COLLECTION, type OrderDocument } from './order-document.ts';
import { OrderStore } from './order-store.ts';
import { ORDER } from './order-subject.ts';
import { workOfProcess } from './process-work.ts';

const ERASED_AT_ONCE = 100;
const ERASING = 'sales-customers-worker';

export interface OrderErasureOptions {
  readonly connection: Connection;
  readonly keys: SubjectKeys;
  readonly orders: OrderStore;
}

/** Called once by the worker that erases. */
export async function orderErasureSteps(base: StoreBase): Promise<readonly ErasureStep[]> {
  const { mongo: connection, eventEnvironment: environment, log } = base;
  const keys = await openSubjectKeys(base);
  return [orderErasureStep({ connection, keys, orders: new OrderStore({ connection, environment, keys, log }) })];
}

export function orderErasureStep({ connection, keys, orders }: OrderErasureOptions): ErasureStep {
  const collection = ORDERS_COLLECTION.open(connection);
  const versions = ORDER_VERSIONS.open(connection);
  const listIds = (organisationId: OrganisationId, condition: object) =>
    collection.find({ organisationId, ...condition }, { projection: { _id: 1 } }).map(({ _id }) => _id);

  const eraseOne = async (organisationId: OrganisationId, orderId: OrderId, customerNumber: CustomerNumber) => {
    await orders.change(organisationId, orderId, workOfProcess(ERASING), (before, now) => {
      const isContact = before.contact === customerNumber;
      const steps = [
        (order: typeof before) => (isContact ? eraseTexts(order) : { order, events: [] }),
        (order: typeof before) => detachCustomer(order, { customerNumber }, now),
      ];
      return { ...combine(before, steps), ...(isContact && { textsErased: true }) };
    });
  };

  return {
    name: 'orders',
    erase: async (organisationId, subject) => {
      const organisation = organisationId as OrganisationId;
      const customerNumber = customerOf(subject);
      if (!customerNumber) return;
      const theirs = listIds(organisation, { contact: customerNumber });
      for await (const ids of batchesOf(theirs, { count: ERASED_AT_ONCE })) {
        // First the keys: from here on no copy of the texts can be read.
        await keys.destroyOf(...ids.map((id) => ORDER.subjectOf(id)));
        await versions.updateMany(
          { orderId: { $in: ids }, 'fees.reason': { $exists: true } },
          { $unset: { 'fees.$[].reason': '' } },
        );
        for (const id of ids) await eraseOne(organisation, id, customerNumber);
      }
      const named = listIds(organisation, { status: 'DRAFT', ...namesCustomer(customerNumber) });
      for await (const id of named) await eraseOne(organisation, id, customerNumber);
    },
    isErased: async (organisationId, subject) => {
      const customerNumber = customerOf(subject);
      if (!customerNumber) return true;
      const organisation = organisationId as OrganisationId;
      const left: OrderDocument | null = await collection.findOne({
        organisationId: organisation,
        $or: [
          { contact: customerNumber, keyId: { $exists: true } },
          { status: 'DRAFT', ...namesCustomer(customerNumber) },
        ],
      } as never);
      if (left) return false;
      for await (const ids of batchesOf(listIds(organisation, { contact: customerNumber }), {
        count: ERASED_AT_ONCE,
      })) {
        if ((await keys.listExisting(ids.map((id) => ORDER.subjectOf(id)))).size > 0) return false;
      }
      return true;
    },
  };
}

function customerOf(subject: SubjectId): CustomerNumber | undefined {
  return CUSTOMER.includes(subject) ? CUSTOMER.idOf(subject) : undefined;
}

function namesCustomer(customerNumber: CustomerNumber) {
  return {
    $or: [{ contact: customerNumber }, { createdBy: customerNumber }, { 'travellers.customerNumber': customerNumber }],
  };
}
