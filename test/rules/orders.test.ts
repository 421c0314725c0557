/** Rules of orders that a table does not show: what a command changes, and why it refuses. */
import assert from 'node:assert/strict';
import { totalAmountMinor } from '../../workflows/orders/rules/amounts.ts';
import { confirmOrder } from '../../workflows/orders/rules/confirmation.ts';
import { createOrder, importOrder } from '../../workflows/orders/rules/creation.ts';
import { resetOrder } from '../../workflows/orders/rules/endings.ts';
import { raiseExpireAt, setExpireAt } from '../../workflows/orders/rules/facts.ts';
import { addFee, removeFee } from '../../workflows/orders/rules/fees.ts';
import { cancelLines, removeLines } from '../../workflows/orders/rules/line-removal.ts';
import { replaceLines } from '../../workflows/orders/rules/line-replacement.ts';
import { addLines } from '../../workflows/orders/rules/lines.ts';
import type { Order, OrderTraveller } from '../../workflows/orders/rules/order.ts';
import { combine } from '../../workflows/orders/rules/order-change.ts';
import { notePayment } from '../../workflows/orders/rules/payment-notes.ts';
import { addTravellers, removeTravellers, replaceTravellers } from '../../workflows/orders/rules/travellers.ts';
import { noteUse } from '../../workflows/orders/rules/use.ts';
import type { CustomerNumber, OrderLineId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { checkReplay } from '../support/order-checks.ts';
import {
  draftOrder,
  later,
  NOW,
  newLineId,
  sampleFee,
  sampleLine,
  sampleOrder,
  sampleTraveller,
  seatedLine,
} from '../support/sample-orders.ts';
import { settle } from './order-commands.ts';

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
  return 'none';
}

const withSeat = (departure?: Date) => {
  const traveller = sampleTraveller();
  const { line, reservation } = seatedLine({ traveller, ...(departure && { departure }) });
  const { order } = addLines(
    draftOrder({ travellers: [traveller] }),
    { lines: [line], reservations: [reservation] },
    NOW,
  );
  return { order, line, reservation, traveller };
};
const pay = (order: Order) => settle(order, NOW, totalAmountMinor(order));
const confirm = (order: Order) => confirmOrder(pay(order), { orderVersion: order.version }, NOW).order;
const expiry = ({ expireAt }: Order) => ((expireAt?.getTime() ?? 0) - NOW.getTime()) / 60_000;

describe('when a draft ends', () => {
  it('is 20 minutes after its last content write', () => {
    const order = draftOrder();
    assert.equal(expiry(order), 20);
    assert.equal(expiry(addLines(order, { lines: [sampleLine()] }, later(5)).order), 25);
  });

  it('is never lowered by a write, and by a caller it may be', () => {
    const { order } = setExpireAt(draftOrder(), { expireAt: later(90) }, NOW);
    assert.equal(expiry(addLines(order, { lines: [sampleLine()] }, later(5)).order), 90);
    const soon = setExpireAt(order, { expireAt: later(2) }, NOW).order;
    assert.equal(expiry(soon), 2);
    assert.equal(expiry(addLines(soon, { lines: [sampleLine()] }, later(1)).order), 21);
    const atTerminal = raiseExpireAt(soon, { lifeMs: 45 * 60_000 }, later(1));
    assert.equal(expiry(atTerminal.order), 46);
    assert.deepEqual(atTerminal.events, [
      { type: 'OrderExpiredAtSet', orderVersion: order.version, timestamp: later(46) },
    ]);
  });

  it('is not after the departure of a line with a seat, unless a caller has set it', () => {
    const { order } = withSeat(later(12));
    assert.equal(expiry(order), 12);
    assert.equal(expiry(raiseExpireAt(order, { lifeMs: 45 * 60_000 }, NOW).order), 12);
    const chosen = setExpireAt(order, { expireAt: later(60) }, NOW).order;
    assert.equal(expiry(addLines(chosen, { lines: [sampleLine()] }, NOW).order), 60);
  });

  it('does not follow from a departure that has passed, nor from one that is sold', () => {
    assert.equal(expiry(withSeat(later(-5)).order), 20);
    const sold = confirm(withSeat(later(12)).order);
    assert.equal(expiry(addFee(sold, { fee: sampleFee('MANUAL', 100) }, NOW).order), 20);
  });

  it('is never, for an order that holds only penalties', () => {
    const claim = addFee(draftOrder(), { fee: sampleFee('PENALTY', 90_000) }, NOW).order;
    assert.equal(claim.expireAt, undefined);
    assert.equal(expiry(addLines(claim, { lines: [sampleLine()] }, NOW).order), 20);
  });

  it('is chosen in the future, and at most six months away', () => {
    const order = draftOrder();
    assert.equal(
      codeOf(() => setExpireAt(order, { expireAt: NOW }, NOW)),
      'VALIDATION_FAILED',
    );
    assert.equal(
      codeOf(() => setExpireAt(order, { expireAt: new Date('2026-11-05') }, NOW)),
      'VALIDATION_FAILED',
    );
    assert.equal(
      codeOf(() => setExpireAt(order, { expireAt: new Date('2026-11-04') }, NOW)),
      'none',
    );
    assert.equal(
      codeOf(() => createOrder(sampleOrder({ expireAt: later(-1) }), NOW)),
      'VALIDATION_FAILED',
    );
  });
});

