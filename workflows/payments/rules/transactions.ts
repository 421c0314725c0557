/** The parts that all commands on transactions share. Pure. */
import type { TransactionId } from '../../shared/ids.ts';
import { ServiceError } from '../../shared/service-error.ts';
import type { Operation, Payment, Transaction, TransactionStatus } from './payment.ts';

/** Every command on one transaction names it. */
export interface OfOne {
  readonly transactionId: TransactionId;
}

/** May still capture. */
const OPEN: ReadonlySet<TransactionStatus> = new Set(['CREATED', 'INITIATED']);
/** Money was taken, whatever became of it later. */
const TAKEN: ReadonlySet<TransactionStatus> = new Set(['CAPTURED', 'CREDITED', 'DISPUTED', 'CREDIT_FAILED']);

export function isOpen({ status }: Pick<Transaction, 'status'>): boolean {
  return OPEN.has(status);
}

export function isTaken({ status }: Pick<Transaction, 'status'>): boolean {
  return TAKEN.has(status);
}

/** Has taken money, or may take it. */
export function isLive(transaction: Pick<Transaction, 'status'>): boolean {
  return isOpen(transaction) || isTaken(transaction);
}

export function findTransaction({ transactions }: Payment, transactionId: TransactionId): Transaction | undefined {
  return transactions.find(({ id }) => id === transactionId);
}

/** Throws NOT_FOUND. */
export function transactionOf(payment: Payment, transactionId: TransactionId): Transaction {
  const found = findTransaction(payment, transactionId);
  if (!found) throw new ServiceError('NOT_FOUND', 'The payment has no such transaction.');
  return found;
}

export function withTransaction(payment: Payment, changed: Transaction, now: Date): Payment {
  const transactions = payment.transactions.map((each) => (each.id === changed.id ? changed : each));
  return { ...payment, transactions, updatedAt: now };
}

/** The transaction with a further step in its log. */
export function logged(transaction: Transaction, operation: Operation, at: Date): Transaction {
  return { ...transaction, operations: [...transaction.operations, { operation, at }] };
}

/** Without the call of the provider that has its outcome now. */
export function withoutIntent({ intent: _intent, ...transaction }: Transaction): Transaction {
  return transaction;
}

/** Its terminal takes nobody any more: the address is a secret, and may name the customer. */
export function withoutTerminal(transaction: Transaction): Transaction {
  if (transaction.session?.terminalUri === undefined) return transaction;
  const { terminalUri: _terminalUri, ...session } = transaction.session;
  return { ...transaction, session };
}

export function invalidState(detail: string): ServiceError {
  return new ServiceError('INVALID_STATE', detail);
}

/** An outcome of the provider is not known yet. */
export function outcomeUnknown(): ServiceError {
  return new ServiceError('RESOURCE_BUSY', 'The outcome of the capture is not known yet; try again.', {
    headers: { 'Retry-After': '2' },
  });
}
