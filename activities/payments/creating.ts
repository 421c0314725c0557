/**
 * Creates a payment for the version that its order has now, and tells the order. Repeated under the same work id it answers the
 * payment of the first attempt. Callers: the handler of the API, payment pages.
 */
import { assertNoRefund, assertNotDue, assertWritable, invalidState } from '../../workflows/orders/rules/guards.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import { dueMinor } from '../../workflows/orders/rules/spent-draft.ts';
import { amountMismatch, createPayment, type NewTransaction } from '../../workflows/payments/rules/creation.ts';
import type { CustomerNumber, DistributionChannelId, OrderId } from '../../workflows/shared/ids.ts';
import { formatAmount } from '../../workflows/shared/money.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { DistributionChannel, PaymentMethod } from '../shared/catalogue.ts';
import type { CustomerReader } from '../shared/customers.ts';
import type { OrderAccess } from '../shared/orders.ts';
import type { OrderNotes } from './order-notes.ts';
import type { PaymentStore } from './payment-store.ts';
import type { PaymentWork, StoredPayment, Tenancy } from './payment-types.ts';

export type UsesProvider = (provider: string) => boolean;

/** The order's document names each. */
const MOST_PAYMENTS = 500;

export interface CreatingDependencies {
  readonly payments: Pick<PaymentStore, 'create' | 'findCreated'>;
  readonly orders: Pick<OrderAccess, 'get'>;
  readonly customers: CustomerReader;
  readonly notes: Pick<OrderNotes, 'tryToTell'>;
  /** Whether the configuration names it. Absent: nobody asked. */
  readonly usesProvider?: UsesProvider;
  readonly now?: () => Date;
}

export type WantedTransaction = Omit<NewTransaction, 'id' | 'provider' | 'capturesItself'> &
  Partial<Pick<NewTransaction, 'capturesItself'>>;

export interface WantedPayment {
  readonly tenancy: Tenancy;
  readonly channel: DistributionChannel;
  readonly orderId: OrderId;
  readonly orderVersion: number;
  readonly totalMinor: number;
  readonly currency: string;
  readonly customerNumber?: CustomerNumber;
  readonly transaction?: WantedTransaction;
}

/**
 * Throws NOT_FOUND, ORDER_LOCKED while a refund runs, ORDER_VERSION_MISMATCH, ORDER_EXPIRED, INVALID_STATE, AMOUNT_MISMATCH, CURRENCY_MISMATCH, UNKNOWN_CUSTOMER,
 * PAYMENT_METHOD_NOT_ALLOWED.
 */
export async function createPaymentFor(
  { payments, orders, customers, notes, usesProvider, now = () => new Date() }: CreatingDependencies,
  wanted: WantedPayment,
  work: PaymentWork,
): Promise<StoredPayment> {
  const order = await orders.get(wanted.tenancy, wanted.orderId);
  const { organisationId } = order;
  // The order may have gone on since the first attempt.
  const earlier = await payments.findCreated(organisationId, work);
  if (earlier) return earlier;
  assertPayable(order, wanted, now());
  assertAmount(order, wanted.totalMinor);
  assertRoom(order);
  const { channel, transaction, customerNumber } = wanted;
  const method = transaction && methodOf(channel, transaction);
  if (method) assertUsed(method, usesProvider);
  await assertCustomer({ customers }, organisationId, customerNumber);
  const created = await payments.create(organisationId, work, ({ paymentId, transactionId }, at) =>
    createPayment(
      {
        id: paymentId,
        organisationId,
        distributionChannelId: channel.id as DistributionChannelId,
        orderId: order.id,
        orderVersion: wanted.orderVersion,
        totalMinor: wanted.totalMinor,
        currency: wanted.currency,
        ...(customerNumber !== undefined && { customerNumber }),
        ...(transaction &&
          method && {
            transaction: { capturesItself: false, ...transaction, id: transactionId, provider: method.provider },
          }),
      },
      at,
    ),
  );
  await notes.tryToTell(created, work);
  return created;
}

/** The draft of this version may be paid in this currency. Throws also ORDER_LOCKED. */
export function assertPayable(
  order: Order,
  { orderVersion, currency }: Pick<WantedPayment, 'orderVersion' | 'currency'>,
  now: Date,
): void {
  // The lock of a capture ends by itself: it stops another capture, not a payment.
  assertWritable({ status: order.status }, {});
  assertNoRefund(order);
  assertNotDue(order, now);
  if (order.version !== orderVersion) {
    throw new ServiceError('ORDER_VERSION_MISMATCH', `The version of the order is ${order.version}.`);
  }
  if (order.currency !== currency) {
    throw new ServiceError('CURRENCY_MISMATCH', `The currency of the order is ${order.currency}.`);
  }
}

function assertRoom({ paymentRefs }: Order): void {
  if (paymentRefs.length >= MOST_PAYMENTS) throw invalidState(`An order has at most ${MOST_PAYMENTS} payments.`);
}

/** What is asked for is what the order owes. */
export function assertAmount(order: Order, amountMinor: number): void {
  const due = dueMinor(order);
  if (amountMinor === due) return;
  throw amountMismatch(`The balance of the order is ${formatAmount(due, order.currency)} ${order.currency}.`);
}

/** The active method of the channel. Throws PAYMENT_METHOD_NOT_ALLOWED. */
export function methodOf(
  { id, paymentMethods }: DistributionChannel,
  wanted: Pick<WantedTransaction, 'paymentTypeGroup' | 'paymentType'>,
): PaymentMethod {
  const found = paymentMethods.find(
    ({ active, paymentTypeGroup, paymentType }) =>
      active && paymentTypeGroup === wanted.paymentTypeGroup && paymentType === wanted.paymentType,
  );
  if (found) return found;
  const detail = `${id} does not offer ${wanted.paymentType} of ${wanted.paymentTypeGroup}: GET /v1/payment-methods lists what it does.`;
  throw new ServiceError('PAYMENT_METHOD_NOT_ALLOWED', detail);
}

/** Before a transaction begins that nobody here could ever pay. Throws PAYMENT_METHOD_NOT_ALLOWED. */
export function assertUsed({ paymentType, provider }: PaymentMethod, usesProvider: UsesProvider = () => true): void {
  if (usesProvider(provider)) return;
  const detail = `${paymentType} cannot be paid here: the payment provider ${provider} is not set up.`;
  throw new ServiceError('PAYMENT_METHOD_NOT_ALLOWED', detail);
}

/** Throws UNKNOWN_CUSTOMER. */
export async function assertCustomer(
  { customers }: Pick<CreatingDependencies, 'customers'>,
  organisationId: Order['organisationId'],
  customerNumber: CustomerNumber | undefined,
): Promise<void> {
  if (customerNumber === undefined) return;
  if ((await customers.listExisting(organisationId, [customerNumber])).has(customerNumber)) return;
  const detail = 'The organisation has no such customer';
  throw new ServiceError('UNKNOWN_CUSTOMER', `${detail}.`, {
    errors: [{ pointer: '/customerNumber', code: 'UNKNOWN_REFERENCE', detail }],
  });
}
