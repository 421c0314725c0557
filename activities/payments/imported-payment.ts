/**
 * Makes the payment of an order that was imported, when money of it is to be credited. It derives from the order, so several
 * callers make one. Callers: order-payments.ts, refund-money.ts.
 */
import type { Order } from '../../workflows/orders/rules/order.ts';
import { paymentOfImport } from '../../workflows/payments/rules/imported-order.ts';
import type { Payment } from '../../workflows/payments/rules/payment.ts';
import type { PaymentChange } from '../../workflows/payments/rules/payment-change.ts';
import type { OrderId, PaymentId } from '../../workflows/shared/ids.ts';
import { paymentIdOf, transactionIdOf } from './number-id.ts';
import type { OrderNotes } from './order-notes.ts';
import type { PaymentStore } from './payment-store.ts';
import type { PaymentWork, StoredPayment } from './payment-types.ts';

export interface ImportedPaymentDependencies {
  readonly payments: Pick<PaymentStore, 'create'>;
  readonly notes: Pick<OrderNotes, 'tell'>;
}

/** Undefined where nothing was imported with the order. The order knows the payment afterwards. Repeatable. */
export async function ensureImportedPayment(
  { payments, notes }: ImportedPaymentDependencies,
  order: Order,
  { correlationId, clientId }: Omit<PaymentWork, 'workId'>,
): Promise<StoredPayment | undefined> {
  const { organisationId, id, importedTransactions: taken = [] } = order;
  if (taken.length === 0) return undefined;
  const work = { workId: workIdOf(id), correlationId, clientId };
  const stored = await payments.create(organisationId, work, ({ paymentId }, now) =>
    makePayment(order, paymentId, now),
  );
  if (stored.isUntold) await notes.tell(stored, work);
  return stored;
}

/** As it would be made now. Undefined where nothing was imported with the order. Writes nothing. */
export function importedPaymentOf(order: Order, now: Date): Payment | undefined {
  if (!order.importedTransactions?.length) return undefined;
  return makePayment(order, paymentIdOf(workIdOf(order.id), 0), now).payment;
}

function makePayment(order: Order, id: PaymentId, now: Date): PaymentChange {
  const { organisationId, distributionChannelId, id: orderId, currency, importedTransactions: taken = [] } = order;
  const content = { id, organisationId, distributionChannelId, orderId, orderVersion: 1, currency };
  // The number of the payment makes other numbers when an attempt finds one taken.
  const transactions = taken.map((each, at) => ({
    ...each,
    id: transactionIdOf(`${workIdOf(orderId)}/${id}/${at}`, 0),
  }));
  return paymentOfImport({ ...content, transactions }, now);
}

function workIdOf(orderId: OrderId): string {
  return `order-import/${orderId}`;
}
