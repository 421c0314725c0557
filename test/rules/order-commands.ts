/** Every command on orders, made for an order as it stands. Used by the tables and the properties. */

import { randomUUID } from 'node:crypto';
import { confirmOrder } from '../../workflows/orders/rules/confirmation.ts';
import { detachCustomer } from '../../workflows/orders/rules/detachment.ts';
import { noteDisruption } from '../../workflows/orders/rules/disruption.ts';
import { abandonDraft, cancelOrder, expireOrder, resetOrder } from '../../workflows/orders/rules/endings.ts';
import {
  raiseExpireAt,
  removeSpecialOrderCause,
  setContactInfo,
  setExpireAt,
  setExternalReference,
  setSpecialOrderCause,
} from '../../workflows/orders/rules/facts.ts';
import { addFee, removeFee } from '../../workflows/orders/rules/fees.ts';
import { cancelLines, removeLines } from '../../workflows/orders/rules/line-removal.ts';
import { replaceLines } from '../../workflows/orders/rules/line-replacement.ts';
import { addLines } from '../../workflows/orders/rules/lines.ts';
import { noteMovedStart } from '../../workflows/orders/rules/moved-start.ts';
import type { Order, OrderLine } from '../../workflows/orders/rules/order.ts';
import type { OrderChange } from '../../workflows/orders/rules/order-change.ts';
import { lockOrder, unlockOrder } from '../../workflows/orders/rules/order-lock.ts';
import { attachPaymentPage, detachPaymentPage, notePayment } from '../../workflows/orders/rules/payment-notes.ts';
import { updateReservation } from '../../workflows/orders/rules/reservations.ts';
import { addSupplements } from '../../workflows/orders/rules/reserving/add-supplements.ts';
import { changeLines } from '../../workflows/orders/rules/reserving/change-lines.ts';
import type { RuleBook } from '../../workflows/orders/rules/reserving/change-terms.ts';
import { reserveLines } from '../../workflows/orders/rules/reserving/reserve-lines.ts';
import { eraseTexts } from '../../workflows/orders/rules/text-erasure.ts';
import { addTravellers, removeTravellers, replaceTravellers } from '../../workflows/orders/rules/travellers.ts';
import { noteUse } from '../../workflows/orders/rules/use.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import { priceWithTax } from '../../workflows/shared/price.ts';
import {
  later,
  newLineId,
  newReservationId,
  sampleFee,
  sampleLine,
  sampleReservation,
  sampleTraveller,
  seatedLine,
  VAT,
} from '../support/sample-orders.ts';

export type Try = (order: Order, now: Date) => OrderChange;

export const OWNER = 'capture/1/1';
export const CUSTOMER = '1000000001' as CustomerNumber;

/** The line that a command is about: the first in one of these states, else the first. */
function lineOf({ orderLines }: Order, ...statuses: OrderLine['status'][]): OrderLine {
  const line = orderLines.find(({ status }) => statuses.includes(status)) ?? orderLines[0];
  if (!line) throw new Error('The sample order has no line');
  return line;
}

/** Of another payment than {@link settle} notes. */
function emptyPayment(order: Order) {
  const nothing = { capturedMinor: 0, creditedMinor: 0, openTransactions: 0 };
  return { payment: { paymentId: 2, orderVersion: order.version, ...nothing } };
}

const BOOK: RuleBook = {
  timeZone: 'Europe/Oslo',
  refundRuleSets: new Map(),
  changeRuleSets: new Map([
    ['FEE', { id: 'FEE', currency: 'NOK', rules: [{ id: 'ALWAYS', untilBefore: '-P3650D', feeAmountMinor: 1_000 }] }],
  ]),
};

/** Up to two lines become one with another price and a seat of its own. */
function changeSome(order: Order, now: Date): OrderChange {
  const open = order.orderLines.filter(({ status }) => status === 'CONFIRMED' || status === 'DRAFT').slice(0, 2);
  const replaced = open.length > 0 ? open : [lineOf(order)];
  const [first] = replaced as [OrderLine];
  const traveller = order.travellers.find(({ id }) => id === first.travellers[0]?.travellerId) ?? sampleTraveller();
  const { line, reservation } = seatedLine({
    traveller,
    amountMinor: first.price.amountMinor === 8_000 ? 12_000 : 8_000,
  });
  return changeLines(
    order,
    {
      travellers: [traveller],
      exchanges: [
        {
          replacedLineIds: replaced.map(({ id }) => id),
          lines: [{ ...line, id: first.id, changeRuleSetId: 'FEE', refundRuleSetId: 'NONE' }],
        },
      ],
      reservations: [{ ...reservation, orderLineId: first.id }],
      refundPriceDifference: true,
      book: BOOK,
      feeId: () => randomUUID(),
    },
    now,
  );
}