describe('confirming an order', () => {
  const refused = (order: Order, orderVersion = order.version) =>
    codeOf(() => confirmOrder(order, { orderVersion }, NOW));

  it('is refused for a version that is not the present one', () => {
    const { order } = withSeat();
    assert.equal(refused(pay(order), 2), 'ORDER_VERSION_MISMATCH');
    const changed = addFee(confirm(order), { fee: sampleFee('MANUAL', 100) }, NOW).order;
    assert.equal(refused(changed, 1), 'ORDER_VERSION_MISMATCH');
  });

  it('is refused for an empty order, and one that is paid too little or too much', () => {
    assert.equal(refused(draftOrder()), 'ORDER_EMPTY');
    const { order } = withSeat();
    assert.equal(refused(order), 'ORDER_NOT_BALANCED');
    assert.equal(refused(settle(order, NOW, totalAmountMinor(order) + 1)), 'ORDER_NOT_BALANCED');
  });

  it('is refused when a traveller lacks a compulsory seat', () => {
    const { order, line } = withSeat();
    const other = sampleTraveller();
    const both = { ...line, travellers: [...line.travellers, { travellerId: other.id }] };
    const draft = { ...order, travellers: [...order.travellers, other] };
    const change = replaceLines(draft, { lines: [both], reservations: order.reservations }, NOW);
    assert.equal(refused(pay(change.order)), 'SEAT_UNAVAILABLE');
    const [legId = ''] = line.compulsoryLegIds ?? [];
    assert.throws(() => confirm(change.order), {
      message: new RegExp(
        `The line ${line.id} lacks a seat on its ride ${legId} .*update-order, or remove the line`,
        'u',
      ),
    });
  });

  it('is refused when a changed line was used meanwhile, and not when another was', () => {
    const { order, line } = withSeat();
    const { order: two } = addLines(order, { lines: [sampleLine()] }, NOW);
    const sold = confirm(two);
    const other = sold.orderLines.find(({ id }) => id !== line.id)?.id as OrderLineId;
    const changed = cancelLines(sold, { orderLineIds: [line.id] }, NOW).order;
    const use = (id: OrderLineId) => noteUse(changed, { orderLineId: id, usedAt: NOW }, NOW).order;
    assert.equal(refused(pay(use(line.id))), 'TICKET_ALREADY_USED');
    assert.equal(refused(pay(use(other))), 'none');
  });

  it('sells the lines, cancels those that were marked, and ends the lock of its owner', () => {
    const { order, line } = withSeat();
    const sold = confirm(order);
    assert.deepEqual(
      sold.orderLines.map(({ status }) => status),
      ['CONFIRMED'],
    );
    assert.deepEqual(sold.pendingSeats, { confirm: line.reservationIds, release: [] });
    const marked = cancelLines(sold, { orderLineIds: [line.id] }, NOW).order;
    const locked = { ...pay(marked), lock: { owner: 'capture/1/1', since: NOW } };
    const { order: after } = confirmOrder(locked, { orderVersion: 2, lockOwner: 'capture/1/1' }, NOW);
    assert.deepEqual(
      after.orderLines.map(({ status }) => status),
      ['CANCELLED'],
    );
    assert.deepEqual([after.reservations, after.lock], [[], undefined]);
    assert.deepEqual(after.pendingSeats?.release, line.reservationIds);
  });
});

