/** Transactions that begin, are read, or were taken elsewhere. */
import { assertUsed, methodOf } from '../../activities/payments/creating.ts';
import { importMoney } from '../../activities/payments/importing.ts';
import { madeTransaction } from '../../activities/payments/payment-store.ts';
import { addTransaction, amountMismatch } from '../../workflows/payments/rules/creation.ts';
import type { Payment, Transaction } from '../../workflows/payments/rules/payment.ts';
import { transactionOf } from '../../workflows/payments/rules/transactions.ts';
import { formatAmount } from '../../workflows/shared/money.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Handlers } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import type { PaymentsDependencies } from './dependencies.ts';
import { countedBy, PAYMENTS_PATH, readTransaction } from './payments.ts';
import { presentTransaction } from './presenters.ts';
import { targetOf, transactionIdOf, workOf } from './requests.ts';

type TransactionOperations = Pick<Operations, 'addTransaction' | 'getTransaction' | 'importTransaction'>;

export function createTransactionOperations(dependencies: PaymentsDependencies): Handlers<TransactionOperations> {
  const { payments, notes, needless, orders } = dependencies;
  return {
    addTransaction: async (context) => {
      const target = targetOf(context);
      const { payment: before } = await payments.get(...target);
      const wanted = { ...readTransaction(context.body, before.currency, ''), ...countedBy(context.settlementId) };
      const work = await workOf(context);
      const method = methodOf(context.channel, wanted);
      assertUsed(method, dependencies.usesProvider);
      const stored = await payments.change(...target, work, (payment, now, { transactionId: id }) => {
        assertFirst(payment, wanted.amountMinor);
        return addTransaction(payment, { ...wanted, id, provider: method.provider, capturesItself: false }, now);
      });
      await notes.tryToTell(stored, work);
      return created(stored.payment, madeTransaction(stored.payment, work));
    },
    getTransaction: async (context) => {
      const { payment } = await payments.get(...targetOf(context));
      const transaction = transactionOf(payment, transactionIdOf(context));
      return { status: 200, json: presentTransaction(transaction, payment.currency) };
    },
    importTransaction: async (context) => {
      const [tenancy, paymentId] = targetOf(context);
      const { payment } = await payments.get(tenancy, paymentId);
      const { isImport: _import, transactionConfirmedAt, rrn, cardNumber, ...given } = context.body;
      const { capturesItself: _captures, ...read } = readTransaction(given, payment.currency, '');
      const wanted = { ...read, ...countedBy(context.settlementId) };
      const confirmedAt = confirmedTime(transactionConfirmedAt, dependencies.now());
      const work = await workOf(context);
      methodOf(context.channel, wanted);
      const money = { ...wanted, rrn, confirmedAt, ...(cardNumber !== undefined && { last4: cardNumber }) };
      const { stored, transaction } = await importMoney(dependencies, { tenancy, paymentId }, work, money);
      const { organisationId, orderId } = stored.payment;
      await needless.tryToWake(await orders.get(organisationId, orderId), work.correlationId);
      return created(stored.payment, transaction);
    },
  };
}

function created({ id, currency }: Payment, transaction: Transaction | undefined) {
  if (!transaction) throw new Error('The payment lacks the transaction that was made');
  const location = `${PAYMENTS_PATH}/${id}/transactions/${transaction.id}`;
  return { status: 201 as const, headers: { location }, json: presentTransaction(transaction, currency) };
}

/** The first transaction of a payment pays it whole. */
function assertFirst({ transactions, totalMinor, currency }: Payment, amountMinor: number): void {
  if (transactions.length > 0 || amountMinor === totalMinor) return;
  throw amountMismatch(`The first transaction pays the total, ${formatAmount(totalMinor, currency)} ${currency}.`);
}

function confirmedTime(text: string, now: Date): Date {
  const confirmedAt = new Date(text);
  if (confirmedAt.getTime() <= now.getTime()) return confirmedAt;
  const detail = 'lies in the future';
  throw new ServiceError('VALIDATION_FAILED', `/transactionConfirmedAt ${detail}.`, {
    errors: [{ pointer: '/transactionConfirmedAt', code: 'PAST', detail }],
  });
}
