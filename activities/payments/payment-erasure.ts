/**
 * The part of payments in the erasure of a customer: what payments and invoices of that customer have sealed, and the addresses that
 * callers have given for what the customer pays. Those of other customers stay, also in orders that name this one. The keys are
 * destroyed besides, by the areas of customers and orders. Amounts and references stay; the number of the customer names nobody
 * any more. Caller: the worker that erases, by the manifest.
 */
import type { Connection } from 'mongoose';
import type { ErasureBase } from '../../platform/area.ts';
import { batchesOf } from '../../platform/batches.ts';
import type { ErasureStep } from '../../platform/erasure/erasure-step.ts';
import type { SubjectId } from '../../platform/personal/subject-id.ts';
import type { CustomerNumber, OrganisationId } from '../../workflows/shared/ids.ts';
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

/** Given by a caller. Sealed with the key of the order, or of the customer who pays; in clear by earlier builds. */
const GIVEN = ['app', 'redirectUrl', 'callbackUrl'] as const;
const REMOVED = Object.fromEntries(
  GIVEN.map((member) => [`transactions.$[${member.toLowerCase()}].session.${member}`, ''] as const),
);
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
  async erase({ owned, customerNumber }: Owned): Promise<void> {
    const $inc = { revision: 1 };
    const arrayFilters = GIVEN.map((member) => goesWith(customerNumber, `${member.toLowerCase()}.session.${member}`));
    await this.#payments.updateMany(
      { ...owned, ...holds(customerNumber) },
      { $unset: REMOVED, $inc },
      { arrayFilters },
    );
    const terminal = { $unset: { 'transactions.$[ended].session.terminalUri': '' }, $inc } as const;
    await this.#payments.updateMany({ ...owned, ...HAS_ENDED_TERMINAL }, terminal, { arrayFilters: [ENDED] });
    await this.#callbacks.updateMany(await this.#untold({ owned, customerNumber }), endOf(new Date()));
  }

  async areErased({ owned, customerNumber }: Owned): Promise<boolean> {
    const projection = { _id: 1 } as const;
    const left = { ...owned, $or: [...holds(customerNumber).$or, HAS_ENDED_TERMINAL] };
    if ((await this.#payments.findOne(left, { projection })) !== null) return false;
    return (await this.#callbacks.findOne(await this.#untold({ owned, customerNumber }), { projection })) === null;
  }

  async #untold({ owned, customerNumber }: Owned): Promise<object> {
    const found = this.#payments.find(owned, { projection: { 'transactions.id': 1 } });
    const ids = (await found.toArray()).flatMap(({ transactions }) => transactions.map(({ id }) => id));
    return { _id: { $in: ids.flatMap(callbackIds) }, ...goesWith(customerNumber, 'url') };
  }
}

interface Owned {
  /** Finds the payments. */
  readonly owned: object;
  readonly customerNumber: CustomerNumber;
}

/** What is sealed with the key of another customer stays. */
function goesWith(customerNumber: CustomerNumber, member: string): object {
  return { [member]: { $exists: true }, [`${member}.customerNumber`]: { $in: [customerNumber, null] } };
}

function holds(customerNumber: CustomerNumber) {
  return {
    $or: GIVEN.map((member) => ({ transactions: { $elemMatch: goesWith(customerNumber, `session.${member}`) } })),
  };
}

/** Payments of that customer, and those of orders that name the customer. */
async function* ownedBy(
  sold: Pick<SoldOrders, 'listNaming'>,
  organisationId: number,
  subject: SubjectId,
): AsyncGenerator<Owned> {
  const customerNumber = CUSTOMER.idOf(subject);
  yield { owned: { organisationId, customerNumber }, customerNumber };
  const orders = sold.listNaming(organisationId as OrganisationId, customerNumber);
  for await (const ids of batchesOf(orders, { count: ORDERS_AT_ONCE })) {
    yield { owned: { organisationId, orderId: { $in: ids } }, customerNumber };
  }
}

function sealedInvoices(organisationId: number, subject: SubjectId): object {
  return { organisationId, customerNumber: CUSTOMER.idOf(subject), sealed: { $exists: true } };
}