describe('lines of an order', () => {
  it('keep their version as drafts, and rise once after a confirmation', () => {
    const { order, line } = withSeat();
    const replace = (before: Order, raiseVersion = false) =>
      replaceLines(before, { lines: [line], reservations: before.reservations, raiseVersion }, NOW).order;
    const versionOf = (each: Order) => each.orderLines[0]?.version;
    assert.equal(versionOf(replace(order)), 1);
    assert.equal(versionOf(replace(order, true)), 2);
    const changed = replace(confirm(order));
    assert.equal(versionOf(changed), 2);
    assert.equal(versionOf(replace(changed)), 2);
  });

  it('are changed all or none', () => {
    const { order, line } = withSeat();
    const unknown = sampleLine({ id: newLineId() });
    const lines = { lines: [line, unknown], reservations: order.reservations };
    assert.equal(
      codeOf(() => replaceLines(order, lines, NOW)),
      'UNKNOWN_ORDER_LINE',
    );
    assert.equal(
      codeOf(() => cancelLines(order, { orderLineIds: [line.id, unknown.id] }, NOW)),
      'UNKNOWN_ORDER_LINE',
    );
    assert.equal(
      codeOf(() => addLines(order, { lines: [line] }, NOW)),
      'INVALID_STATE',
    );
  });

  it('are for travellers of the order alone, who stay as long as they are', () => {
    const { order, traveller } = withSeat();
    const stranger = sampleLine({ traveller: sampleTraveller() });
    assert.equal(
      codeOf(() => addLines(order, { lines: [stranger] }, NOW)),
      'UNKNOWN_TRAVELLER',
    );
    assert.equal(
      codeOf(() => removeTravellers(order, { travellerIds: [traveller.id] }, NOW)),
      'INVALID_STATE',
    );
  });

  it('keep the user types and ages of their travellers, which may be added', () => {
    const { order, traveller } = withSeat();
    const put = (before: Order, more: Partial<OrderTraveller>) =>
      replaceTravellers(before, { travellers: before.travellers.map((each) => ({ ...each, ...more })) }, NOW).order;
    const aged = put(order, { age: 40 });
    assert.equal(aged.travellers[0]?.age, 40);
    for (const before of [aged, confirm(aged)]) {
      for (const more of [{ userTypeId: 'CHILD' }, { age: 41 }]) {
        assert.equal(
          codeOf(() => put(before, more)),
          'INVALID_STATE',
        );
      }
      assert.equal(
        codeOf(() => replaceTravellers(before, { travellers: [traveller] }, NOW)),
        'INVALID_STATE',
      );
      const free = addTravellers(before, { travellers: [sampleTraveller({ age: 9 })] }, NOW).order;
      const changed = free.travellers.map((each) => (each.id === traveller.id ? each : { ...each, age: 10 }));
      assert.equal(replaceTravellers(free, { travellers: changed }, NOW).order.travellers[1]?.age, 10);
    }
  });

  it('that were sold keep their customers', () => {
    const [anna, berit] = ['1000000001' as CustomerNumber, '1000000002' as CustomerNumber];
    const { order, traveller } = withSeat();
    const put = (before: Order, customerNumber?: CustomerNumber) =>
      replaceTravellers(before, { travellers: [{ ...traveller, ...(customerNumber && { customerNumber }) }] }, NOW)
        .order;
    const named = put(put(order, anna), berit);
    assert.equal(named.travellers[0]?.customerNumber, berit);
    const sold = confirm(named);
    for (const other of [anna, undefined]) {
      for (const before of [sold, addFee(sold, { fee: sampleFee('MANUAL', 100) }, NOW).order]) {
        assert.equal(
          codeOf(() => put(before, other)),
          'INVALID_STATE',
        );
      }
    }
    // A ticket without a name gets one, once it is confirmed for good.
    const later = put(put(confirm(order), anna), berit);
    assert.equal(
      codeOf(() => put(confirm(later), anna)),
      'INVALID_STATE',
    );
  });

  it('that were sold are cancelled as they were sold, whatever has been changed since', () => {
    const { order, line, reservation } = withSeat();
    const sold = confirm(order);
    const other = { ...reservation, id: crypto.randomUUID() as typeof reservation.id, seatNumber: '9' };
    const dearer = { ...line, price: { amountMinor: 90_000, taxMinor: 0 }, reservationIds: [other.id] };
    const changed = replaceLines(sold, { lines: [dearer], reservations: [other] }, NOW).order;
    assert.equal(
      codeOf(() => removeLines(changed, { orderLineIds: [line.id] }, NOW)),
      'INVALID_STATE',
    );
    const { order: after } = cancelLines(changed, { orderLineIds: [line.id] }, NOW);
    assert.deepEqual(after.orderLines[0], { ...sold.orderLines[0], status: 'CANCELLATION_DRAFT' });
    assert.deepEqual(after.reservations, sold.reservations);
    assert.deepEqual(after.pendingSeats?.release, [other.id]);
  });

  it('that are cancelled already are cancelled again without an effect', () => {
    const { order, line } = withSeat();
    const once = cancelLines(confirm(order), { orderLineIds: [line.id] }, NOW).order;
    const again = cancelLines(once, { orderLineIds: [line.id] }, NOW);
    assert.deepEqual([again.order === once, again.events], [true, []]);
  });

  it('of several commands are one change: singles first, then one collection of each type', () => {
    const { order, line } = withSeat();
    const [one, two] = [sampleLine(), sampleLine()];
    const { order: after, events } = combine(confirm(order), [
      (each) => addLines(each, { lines: [one] }, NOW),
      (each) => cancelLines(each, { orderLineIds: [line.id] }, NOW),
      (each) => addLines(each, { lines: [two] }, NOW),
    ]);
    assert.equal(after.version, 2);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['OrderLineAdded', 'OrderLineCancelled', 'OrderLineAdded', 'OrderLinesAdded', 'OrderLinesCancelled'],
    );
    const added = events.find(({ type }) => type === 'OrderLinesAdded');
    assert.deepEqual(added && 'orderLines' in added && added.orderLines.map(({ orderLineId }) => orderLineId), [
      one.id,
      two.id,
    ]);
  });
});

