/**
 * The part of payments in the erasure of a customer: what payments and invoices of that customer have sealed, and addresses that
 * callers have given for payments of the customer's orders: they may name the customer. Where the customer is the contact of the
 * order, its key is destroyed besides, by the orders area. Amounts and references stay; the number of the customer names nobody any
 * more. Caller: the worker that erases, by the manifest.
 */
import type { Connection } from 'mongoose';
import type { ErasureBase } from '../../platform/area.ts';
import { batchesOf } from '../../platform/batches.ts';
import type { ErasureStep } from '../../platform/erasure/erasure-step.ts';
import type { SubjectId } from '../../platform/personal/subject-id.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import { CUSTOMER } from '../shared/customer-kind.ts';
import { SOLD_ORDERS, type SoldOrders } from '../shared/sold-orders.ts';
import { CALLBACKS_COLLECTION, callbackIds, endOf } from './client-callbacks.ts';
import { INVOICES_COLLECTION } from './invoice-document.ts';
import { PAYMENTS_COLLECTION } from './payment-document.ts';

const ORDERS_AT_ONCE = 100;

export interface PaymentErasureOptions {
  readonly connection: Connection;
  readonly sold: () => Pick<SoldOrders, 'listNaming'>;
}

export async function paymentErasureSteps({
  mongo: connection,
  interfaces,
}: Pick<ErasureBase, 'mongo' | 'interfaces'>): Promise<readonly ErasureStep[]> {
  return [paymentErasureStep({ connection, sold: () => interfaces.get(SOLD_ORDERS) })];
}

export function paymentErasureStep({ connection, sold }: PaymentErasureOptions): ErasureStep {
  const invoices = INVOICES_COLLECTION.open(connection);
  const payments = new ErasedPayments(connection);
  return {
    name: 'payments',
    erase: async (organisationId, subject) => {
      if (!CUSTOMER.includes(subject)) return;
      await invoices.updateMany(sealedInvoices(organisationId, subject), {
        $unset: { sealed: '', keyId: '' },
        $inc: { revision: 1 },
      });
      for await (const owned of ownedBy(sold(), organisationId, subject)) await payments.erase(owned);
    },
    isErased: async (organisationId, subject) => {
      if (!CUSTOMER.includes(subject)) return true;
      const invoice = await invoices.findOne(sealedInvoices(organisationId, subject), { projection: { _id: 1 } });
      if (invoice !== null) return false;
      for await (const owned of ownedBy(sold(), organisationId, subject)) {
        if (!(await payments.areErased(owned))) return false;
      }
      return true;
    },
  };
}

/** Sealed, or given by a caller. */
const NAMING = ['app', 'redirectUrl', 'callbackUrl'] as const;
const REMOVED = Object.fromEntries(NAMING.map((member) => [`transactions.$[named].session.${member}`, ''] as const));
const NAMES = { $or: NAMING.map((member) => ({ [`transactions.session.${member}`]: { $exists: true } })) };
/** Of an earlier build: today the address of a terminal goes when its transaction ends. */
const ENDED_TERMINAL = { status: { $nin: ['CREATED', 'INITIATED'] }, 'session.terminalUri': { $exists: true } };
const HAS_ENDED_TERMINAL = { transactions: { $elemMatch: ENDED_TERMINAL } };
const ENDED = Object.fromEntries(Object.entries(ENDED_TERMINAL).map(([name, value]) => [`ended.${name}`, value]));

class ErasedPayments {
  readonly #payments: ReturnType<typeof PAYMENTS_COLLECTION.open>;
  readonly #callbacks: ReturnType<typeof CALLBACKS_COLLECTION.open>;

  constructor(connection: Connection) {
    this.#payments = PAYMENTS_COLLECTION.open(connection);
    this.#callbacks = CALLBACKS_COLLECTION.open(connection);
  }

  /** A provider that is asked right now finds nothing to open, and a client that is told right now is told no more. */
  async erase(owned: object): Promise<void> {
    const named = [{ 'named.session': { $exists: true } }];
    const $inc = { revision: 1 };
    await this.#payments.updateMany({ ...owned, ...NAMES }, { $unset: REMOVED, $inc }, { arrayFilters: named });
    const terminal = { $unset: { 'transactions.$[ended].session.terminalUri': '' }, $inc } as const;
    await this.#payments.updateMany({ ...owned, ...HAS_ENDED_TERMINAL }, terminal, { arrayFilters: [ENDED] });
    await this.#callbacks.updateMany(await this.#untold(owned), endOf(new Date()));
  }

  async areErased(owned: object): Promise<boolean> {
    const projection = { _id: 1 } as const;
    const left = { ...owned, $or: [...NAMES.$or, HAS_ENDED_TERMINAL] };
    if ((await this.#payments.findOne(left, { projection })) !== null) return false;
    return (await this.#callbacks.findOne(await this.#untold(owned), { projection })) === null;
  }

  async #untold(owned: object): Promise<object> {
    const found = this.#payments.find(owned, { projection: { 'transactions.id': 1 } });
    const ids = (await found.toArray()).flatMap(({ transactions }) => transactions.map(({ id }) => id));
    return { _id: { $in: ids.flatMap(callbackIds) }, url: { $exists: true } };
  }
}

/** Payments of that customer, and those of orders that name the customer. */
async function* ownedBy(
  sold: Pick<SoldOrders, 'listNaming'>,
  organisationId: number,
  subject: SubjectId,
): AsyncGenerator<object> {
  const customerNumber = CUSTOMER.idOf(subject);
  yield { organisationId, customerNumber };
  const orders = sold.listNaming(organisationId as OrganisationId, customerNumber);
  for await (const ids of batchesOf(orders, { count: ORDERS_AT_ONCE })) yield { organisationId, orderId: { $in: ids } };
}

function sealedInvoices(organisationId: number, subject: SubjectId): object {
  return { organisationId, customerNumber: CUSTOMER.idOf(subject), sealed: { $exists: true } };
}
