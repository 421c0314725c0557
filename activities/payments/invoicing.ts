/**
 * Issues a penalty fare invoice for its claim (invoice-claims.ts), and cancels one. What an attempt with other content has left of the
 * number is cancelled by the next one: one invoice has one claim. Caller: the handler of the API.
 */
import { workItemId } from '../../platform/aggregate/work-item-id.ts';
import type { SubjectKeys } from '../../platform/personal/subject-keys.ts';
import { cancelTransaction } from '../../workflows/payments/rules/cancelling.ts';
import { amountMismatch } from '../../workflows/payments/rules/creation.ts';
import type { Payment } from '../../workflows/payments/rules/payment.ts';
import { isTaken, transactionOf } from '../../workflows/payments/rules/transactions.ts';
import type { InvoiceId, OrganisationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { assertCustomer, methodOf } from './creating.ts';
import {
  type ClaimDependencies,
  cancelOtherClaims,
  createClaim,
  INVOICE_METHOD,
  type NewClaim,
} from './invoice-claims.ts';
import type { Invoice } from './invoice-document.ts';
import { duplicateInvoice, type InvoiceStore } from './invoice-store.ts';
import type { PaymentWork, Tenancy } from './payment-types.ts';
import { type InvoiceTexts, sealInvoice } from './sealed-invoice.ts';

export interface InvoicingDependencies extends ClaimDependencies {
  readonly invoices: InvoiceStore;
  readonly keys: SubjectKeys;
}

export interface NewInvoice extends NewClaim, InvoiceTexts {
  readonly tenancy: Tenancy;
  /** Of the caller, whose order it is unless one is named. */
  readonly organisationId: OrganisationId;
  readonly dueDate: string;
}

export type InvoiceStatus = 'ISSUED' | 'PAID' | 'CANCELLED';

/** Throws DUPLICATE_INVOICE, PAYMENT_METHOD_NOT_ALLOWED, and what creating a payment throws. */
export async function issueInvoice(
  dependencies: InvoicingDependencies,
  wanted: NewInvoice,
  work: PaymentWork,
): Promise<Invoice> {
  const { invoices } = dependencies;
  const named = wanted.orderId && (await dependencies.orders.get(wanted.tenancy, wanted.orderId));
  const organisationId = named?.organisationId ?? wanted.organisationId;
  const { externalInvoiceNumber } = wanted;
  const ofNumber = { organisationId, externalInvoiceNumber };
  const earlier = await invoices.findCreated(organisationId, work);
  if (earlier) {
    await cancelOtherClaims(dependencies, earlier, work);
    return earlier;
  }
  assertIssuable(wanted);
  await assertNew(dependencies, ofNumber, work);
  await assertCustomer(dependencies, organisationId, wanted.customerNumber);
  const owner = { organisationId, named: named || undefined };
  const { order, payment } = await createClaim(dependencies, owner, wanted, work).catch(async (error: unknown) => {
    // The request that has taken the number in between cancels this claim.
    if (error instanceof ServiceError) await assertNew(dependencies, ofNumber, work);
    throw error;
  });
  const ids = { orderId: order.id, ownsOrder: named === undefined, paymentId: payment.id };
  const invoice = await invoiceOf(dependencies, wanted, { ...ofNumber, ...ids, payment }, work);
  try {
    const created = await invoices.create(invoice, work);
    await cancelOtherClaims(dependencies, created, work);
    return created;
  } catch (error) {
    // Another request has taken the number in between: with the same content it has the same payment, too.
    const winner =
      error instanceof ServiceError && (await invoices.findByNumber(organisationId, externalInvoiceNumber));
    if (winner && winner.paymentId !== payment.id) await cancelInvoice(dependencies, invoice, work);
    throw error;
  }
}

/** Throws DUPLICATE_INVOICE. What lost the number, and died before it was cancelled, is cancelled then. */
async function assertNew(
  dependencies: InvoicingDependencies,
  ofNumber: Pick<Invoice, 'organisationId' | 'externalInvoiceNumber'>,
  work: PaymentWork,
): Promise<void> {
  const { organisationId, externalInvoiceNumber } = ofNumber;
  const taken = await dependencies.invoices.findByNumber(organisationId, externalInvoiceNumber);
  if (!taken) return;
  await cancelOtherClaims(dependencies, { ...ofNumber, orderId: taken.orderId }, work);
  throw duplicateInvoice();
}

/** What a payment would refuse after its order was made. */
function assertIssuable({ channel, amountMinor, currency, orderId }: NewInvoice): void {
  methodOf(channel, INVOICE_METHOD);
  if (amountMinor <= 0) throw amountMismatch('An invoice has an amount above 0.');
  if (orderId === undefined && currency !== channel.currency) {
    throw new ServiceError('CURRENCY_MISMATCH', `The currency of ${channel.id} is ${channel.currency}.`);
  }
}

type Claimed = Pick<Invoice, 'organisationId' | 'externalInvoiceNumber' | 'orderId' | 'ownsOrder' | 'paymentId'> & {
  readonly payment: Payment;
};

async function invoiceOf(
  { keys }: InvoicingDependencies,
  { amountMinor, currency, dueDate, customerNumber, customerIdentificationNumber, reason }: NewInvoice,
  { payment, ...claimed }: Claimed,
  work: PaymentWork,
): Promise<Invoice> {
  const [transaction] = payment.transactions;
  if (!transaction) throw new Error('The payment of an invoice lacks its transaction');
  const id = workItemId(work.workId, 'invoice') as InvoiceId;
  return {
    ...{ id, ...claimed, amountMinor, currency, dueDate, transactionId: transaction.id },
    ...(customerNumber !== undefined && { customerNumber }),
    createdAt: payment.createdAt,
    ...(await sealInvoice(keys, { id, ...claimed }, { customerIdentificationNumber, reason })),
  };
}

/** Repeatable. Throws INVALID_STATE once it is paid. */
export async function cancelInvoice(
  { payments, notes, penalties }: Pick<InvoicingDependencies, 'payments' | 'notes' | 'penalties'>,
  { organisationId, orderId, paymentId, transactionId, ownsOrder }: Invoice,
  { workId: _workId, ...work }: PaymentWork,
): Promise<void> {
  const stored = await payments.change(organisationId, paymentId, work, (payment, now) =>
    cancelTransaction(payment, { transactionId }, now),
  );
  await notes.tryToTell(stored, work);
  if (ownsOrder) await penalties.cancelPenalty(organisationId, orderId, work);
}

export function invoiceStatusOf({ transactionId }: Pick<Invoice, 'transactionId'>, payment: Payment): InvoiceStatus {
  const transaction = transactionOf(payment, transactionId);
  if (isTaken(transaction)) return 'PAID';
  return transaction.status === 'CREATED' || transaction.status === 'INITIATED' ? 'ISSUED' : 'CANCELLED';
}
