/**
 * Issues a penalty fare invoice: an order with one fee, unless one is named, and its payment by an invoice. Both derive from the
 * number of the invoice and what they hold. So a repeat finds what an attempt before it has made, also without an
 * idempotency key. Caller: the handler of the API.
 */
import { workItemId } from '../../platform/aggregate/work-item-id.ts';
import type { SubjectKeys } from '../../platform/personal/subject-keys.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import { cancelTransaction } from '../../workflows/payments/rules/cancelling.ts';
import { amountMismatch } from '../../workflows/payments/rules/creation.ts';
import type { Payment } from '../../workflows/payments/rules/payment.ts';
import { isTaken, transactionOf } from '../../workflows/payments/rules/transactions.ts';
import type {
  CustomerNumber,
  DistributionChannelId,
  InvoiceId,
  OrderId,
  OrganisationId,
} from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { DistributionChannel } from '../shared/catalogue.ts';
import type { OrderPenaltyAccess } from '../shared/orders.ts';
import { assertCustomer, type CreatingDependencies, createPaymentFor, methodOf } from './creating.ts';
import type { Invoice } from './invoice-document.ts';
import type { InvoiceStore } from './invoice-store.ts';
import type { PaymentStore } from './payment-store.ts';
import type { PaymentWork, Tenancy } from './payment-types.ts';
import { type InvoiceTexts, sealInvoice } from './sealed-invoice.ts';

export interface InvoicingDependencies extends CreatingDependencies {
  readonly payments: PaymentStore;
  readonly invoices: InvoiceStore;
  readonly penalties: OrderPenaltyAccess;
  readonly keys: SubjectKeys;
}

export interface NewInvoice extends InvoiceTexts {
  readonly tenancy: Tenancy;
  /** Of the caller, whose order it is unless one is named. */
  readonly organisationId: OrganisationId;
  readonly channel: DistributionChannel;
  readonly externalInvoiceNumber: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly dueDate: string;
  readonly orderId?: OrderId;
  readonly customerNumber?: CustomerNumber;
}

export type InvoiceStatus = 'ISSUED' | 'PAID' | 'CANCELLED';

const METHOD = { paymentTypeGroup: 'INVOICE', paymentType: 'INVOICE' };

/** Throws DUPLICATE_INVOICE, PAYMENT_METHOD_NOT_ALLOWED, and what creating a payment throws. */
export async function issueInvoice(
  dependencies: InvoicingDependencies,
  wanted: NewInvoice,
  work: PaymentWork,
): Promise<Invoice> {
  const { invoices, keys } = dependencies;
  const named = wanted.orderId && (await dependencies.orders.get(wanted.tenancy, wanted.orderId));
  const organisationId = named?.organisationId ?? wanted.organisationId;
  const earlier = await invoices.findCreated(organisationId, work);
  if (earlier) return earlier;
  assertIssuable(wanted);
  await invoices.assertNew(organisationId, wanted.externalInvoiceNumber);
  await assertCustomer(dependencies, organisationId, wanted.customerNumber);
  const made = { ...work, workId: contentWorkId(organisationId, wanted) };
  const order = named ?? (await createOrder(dependencies, organisationId, wanted, made));
  const payment = await createPayment(dependencies, order, wanted, made);
  const [transaction] = payment.transactions;
  if (!transaction) throw new Error('The payment of an invoice lacks its transaction');
  const { externalInvoiceNumber, amountMinor, currency, dueDate, customerNumber } = wanted;
  const id = workItemId(work.workId, 'invoice') as InvoiceId;
  const { customerIdentificationNumber, reason } = wanted;
  const texts = { customerIdentificationNumber, reason };
  const invoice: Invoice = {
    ...{ id, organisationId, externalInvoiceNumber, amountMinor, currency, dueDate },
    ...{ orderId: order.id, ownsOrder: named === undefined, paymentId: payment.id, transactionId: transaction.id },
    ...(customerNumber !== undefined && { customerNumber }),
    createdAt: payment.createdAt,
    ...(await sealInvoice(keys, { id, orderId: order.id, organisationId }, texts)),
  };
  try {
    return await invoices.create(invoice, work);
  } catch (error) {
    // Another request has taken the number in between: with the same content it has the same payment, too.
    const winner =
      error instanceof ServiceError && (await invoices.findByNumber(organisationId, externalInvoiceNumber));
    if (winner && winner.paymentId !== payment.id) await cancelInvoice(dependencies, invoice, work);
    throw error;
  }
}

/** One invoice has the number in the end: the same order and payment belong to every attempt to issue it. */
function contentWorkId(
  organisationId: OrganisationId,
  { externalInvoiceNumber, channel, currency, amountMinor, customerNumber, orderId }: NewInvoice,
): string {
  const content = [externalInvoiceNumber, channel.id, currency, amountMinor, customerNumber ?? '', orderId ?? ''];
  return workItemId(JSON.stringify([organisationId, ...content]), 'invoice-content');
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

/** What a payment would refuse after its order was made. */
function assertIssuable({ channel, amountMinor, currency, orderId }: NewInvoice): void {
  methodOf(channel, METHOD);
  if (amountMinor <= 0) throw amountMismatch('An invoice has an amount above 0.');
  if (orderId === undefined && currency !== channel.currency) {
    throw new ServiceError('CURRENCY_MISMATCH', `The currency of ${channel.id} is ${channel.currency}.`);
  }
}

async function createOrder(
  { penalties }: InvoicingDependencies,
  organisationId: OrganisationId,
  { channel, currency, amountMinor, customerNumber }: NewInvoice,
  work: PaymentWork,
): Promise<Order> {
  const penalty = {
    distributionChannelId: channel.id as DistributionChannelId,
    currency,
    amountMinor,
    ...(customerNumber !== undefined && { customerNumber }),
  };
  const ofOrder = { ...work, workId: workItemId(work.workId, 'invoice-order') };
  return await penalties.createPenalty(organisationId, penalty, ofOrder);
}

async function createPayment(
  dependencies: InvoicingDependencies,
  { id, version, organisationId }: Order,
  { channel, amountMinor, currency, customerNumber }: NewInvoice,
  work: PaymentWork,
): Promise<Payment> {
  const { payment } = await createPaymentFor(
    dependencies,
    {
      ...{ tenancy: organisationId, channel, orderId: id, orderVersion: version, totalMinor: amountMinor, currency },
      ...(customerNumber !== undefined && { customerNumber }),
      transaction: { amountMinor, currency, ...METHOD },
    },
    { ...work, workId: workItemId(work.workId, 'invoice-payment') },
  );
  return payment;
}