describe('fees of an order', () => {
  it('are negative for reductions alone', () => {
    const add = (type: 'REDUCTION' | 'MANUAL', amount: number) =>
      codeOf(() => addFee(draftOrder(), { fee: sampleFee(type, amount) }, NOW));
    assert.deepEqual(
      [add('REDUCTION', -1), add('REDUCTION', 1), add('MANUAL', -1), add('MANUAL', 0), add('MANUAL', 1)],
      ['none', 'VALIDATION_FAILED', 'VALIDATION_FAILED', 'VALIDATION_FAILED', 'none'],
    );
  });

  it('that follow from a change or a refund are not removed by a caller', () => {
    const reason = Buffer.from('sealed');
    const automatic = { ...sampleFee('CHANGE', 100), isAutomatic: true } as const;
    const ofRefund = sampleFee('REFUNDING', 100);
    const ofCaller = [
      { ...ofRefund, id: 'a', reason },
      { ...sampleFee('CHANGE_NON_REFUNDABLE', 100), reason },
    ];
    const order = combine(
      draftOrder(),
      [automatic, ofRefund, ...ofCaller].map((fee) => (before: Order) => addFee(before, { fee }, NOW)),
    ).order;
    const remove = (feeId: string, more: object = {}) => codeOf(() => removeFee(order, { feeId, ...more }, NOW));
    for (const { id } of [automatic, ofRefund]) {
      assert.equal(remove(id), 'INVALID_STATE');
      assert.equal(remove(id, { byRule: true }), 'none');
    }
    for (const { id } of ofCaller) assert.equal(remove(id), 'none');
    assert.equal(remove('none'), 'NOT_FOUND');
  });
});

