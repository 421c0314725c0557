/**
 * What a penalty fare invoice claims: an order with one fee, unless one is named, and its payment by an invoice. Both derive from the
 * number of the invoice and what they hold, so a repeat finds what an attempt before it has made, also without an idempotency
 * key. Caller: invoicing.ts.
 */
import { workItemId } from '../../platform/aggregate/work-item-id.ts';
import { REPEATS_RECOGNISED_MS } from '../../platform/idempotency/lifetime.ts';
import type { Logger } from '../../platform/log.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import { cancelTransaction } from '../../workflows/payments/rules/cancelling.ts';
import type { Payment } from '../../workflows/payments/rules/payment.ts';
import type { CustomerNumber, DistributionChannelId, OrderId, OrganisationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { DistributionChannel } from '../shared/catalogue.ts';
import type { OrderPenaltyAccess } from '../shared/orders.ts';
import { type CreatingDependencies, createPaymentFor } from './creating.ts';
import type { Invoice } from './invoice-document.ts';
import type { PaymentStore } from './payment-store.ts';
import type { PaymentWork } from './payment-types.ts';

export interface ClaimDependencies extends CreatingDependencies {
  readonly payments: PaymentStore;
  readonly penalties: OrderPenaltyAccess;
  readonly log: Logger;
  readonly now: () => Date;
}

export type ClaimEnding = Pick<ClaimDependencies, 'payments' | 'notes' | 'log'> & {
  readonly penalties: Pick<OrderPenaltyAccess, 'cancelPenalty'>;
};

/** A request that has joined a claim just before has issued its invoice by then. */
export const LOST_AFTER_MS = REPEATS_RECOGNISED_MS + 3_600_000;

export interface NewClaim {
  readonly channel: DistributionChannel;
  readonly externalInvoiceNumber: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly orderId?: OrderId;
  readonly customerNumber?: CustomerNumber;
}

interface Claim {
  readonly order: Order;
  readonly payment: Payment;
}

export const INVOICE_METHOD = { paymentTypeGroup: 'INVOICE', paymentType: 'INVOICE' };

/** `named`: the order that the invoice is for. Throws what creating a payment throws. */
export async function createClaim(
  dependencies: ClaimDependencies,
  { organisationId, named }: { readonly organisationId: OrganisationId; readonly named: Order | undefined },
  wanted: NewClaim,
  work: PaymentWork,
): Promise<Claim> {
  const contentId = contentWorkId(organisationId, wanted);
  for (let attempt = 1; ; attempt += 1) {
    const id = attempt === 1 ? contentId : `${contentId}/${attempt}`;
    const ofOrder = { ...work, workId: `${claimsOf(organisationId, wanted.externalInvoiceNumber)}${id}` };
    const order = named ?? (await createOrder(dependencies, organisationId, wanted, ofOrder));
    if (!named && isLost(order, dependencies.now())) continue;
    const ofPayment = { ...work, workId: workItemId(id, 'invoice-payment') };
    return { order, payment: await createPayment(dependencies, order, wanted, ofPayment) };
  }
}

/** Cancelled, or about to be by the sweep (lost-claims.ts). */
function isLost({ status, createdAt }: Order, now: Date): boolean {
  if (status === 'CANCELLED' || status === 'EXPIRED') return true;
  return status === 'DRAFT' && createdAt.getTime() + REPEATS_RECOGNISED_MS <= now.getTime();
}

/**
 * Cancels the orders that attempts with other content have made for the number, and that died. Repeatable. One that cannot be cancelled,
 * as its money is taken, is left to the next request: it takes no invoice from anybody.
 */
export async function cancelOtherClaims(
  dependencies: ClaimDependencies,
  invoice: Pick<Invoice, 'organisationId' | 'externalInvoiceNumber' | 'orderId'>,
  { workId: _workId, ...work }: PaymentWork,
): Promise<void> {
  const { organisationId, externalInvoiceNumber } = invoice;
  const claims = await dependencies.penalties.listPenalties(
    organisationId,
    claimsOf(organisationId, externalInvoiceNumber),
  );
  for (const orderId of claims.filter((each) => each !== invoice.orderId)) {
    await tryToCancelClaim(dependencies, { organisationId, orderId }, work);
  }
}

/** One whose money is taken stays. */
export async function tryToCancelClaim(
  dependencies: ClaimEnding,
  claim: Pick<Invoice, 'organisationId' | 'orderId'>,
  work: Omit<PaymentWork, 'workId'>,
): Promise<void> {
  try {
    await cancelClaim(dependencies, claim, work);
  } catch (err) {
    if (!(err instanceof ServiceError) || err.status >= 500) throw err;
    const { orderId } = claim;
    dependencies.log.warn({ err, orderId }, 'a claim without an invoice could not be cancelled');
  }
}

async function cancelClaim(
  { penalties, payments, notes }: ClaimEnding,
  { organisationId, orderId }: Pick<Invoice, 'organisationId' | 'orderId'>,
  work: Omit<PaymentWork, 'workId'>,
): Promise<void> {
  for (const { payment } of await payments.listOfOrder(organisationId, orderId)) {
    for (const { id: transactionId } of payment.transactions) {
      const cancelled = await payments.change(organisationId, payment.id, work, (before, now) =>
        cancelTransaction(before, { transactionId }, now),
      );
      await notes.tryToTell(cancelled, work);
    }
  }
  await penalties.cancelPenalty(organisationId, orderId, work);
}

/** One invoice has the number in the end: the same order and payment belong to every attempt to issue it. */
function contentWorkId(
  organisationId: OrganisationId,
  { externalInvoiceNumber, channel, currency, amountMinor, customerNumber, orderId }: NewClaim,
): string {
  const content = [externalInvoiceNumber, channel.id, currency, amountMinor, customerNumber ?? '', orderId ?? ''];
  return workItemId(JSON.stringify([organisationId, ...content]), 'invoice-content');
}

/** The work ids of all orders that are made for the number begin so. */
function claimsOf(organisationId: OrganisationId, externalInvoiceNumber: string): string {
  return `penalty-fare/${workItemId(JSON.stringify([organisationId, externalInvoiceNumber]), 'invoice-number')}/`;
}

async function createOrder(
  { penalties }: ClaimDependencies,
  organisationId: OrganisationId,
  { channel, currency, amountMinor, customerNumber }: NewClaim,
  work: PaymentWork,
): Promise<Order> {
  const penalty = {
    distributionChannelId: channel.id as DistributionChannelId,
    currency,
    amountMinor,
    ...(customerNumber !== undefined && { customerNumber }),
  };
  return await penalties.createPenalty(organisationId, penalty, work);
}

async function createPayment(
  dependencies: ClaimDependencies,
  { id, version, organisationId }: Order,
  { channel, amountMinor, currency, customerNumber }: NewClaim,
  work: PaymentWork,
): Promise<Payment> {
  const wanted = {
    ...{ tenancy: organisationId, channel, orderId: id, orderVersion: version, totalMinor: amountMinor, currency },
    ...(customerNumber !== undefined && { customerNumber }),
    transaction: { amountMinor, currency, ...INVOICE_METHOD },
  };
  return (await createPaymentFor(dependencies, wanted, work)).payment;
}
