/**
 * The part of tickets in the erasure of a customer: barcodes and PDFs name travellers, so those of all tickets of an order that names
 * the customer go. The key that seals them is destroyed: by the orders area where the order itself names the customer, and here for a
 * holder whom only the tickets know. Numbers, times and states stay. Caller: the worker that erases, by the manifest.
 */
import type { Connection } from 'mongoose';
import type { ErasureBase } from '../../platform/area.ts';
import { batchesOf } from '../../platform/batches.ts';
import type { ErasureStep } from '../../platform/erasure/erasure-step.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { SubjectId } from '../../platform/personal/subject-id.ts';
import type { SubjectKeys } from '../../platform/personal/subject-keys.ts';
import { openSubjectKeys } from '../../platform/personal/subject-keys-config.ts';
import type { OrderId, OrganisationId } from '../../workflows/shared/ids.ts';
import { CUSTOMER } from '../shared/customer-kind.ts';
import { ORDER } from '../shared/order-kind.ts';
import { SOLD_ORDERS, type SoldOrders } from '../shared/sold-orders.ts';
import { MAIL_INDEX, type MailCollection, TICKET_MAILS } from './mail-document.ts';
import { TICKET_GROUPS, type TicketGroupCollection } from './ticket-group-document.ts';
import { CUSTOMERS_INDEX } from './ticket-group-indexes.ts';

const ERASED_AT_ONCE = 100;

export interface TicketErasureOptions {
  readonly connection: Connection;
  readonly keys: Pick<SubjectKeys, 'destroyOf' | 'listExisting'>;
  readonly objects: Pick<ObjectStore, 'deletePrefix' | 'list'>;
  readonly sold: () => Pick<SoldOrders, 'listNaming'>;
}

/** Called once by the worker that erases. */
export async function ticketErasureSteps(base: ErasureBase): Promise<readonly ErasureStep[]> {
  const { mongo: connection, objects, interfaces } = base;
  const keys = await openSubjectKeys(base);
  return [ticketErasureStep({ connection, keys, objects, sold: () => interfaces.get(SOLD_ORDERS) })];
}

export function ticketErasureStep(options: TicketErasureOptions): ErasureStep {
  const erasure = new TicketErasure(options);
  return {
    name: 'tickets',
    erase: async (organisationId, subject) => {
      if (CUSTOMER.includes(subject)) await erasure.erase(organisationId, subject);
    },
    isErased: async (organisationId, subject) =>
      !CUSTOMER.includes(subject) || (await erasure.isErased(organisationId, subject)),
  };
}

class TicketErasure {
  readonly #options: TicketErasureOptions;
  readonly #collection: TicketGroupCollection;
  readonly #mails: MailCollection;

  constructor(options: TicketErasureOptions) {
    this.#options = options;
    this.#collection = TICKET_GROUPS.open(options.connection);
    this.#mails = TICKET_MAILS.open(options.connection);
  }

  async erase(organisationId: number, subject: SubjectId): Promise<void> {
    for await (const orderIds of this.#orders(organisationId, subject)) {
      // First the keys: from here on no copy can be read.
      await this.#options.keys.destroyOf(...orderIds.map((id) => ORDER.subjectOf(id)));
      // Also where nothing is signed yet: what signs it meanwhile has a key that is gone, and must not write.
      await this.#collection.updateMany({ orderId: { $in: [...orderIds] } } as object, {
        $unset: { 'ticketDistributions.$[].signed': '' },
        $inc: { revision: 1 },
      });
      const address = {
        $unset: { sealedAddress: '', keyId: '', addressFingerprint: '' },
        $inc: { revision: 1 },
      } as const;
      await this.#mails.updateMany(addressedOf(orderIds), address, { hint: MAIL_INDEX.order });
      for (const orderId of orderIds) await this.#options.objects.deletePrefix(prefixOf(orderId));
    }
  }

  async isErased(organisationId: number, subject: SubjectId): Promise<boolean> {
    for await (const orderIds of this.#orders(organisationId, subject)) {
      if (await this.#collection.findOne(signedOf(orderIds), { projection: { _id: 1 } })) return false;
      if (await this.#mails.findOne(addressedOf(orderIds), { projection: { _id: 1 }, hint: MAIL_INDEX.order }))
        return false;
      if ((await this.#options.keys.listExisting(orderIds.map((id) => ORDER.subjectOf(id)))).size > 0) return false;
      for (const orderId of orderIds) {
        for await (const _left of this.#options.objects.list(prefixOf(orderId))) return false;
      }
    }
    return true;
  }

  /** Those of the tickets, which know of holders, and those of the orders, which may have no tickets yet. */
  async *#orders(organisationId: number, subject: SubjectId): AsyncGenerator<readonly OrderId[]> {
    const customerNumber = CUSTOMER.idOf(subject);
    const naming = { organisationId, customers: customerNumber } as object;
    const options = { hint: CUSTOMERS_INDEX, projection: { orderId: 1 } } as const;
    const ofTickets = this.#collection.find(naming, options).map(({ orderId }) => orderId);
    const ofOrders = this.#options.sold().listNaming(organisationId as OrganisationId, customerNumber);
    for (const orders of [ofTickets, ofOrders]) {
      for await (const ids of batchesOf(orders, { count: ERASED_AT_ONCE })) yield [...new Set(ids)];
    }
  }
}

function signedOf(orderIds: readonly OrderId[]): object {
  return { orderId: { $in: [...orderIds] }, 'ticketDistributions.signed': { $exists: true } };
}

/** Addresses that calls have named. Of those that are needed no more, the fingerprint is left. */
function addressedOf(orderIds: readonly OrderId[]): object {
  const addressed = [{ sealedAddress: { $exists: true } }, { addressFingerprint: { $exists: true } }];
  return { orderId: { $in: [...orderIds] }, $or: addressed };
}

function prefixOf(orderId: OrderId): string {
  return `tickets/${orderId}/`;
}
