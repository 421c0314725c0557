/** Payments as a whole: create, read, search, change. */
import {
  assertAmount,
  assertPayable,
  createPaymentFor,
  type WantedTransaction,
} from '../../activities/payments/creating.ts';
import type { PaymentWork, StoredPayment } from '../../activities/payments/payment-types.ts';
import { toSearchPage } from '../../platform/mongo/search-filter.ts';
import { cancelTransaction, patchPayment } from '../../workflows/payments/rules/cancelling.ts';
import { assertActive } from '../../workflows/payments/rules/creation.ts';
import type { Payment } from '../../workflows/payments/rules/payment.ts';
import { combine } from '../../workflows/payments/rules/payment-change.ts';
import { summaryOf } from '../../workflows/payments/rules/summary.ts';
import { isOpen } from '../../workflows/payments/rules/transactions.ts';
import type { SettlementId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Handlers } from '../shared/operation.ts';
import { readAmount } from '../shared/prices.ts';
import type { Operations, Schemas } from './contract.gen.ts';
import type { PaymentsDependencies } from './dependencies.ts';
import { presentPayment } from './presenters.ts';
import { ownerOf, targetOf, tenancyOf, workOf } from './requests.ts';
import { searchOf } from './search-requests.ts';

type PaymentOperations = Pick<Operations, 'createPayment' | 'searchPayments' | 'getPayment' | 'patchPayment'>;

export const PAYMENTS_PATH = '/v1/payments';

export function createPaymentOperations(dependencies: PaymentsDependencies): Handlers<PaymentOperations> {
  const { payments, search } = dependencies;
  return {
    createPayment: createHandler(dependencies),
    searchPayments: async ({ caller, search: given }) => {
      const { items, totalItems } = await search.search(tenancyOf(caller), searchOf(given));
      return { status: 200, json: toSearchPage(given, items.map(presentPayment), totalItems) };
    },
    getPayment: async (context) => {
      const { payment } = await payments.get(...targetOf(context));
      return { status: 200, json: presentPayment(payment) };
    },
    patchPayment: patchHandler(dependencies),
  };
}

function createHandler(dependencies: PaymentsDependencies): Handlers<PaymentOperations>['createPayment'] {
  return async (context) => {
    const { body, channel, settlementId } = context;
    const { orderId, orderVersion, customerNumber, currency = channel.currency } = body;
    const totalMinor = readAmount(body.totalAmount, currency, '/totalAmount');
    const given = body.transaction;
    const transaction = given && { ...readTransaction(given, currency, '/transaction'), ...countedBy(settlementId) };
    const work = await workOf(context);
    const { payment } = await createPaymentFor(
      dependencies,
      {
        tenancy: ownerOf(context),
        channel,
        orderId,
        orderVersion,
        totalMinor,
        currency,
        ...(customerNumber !== undefined && { customerNumber }),
        ...(transaction && { transaction }),
      },
      work,
    );
    const location = `${PAYMENTS_PATH}/${payment.id}`;
    return { status: 201, headers: { location }, json: presentPayment(payment) };
  };
}

/** The settlement that counts a transaction. */
export function countedBy(settlementId: SettlementId | undefined) {
  return settlementId === undefined ? {} : { settlementId };
}

/** `currency`: of the payment. */
export function readTransaction(
  given: Schemas['NewTransaction'],
  currency: string,
  pointer: string,
): WantedTransaction {
  const { paymentTypeGroup, paymentType, externalTransactionId } = given;
  return {
    amountMinor: readAmount(given.amount, currency, `${pointer}/amount`),
    currency: given.currency ?? currency,
    paymentTypeGroup,
    paymentType,
    ...(externalTransactionId !== undefined && { externalTransactionId }),
  };
}

function patchHandler(dependencies: PaymentsDependencies): Handlers<PaymentOperations>['patchPayment'] {
  const { payments, notes } = dependencies;
  return async (context) => {
    const { active, totalAmount } = context.body;
    const target = targetOf(context);
    const { payment: before } = await payments.get(...target);
    const totalMinor = totalAmount === undefined ? undefined : readAmount(totalAmount, before.currency, '/totalAmount');
    if (totalMinor !== undefined && totalMinor !== before.totalMinor)
      await assertOwed(dependencies, before, totalMinor);
    const patch = { ...(active !== undefined && { active }), ...(totalMinor !== undefined && { totalMinor }) };
    const work = await workOf(context);
    const changed = await payments.change(...target, work, (payment, now) =>
      combine(payment, [
        (each) => patchPayment(each, patch, now),
        (each) => (active === false ? cancelUnopened(each, now) : { payment: each, events: [] }),
      ]),
    );
    await notes.tryToTell(changed, work);
    if (active === false) await cancelOpened(dependencies, changed, work);
    const { payment } = await payments.get(...target);
    return { status: 200, json: presentPayment(payment) };
  };
}

async function assertOwed({ orders, now }: PaymentsDependencies, payment: Payment, totalMinor: number): Promise<void> {
  assertActive(payment);
  const order = await orders.get(payment.organisationId, payment.orderId);
  assertPayable(order, payment, now());
  assertAmount(order, totalMinor - summaryOf(payment).capturedMinor);
}

/** No provider knows of them yet. */
function cancelUnopened(payment: Payment, now: Date) {
  const unopened = payment.transactions.filter((each) => isOpen(each) && !each.session && !each.intent);
  return combine(
    payment,
    unopened.map(
      ({ id }) =>
        (each) =>
          cancelTransaction(each, { transactionId: id }, now),
    ),
  );
}

/** A capture that runs, or has ended meanwhile, ends by its outcome. */
async function cancelOpened(
  { calls }: PaymentsDependencies,
  { payment }: StoredPayment,
  work: PaymentWork,
): Promise<void> {
  const { organisationId, orderId, id: paymentId } = payment;
  for (const { id: transactionId, paymentPageId } of payment.transactions.filter(isOpen)) {
    const page = paymentPageId !== undefined && { paymentPageId };
    try {
      await calls.cancel({ organisationId, orderId, paymentId, transactionId, ...page }, work);
    } catch (error) {
      const isCapturing = error instanceof ServiceError && ['RESOURCE_BUSY', 'INVALID_STATE'].includes(error.code);
      if (!isCapturing) throw error;
    }
  }
}
