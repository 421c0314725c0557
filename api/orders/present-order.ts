/** JSON of orders and their parts. */
import type { OrderTexts, StoredOrder } from '../../activities/orders/order-types.ts';
import { balanceMinor, hasEnded, totalAmountMinor, totalTaxMinor } from '../../workflows/orders/rules/amounts.ts';
import type { Fee, Order, OrderTraveller, Reservation } from '../../workflows/orders/rules/order.ts';
import { findCompensation } from '../../workflows/orders/rules/refund-locks.ts';
import { formatAmount } from '../../workflows/shared/money.ts';
import { presentPrice } from '../shared/prices.ts';
import { presentLine } from './present-line.ts';

export function presentOrder({ order: stored, revision, texts }: StoredOrder) {
  const order = withoutLostSeats(stored);
  const { currency } = order;
  const amount = (amountMinor: number) => formatAmount(amountMinor, currency);
  return {
    id: order.id,
    version: order.version,
    status: order.status,
    revision,
    currency,
    totalAmount: amount(totalAmountMinor(order)),
    totalTaxAmount: amount(totalTaxMinor(order)),
    balance: amount(balanceMinor(order)),
    createdAt: order.createdAt.toISOString(),
    expireAt: order.expireAt?.toISOString(),
    lastConfirmedAt: order.lastConfirmedAt?.toISOString(),
    importedAt: order.importedAt?.toISOString(),
    organisationId: order.organisationId,
    distributionChannelId: order.distributionChannelId,
    pos: order.pos,
    externalReference: order.externalReference,
    contactInfo: presentContact(order),
    specialOrderCause: presentCause(order, texts),
    travellers: order.travellers.map(presentTraveller),
    orderLines: order.orderLines.map((line) => presentLine(line, currency)),
    fees: order.fees.map((fee) => presentFee(fee, currency, texts)),
    reservations: order.reservations.map(presentReservation),
    paymentRefs: order.paymentRefs.map(({ paymentId, orderVersion }) => ({ paymentId, orderVersion })),
    paymentPageId: order.paymentPageId,
    creditBalance: order.creditBalance,
    compensationRefundId: findCompensation(order),
  };
}

/** An order that ended has its lines as they were, and no seats: others may have them. */
function withoutLostSeats(order: Order): Order {
  if (!hasEnded(order)) return order;
  const orderLines = order.orderLines.map((line) => ({ ...line, reservationIds: [] }));
  return { ...order, orderLines, reservations: [] };
}

function presentContact({ createdBy, contact }: Order) {
  return {
    createdBy: createdBy === undefined ? undefined : { id: createdBy },
    contact: contact === undefined ? undefined : { id: contact },
  };
}

function presentCause({ causeCode }: Order, { causeDescription }: OrderTexts) {
  return causeCode === undefined ? undefined : { causeCode, description: causeDescription };
}

export function presentTraveller({ id, customerNumber, userTypeId, age }: OrderTraveller) {
  return {
    id,
    customerRef: customerNumber === undefined ? undefined : { id: customerNumber },
    userType: userTypeId,
    age,
  };
}

export function presentFee({ id, type, price, orderLineIds, orderVersion }: Fee, currency: string, texts: OrderTexts) {
  const reason = texts.feeReasons.get(id);
  return { id, type, price: presentPrice(price, currency), reason, orderLineIds, orderVersion };
}

function presentReservation(reservation: Reservation) {
  const { isCompulsory: _compulsory, departure: _departure, givenFacilities: _given, ...shown } = reservation;
  return shown;
}
