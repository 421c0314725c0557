/**
 * The part of an order in the erasure of a customer whom it names as contact, creator or traveller, or has ever named. The
 * order's own key is destroyed with all texts that it seals, since nothing says whom a text tells of. Drafts lose every
 * reference to the customer; other orders and the list of everyone named keep the number, which names nobody any more.
 * Caller: the worker that erases, by the manifest.
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
import { ORDER } from '../shared/order-kind.ts';
import { ORDER_VERSIONS, ORDERS_COLLECTION, type OrderCollection } from './order-document.ts';
import { OrderStore } from './order-store.ts';
import { ordersNaming } from './orders-naming.ts';
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

export function orderErasureStep(options: OrderErasureOptions): ErasureStep {
  const erasure = new OrderErasure(options);
  return {
    name: 'orders',
    erase: async (organisationId, subject) => {
      const customerNumber = customerOf(subject);
      if (customerNumber) await erasure.erase(organisationId as OrganisationId, customerNumber);
    },
    isErased: async (organisationId, subject) => {
      const customerNumber = customerOf(subject);
      return customerNumber === undefined || (await erasure.isErased(organisationId as OrganisationId, customerNumber));
    },
  };
}

class OrderErasure {
  readonly #options: OrderErasureOptions;
  readonly #collection: OrderCollection;

  constructor(options: OrderErasureOptions) {
    this.#options = options;
    this.#collection = ORDERS_COLLECTION.open(options.connection);
  }

  async erase(organisationId: OrganisationId, customerNumber: CustomerNumber): Promise<void> {
    const { connection, keys } = this.#options;
    const versions = ORDER_VERSIONS.open(connection);
    for await (const ids of this.#batches(organisationId, customerNumber)) {
      // First the keys: from here on no copy of the texts can be read.
      await keys.destroyOf(...ids.map((id) => ORDER.subjectOf(id)));
      await versions.updateMany(versionsWithTexts(ids), { $unset: { 'fees.$[].reason': '' } });
      for (const id of ids) await this.#eraseOne(organisationId, id, customerNumber);
    }
  }

  async isErased(organisationId: OrganisationId, customerNumber: CustomerNumber): Promise<boolean> {
    for (const { filter, hint, isPresent } of ordersNaming(organisationId, customerNumber)) {
      const left = [{ keyId: { $exists: true } }, ...(isPresent ? [{ status: 'DRAFT' }] : [])];
      const condition = { ...filter, $or: left } as object;
      if (await this.#collection.findOne(condition, { hint, projection: { _id: 1 } })) return false;
    }
    for await (const ids of this.#batches(organisationId, customerNumber)) {
      if ((await this.#options.keys.listExisting(ids.map((id) => ORDER.subjectOf(id)))).size > 0) return false;
    }
    return true;
  }

  async #eraseOne(organisationId: OrganisationId, orderId: OrderId, customerNumber: CustomerNumber): Promise<void> {
    await this.#options.orders.change(organisationId, orderId, workOfProcess(ERASING), (before, now) => {
      const erased = combine(before, [eraseTexts, (order) => detachCustomer(order, { customerNumber }, now)]);
      return { ...erased, textsErased: true };
    });
  }

  async *#batches(organisationId: OrganisationId, customerNumber: CustomerNumber): AsyncGenerator<OrderId[]> {
    for (const { filter, hint } of ordersNaming(organisationId, customerNumber)) {
      const found = this.#collection.find(filter, { hint, projection: { _id: 1 } });
      yield* batchesOf(
        found.map(({ _id }) => _id),
        { count: ERASED_AT_ONCE },
      );
    }
  }
}

function customerOf(subject: SubjectId): CustomerNumber | undefined {
  return CUSTOMER.includes(subject) ? CUSTOMER.idOf(subject) : undefined;
}

export function versionsWithTexts(ids: readonly OrderId[]) {
  return { orderId: { $in: [...ids] }, 'fees.reason': { $exists: true } };
}