describe('a reset', () => {
  it('brings back what was sold, and waits until the money of the draft is credited', () => {
    const { order } = withSeat();
    const sold = confirm(order);
    const changed = addFee(sold, { fee: sampleFee('MANUAL', 700) }, NOW).order;
    assert.equal(
      codeOf(() => resetOrder(pay(changed), {}, NOW)),
      'INVALID_STATE',
    );
    assert.throws(() => resetOrder(sold, {}, NOW), /no draft/);
    const credited = settle(pay(changed), NOW, totalAmountMinor(sold));
    const { order: after } = resetOrder(credited, {}, NOW);
    assert.deepEqual([after.version, after.highestVersion, after.fees], [1, 2, []]);
    assert.deepEqual(after.orderLines, sold.orderLines);
    assert.equal(addFee(after, { fee: sampleFee('MANUAL', 100) }, NOW).order.version, 3);
  });
});

describe('an imported order', () => {
  const traveller = sampleTraveller();
  const { line, reservation } = seatedLine({ traveller });
  const wanted = (capturedMinor: number) => ({
    ...sampleOrder({ travellers: [traveller] }),
    externalReference: 'OLD-1',
    importedAt: later(-600),
    lines: [line],
    reservations: [reservation],
    fees: [sampleFee('BOOKING', 500)],
    capturedMinor,
  });

  it('is confirmed and paid, and its events tell it', () => {
    const { order, events } = importOrder(wanted(10_500), NOW);
    assert.deepEqual([order.status, order.version, order.confirmed?.version], ['CONFIRMED', 1, 1]);
    checkReplay(order, events);
    assert.deepEqual(order.pendingSeats?.confirm, [reservation.id]);
    const changed = addFee(order, { fee: sampleFee('MANUAL', 100) }, NOW);
    const reset = resetOrder(changed.order, {}, NOW);
    checkReplay(reset.order, [...events, ...changed.events, ...reset.events]);
  });

  it('has each line once, and fees of its own lines alone', () => {
    const twice = { ...wanted(20_500), lines: [line, { ...line, reservationIds: [] }] };
    assert.equal(
      codeOf(() => importOrder(twice, NOW)),
      'INVALID_STATE',
    );
    const fees = [{ ...sampleFee('BOOKING', 500), orderLineIds: [newLineId()] }];
    assert.equal(
      codeOf(() => importOrder({ ...wanted(10_500), fees }, NOW)),
      'UNKNOWN_ORDER_LINE',
    );
    const own = [{ ...sampleFee('BOOKING', 500), orderLineIds: [line.id] }];
    assert.equal(importOrder({ ...wanted(10_500), fees: own }, NOW).order.fees.length, 1);
  });

  it('has each transaction once', () => {
    const money = { amountMinor: 5_250, paymentTypeGroup: 'CASH', paymentType: 'CASH', confirmedAt: NOW };
    const paidBy = (...rrns: string[]) => ({
      ...wanted(10_500),
      importedTransactions: rrns.map((rrn) => ({ ...money, rrn })),
    });
    assert.equal(
      codeOf(() => importOrder(paidBy('A', 'A'), NOW)),
      'DUPLICATE_TRANSACTION',
    );
    assert.equal(importOrder(paidBy('A', 'B'), NOW).order.importedTransactions?.length, 2);
  });

  it('is refused when its transactions do not pay it, or it is empty', () => {
    assert.equal(
      codeOf(() => importOrder(wanted(10_000), NOW)),
      'ORDER_NOT_BALANCED',
    );
    assert.equal(
      codeOf(() => importOrder({ ...wanted(0), lines: [], reservations: [], fees: [] }, NOW)),
      'ORDER_EMPTY',
    );
  });
});

describe('what payments note on an order', () => {
  const note = (order: Order, capturedMinor: number, creditedMinor = 0) =>
    notePayment(
      order,
      { payment: { paymentId: 7, orderVersion: 1, capturedMinor, creditedMinor, openTransactions: 0 } },
      NOW,
    ).order;

  it('is counted once, also when it comes again or late', () => {
    const paid = note(note(draftOrder(), 5_000), 5_000);
    assert.equal(paid.money.capturedMinor, 5_000);
    const credited = note(paid, 5_000, 2_000);
    assert.deepEqual(credited.money, { capturedMinor: 5_000, creditedMinor: 2_000 });
    assert.equal(note(credited, 5_000, 0), credited);
    assert.throws(() => note(credited, 5_000, 5_001), RangeError);
  });
});
