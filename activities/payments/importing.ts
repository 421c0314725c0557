/**
 * Enters money that another system has taken, and confirms the order that it pays. The order is locked meanwhile, so that
 * nothing is captured besides. What is refused unlocks; after any other failure the lock stays for a repeat. The sweep goes on for
 * one that never comes. Callers: the handler of the API, the sweep.
 */
import { balanceMinor } from '../../workflows/orders/rules/amounts.ts';
import { isSpent } from '../../workflows/orders/rules/confirmation.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import { importOwner, importWorkOf } from '../../workflows/orders/rules/settling-lock.ts';
import { dueMinor } from '../../workflows/orders/rules/spent-draft.ts';
import {
  amountMismatch,
  assertNotImported,
  type ImportedMoney,
  importTransaction,
} from '../../workflows/payments/rules/creation.ts';
import type { Transaction } from '../../workflows/payments/rules/payment.ts';
import { summaryOf } from '../../workflows/payments/rules/summary.ts';
import type { PaymentId } from '../../workflows/shared/ids.ts';
import { importKeyOf } from '../../workflows/shared/import-keys.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { HeldLock, OrderAccess, OrderMoneyAccess, ProcessWork } from '../shared/orders.ts';
import type { OrderNotes } from './order-notes.ts';
import { madeTransaction, type PaymentStore } from './payment-store.ts';
import type { PaymentWork, StoredPayment, Tenancy } from './payment-types.ts';

export interface ImportingDependencies {
  readonly payments: Pick<PaymentStore, 'get' | 'change'>;
  readonly orders: Pick<OrderAccess, 'get'>;
  readonly orderMoney: Pick<OrderMoneyAccess, 'lockForCapture' | 'unlock' | 'confirm'>;
  readonly notes: Pick<OrderNotes, 'tell'>;
}

export interface FinishingDependencies extends Omit<ImportingDependencies, 'payments' | 'orderMoney'> {
  readonly payments: Pick<PaymentStore, 'listOfOrder'>;
  readonly orderMoney: Pick<OrderMoneyAccess, 'unlock' | 'confirm'>;
}

interface Importing {
  readonly stored: StoredPayment;
  readonly money: Omit<ImportedMoney, 'id'>;
  readonly work: PaymentWork;
  readonly lockOwner: string;
}

/**
 * Repeatable under the same work id. Throws NOT_FOUND, DUPLICATE_TRANSACTION, what locking the order for a capture throws, and
 * AMOUNT_MISMATCH where the order owes less.
 */
export async function importMoney(
  dependencies: ImportingDependencies,
  place: { readonly tenancy: Tenancy; readonly paymentId: PaymentId },
  work: PaymentWork,
  money: Omit<ImportedMoney, 'id'>,
): Promise<{ readonly stored: StoredPayment; readonly transaction: Transaction }> {
  const stored = await dependencies.payments.get(place.tenancy, place.paymentId);
  const importing = { stored, money, work, lockOwner: importOwner(work.workId) };
  const isDone = madeTransaction(stored.payment, work) !== undefined;
  // Before the order is asked: the first import has confirmed it, and no lock is to be had any more.
  if (!isDone) assertNotImported(stored.payment, money);
  if (!(isDone && (await hasGoneOn(dependencies, importing)))) await enter(dependencies, importing);
  const after = await dependencies.payments.get(place.tenancy, place.paymentId);
  const transaction = madeTransaction(after.payment, work);
  if (!transaction) throw new Error('The payment lacks the transaction that was imported');
  return { stored: after, transaction };
}

/** The earlier attempt has told the order, and its lock is gone. */
async function hasGoneOn({ orders }: ImportingDependencies, { stored, lockOwner }: Importing): Promise<boolean> {
  const { organisationId, orderId } = stored.payment;
  const order = await orders.get(organisationId, orderId);
  return !stored.isUntold && order.lock?.owner !== lockOwner;
}

async function enter(dependencies: ImportingDependencies, importing: Importing): Promise<void> {
  const { payments, orderMoney, notes } = dependencies;
  const { stored, money, work, lockOwner } = importing;
  const { organisationId, orderId, orderVersion, id } = stored.payment;
  const locked = { ...work, lockOwner };
  const importKey = importKeyOf({ rrn: money.rrn, takenAt: money.confirmedAt });
  const order = await orderMoney.lockForCapture(organisationId, orderId, orderVersion, { ...locked, importKey });
  const unlock = () => orderMoney.unlock(organisationId, orderId, locked);
  await unlessRefused(unlock, async () => {
    const entered = await payments.change(organisationId, id, work, (payment, now, { transactionId }) => {
      assertHeld(order, now);
      assertOwed(order, summaryOf(payment).remainingMinor);
      return importTransaction(payment, { ...money, id: transactionId }, now);
    });
    const told = await notes.tell(entered, work);
    if (isPaid(told)) await orderMoney.confirm(organisationId, orderId, orderVersion, locked);
    else await unlock();
  });
}

/**
 * Goes on for an import whose process was lost: what it has entered confirms the order where it pays it, and its lock ends.
 * Without an effect on a lock of another kind. Caller: the sweep.
 */
export async function finishImport(
  { payments, orders, orderMoney, notes }: FinishingDependencies,
  { organisationId, orderId, owner }: HeldLock,
  work: ProcessWork,
): Promise<void> {
  const workId = importWorkOf(owner);
  if (workId === undefined) return;
  const ofOrder = await payments.listOfOrder(organisationId, orderId);
  for (const stored of ofOrder) if (stored.isUntold) await notes.tell(stored, work);
  const entered = ofOrder.find(({ payment }) => madeTransaction(payment, { workId }) !== undefined);
  const order = await orders.get(organisationId, orderId);
  if (order.lock?.owner !== owner) return;
  const locked = { ...work, lockOwner: owner };
  const unlock = () => orderMoney.unlock(organisationId, orderId, locked);
  await unlessRefused(unlock, async () => {
    if (!entered || !isPaid(order)) await unlock();
    else await orderMoney.confirm(organisationId, orderId, entered.payment.orderVersion, locked);
  });
}

/** Far shorter than a lock lasts: the order keeps the money for this payment until it is told. */
const ENTERED_WITHIN_MS = 60_000;

/** A repeat begins the lock anew. */
function assertHeld({ lock }: Order, now: Date): void {
  if (lock && now.getTime() - lock.since.getTime() <= ENTERED_WITHIN_MS) return;
  throw new ServiceError('UNAVAILABLE', 'The import took too long; send it again.', {
    headers: { 'retry-after': '1' },
  });
}

/** To be confirmed. A draft that was travelled on never is, though it may cost what was sold: its caller resets it. */
function isPaid(order: Order): boolean {
  return balanceMinor(order) === 0 && !isSpent(order);
}

function assertOwed(order: Order, remainingMinor: number): void {
  if (remainingMinor > dueMinor(order)) throw amountMismatch('The payment asks for more than the order owes.');
}

async function unlessRefused(unlock: () => Promise<void>, steps: () => Promise<void>): Promise<void> {
  try {
    await steps();
  } catch (error) {
    if (error instanceof ServiceError && error.status < 500) await unlock();
    throw error;
  }
}