/** By name. */
export const COMMANDS: Readonly<Record<string, Try>> = {
  addTravellers: (order, now) => addTravellers(order, { travellers: [sampleTraveller()] }, now),
  replaceTravellers: (order, now) =>
    replaceTravellers(order, { travellers: order.travellers.map((each) => ({ ...each, age: 40 })) }, now),
  removeTravellers: (order, now) => {
    const used = new Set(
      order.orderLines.flatMap(({ travellers }) => travellers.map(({ travellerId }) => travellerId)),
    );
    const free = order.travellers.filter(({ id }) => !used.has(id)).map(({ id }) => id);
    return removeTravellers(order, { travellerIds: free.slice(0, 1) }, now);
  },
  addLines: (order, now) => addLines(order, { lines: [sampleLine()] }, now),
  addSeatedLine: (order, now) => {
    const [traveller] = order.travellers;
    const { line, reservation } = seatedLine({ ...(traveller && { traveller }) });
    return addLines(order, { lines: [line], reservations: [reservation] }, now);
  },
  replaceLines: (order, now) => {
    const line = lineOf(order, 'CONFIRMED', 'DRAFT');
    const kept = order.reservations.filter(({ orderLineId }) => orderLineId === line.id);
    return replaceLines(
      order,
      { lines: [{ ...line, price: { amountMinor: 12_000, taxMinor: 1_286 } }], reservations: kept },
      now,
    );
  },
  removeLines: (order, now) => removeLines(order, { orderLineIds: [lineOf(order, 'DRAFT').id] }, now),
  cancelLines: (order, now) => cancelLines(order, { orderLineIds: [lineOf(order, 'CONFIRMED', 'DRAFT').id] }, now),
  addFee: (order, now) => addFee(order, { fee: sampleFee('MANUAL', 5_000) }, now),
  removeFee: (order, now) =>
    removeFee(order, { feeId: order.fees.find(({ type }) => type === 'MANUAL')?.id ?? 'none' }, now),
  updateReservation: (order, now) => {
    const seat = order.reservations.find(({ orderLineId }) => lineOf(order, 'CONFIRMED', 'DRAFT').id === orderLineId);
    const reservation = seat ?? order.reservations[0] ?? sampleReservation({ orderLineId: newLineId() });
    const replacement = { ...reservation, id: newReservationId(), seatNumber: '2' };
    return updateReservation(order, { reservationId: reservation.id, replacement }, now);
  },
  setContactInfo: (order, now) =>
    setContactInfo(order, { contact: CUSTOMER, ...(order.contact && { createdBy: CUSTOMER }) }, now),
  setExternalReference: (order, now) => setExternalReference(order, { externalReference: `A-${now.getTime()}` }, now),
  setSpecialOrderCause: (order, now) => setSpecialOrderCause(order, { causeCode: 'SCHOOL' }, now),
  removeSpecialOrderCause: (order, now) => removeSpecialOrderCause(order, {}, now),
  setExpireAt: (order, now) => setExpireAt(order, { expireAt: later(60, now) }, now),
  raiseExpireAt: (order, now) => raiseExpireAt(order, { lifeMs: 45 * 60_000 }, now),
  confirmOrder: (order, now) => confirmOrder(order, { orderVersion: order.version }, now),
  cancelOrder: (order, now) => cancelOrder(order, {}, now),
  resetOrder: (order, now) => resetOrder(order, {}, now),
  expireOrder: (order, now) => expireOrder(order, {}, now),
  abandonDraft: (order, now) => abandonDraft(order, { orderVersion: order.version }, now),
  lockOrder: (order, now) => lockOrder(order, { owner: 'refund/K7QW2MXP/1' }, now),
  unlockOrder: (order, now) => unlockOrder(order, { owner: 'refund/K7QW2MXP/1' }, now),
  notePayment: (order, now) => notePayment(order, emptyPayment(order), now),
  attachPaymentPage: (order, now) => attachPaymentPage(order, { paymentPageId: 'page-1' }, now),
  detachPaymentPage: (order, now) =>
    detachPaymentPage({ ...order, paymentPageId: 'page-1' }, { paymentPageId: 'page-1' }, now),
  noteMovedStart: (order, now) => {
    const { id, travelSpecification, movedStart } = lineOf(order, 'CONFIRMED');
    const moved = { to: later(1, now), of: travelSpecification, reissue: (movedStart?.reissue ?? 0) + 1 };
    return noteMovedStart(order, { orderLineId: id, movedStart: moved }, now);
  },
  noteUse: (order, now) => noteUse(order, { orderLineId: lineOf(order, 'CONFIRMED').id, usedAt: now }, now),
  noteDisruption: (order, now) => {
    const { id, disruption } = lineOf(order, 'CONFIRMED', 'DRAFT');
    const cause = disruption ? 'WITHDRAWN' : 'RESCHEDULED';
    return noteDisruption(order, { causeOf: (line) => (line.id === id ? cause : undefined) }, now);
  },
  detachCustomer: (order, now) => detachCustomer(order, { customerNumber: CUSTOMER }, now),
  eraseTexts: (order) => eraseTexts(order),
  reserveLines: (order, now) => {
    const traveller = sampleTraveller();
    const { line, reservation } = seatedLine({ traveller });
    return reserveLines(order, { travellers: [traveller], lines: [line], reservations: [reservation] }, now);
  },
  changeLines: changeSome,
  addSupplements: (order, now) => {
    const price = priceWithTax(2_500, VAT);
    const product = { id: 'MEAL', version: 1, kind: 'SUPPLEMENT' as const, selectableId: 'MEAL', price };
    const { id } = lineOf(order, 'CONFIRMED', 'DRAFT');
    const terms = { book: BOOK, feeId: (lineId: string, type: string) => `${lineId}/${type}` };
    return addSupplements(order, { supplements: [{ orderLineId: id, products: [product, product] }], terms }, now);
  },
};

/** What is tried beside the commands. */
export const MORE_WAYS: readonly string[] = ['addSeatedLine', 'eraseTexts'];

/** Commands that make sense within a course of several writes alone, and the test that takes it. */
export const OF_COURSES: Readonly<Record<string, string>> = {
  beginGivingBack: 'test/rules/ticket-withdrawal.test.ts',
  endGivingBack: 'test/rules/ticket-withdrawal.test.ts',
  lockToPay: 'test/rules/ticket-withdrawal.test.ts',
  lockToReset: 'test/rules/ticket-withdrawal.test.ts',
  markGivingBack: 'test/rules/ticket-withdrawal.test.ts',
  noteGivenBack: 'test/rules/ticket-withdrawal.test.ts',
  takeUpGivingBack: 'test/rules/ticket-withdrawal.test.ts',
  noteWithdrawn: 'test/rules/ticket-withdrawal.test.ts',
  lockForRefund: 'test/spec/support/refund-case.ts',
  refundLines: 'test/spec/support/refund-case.ts',
  markCompensated: 'test/rules/compensation.test.ts',
  releaseCompensated: 'test/rules/compensation.test.ts',
  holdCompensated: 'test/rules/compensation.test.ts',
  endCompensated: 'test/rules/compensation.test.ts',
  lockOwed: 'test/rules/owed-draft.test.ts',
  confirmDecided: 'test/rules/owed-draft.test.ts',
  rewriteLines: 'test/rules/changed-lines.test.ts',
  cancelByRules: 'test/rules/changed-lines.test.ts',
  removeByRules: 'test/rules/changed-lines.test.ts',
};

/** Pays the order exactly, or credits what is owed to the customer. */
export function settle(order: Order, now: Date, targetMinor: number): Order {
  const held = order.money.capturedMinor - order.money.creditedMinor;
  const ref = order.paymentRefs.find(({ paymentId }) => paymentId === 1);
  const difference = targetMinor - held;
  const payment = {
    paymentId: 1,
    orderVersion: order.version,
    capturedMinor: (ref?.capturedMinor ?? 0) + Math.max(0, difference),
    creditedMinor: (ref?.creditedMinor ?? 0) + Math.max(0, -difference),
    openTransactions: 0,
  };
  return notePayment(order, { payment }, now).order;
}
