/** What the refund of money that a draft cannot use writes on its order. */
import assert from 'node:assert/strict';
import { balanceMinor, excessMinor } from '../../workflows/orders/rules/amounts.ts';
import {
  endCompensated,
  holdCompensated,
  markCompensated,
  releaseCompensated,
} from '../../workflows/orders/rules/compensation.ts';
import { confirmOrder } from '../../workflows/orders/rules/confirmation.ts';
import { endLockedDraft } from '../../workflows/orders/rules/due-draft.ts';
import { addFee } from '../../workflows/orders/rules/fees.ts';
import { addLines } from '../../workflows/orders/rules/lines.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import { lockOrder, takeOverLock, unlockOrder } from '../../workflows/orders/rules/order-lock.ts';
import { compensationOwner, findCompensation } from '../../workflows/orders/rules/refund-locks.ts';
import { isUnderRefund } from '../../workflows/orders/rules/refunding.ts';
import type { RefundId } from '../../workflows/shared/ids.ts';
import { draftOrder, NOW, sampleFee, sampleLine } from '../support/sample-orders.ts';

const REFUND = '00000000-0000-4000-8000-000000000001' as RefundId;
const ASKER = 'capture/1/2';
const EXPIRY = 'order-expiry/x/v1';

const paid = (order: Order, minor: number): Order => ({
  ...order,
  money: { ...order.money, capturedMinor: order.money.capturedMinor + minor },
});
const firstDraft = () => addLines(draftOrder(), { lines: [sampleLine()] }, NOW).order;
const sold = () => confirmOrder(paid(firstDraft(), 10_000), { orderVersion: 1 }, NOW).order;
/** Dearer by 500, which were paid. */
const changed = () => paid(addFee(sold(), { fee: sampleFee('MANUAL', 500) }, NOW).order, 500);
const owner = ({ id: orderId }: Order) => compensationOwner({ orderId, refundId: REFUND });
const asked = (order: Order) => lockOrder(order, { owner: ASKER }, NOW).order;
const held = (order: Order) => lockOrder(order, { owner: owner(order) }, NOW).order;
const end = (order: Order, givenUpMinor: number) =>
  endCompensated(order, { orderVersion: order.version, refundId: REFUND, givenUpMinor, lockOwner: owner(order) }, NOW);
const named = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);

describe('the refund of money that a draft cannot use', () => {
  const hold = (order: Order, orderVersion = order.version) =>
    holdCompensated(order, { orderVersion, refundId: REFUND, owner: owner(order), owners: [ASKER, EXPIRY] }, NOW).order;

  it('takes the lock over from the one who has asked, and from the expiry', () => {
    for (const asked of [ASKER, EXPIRY, undefined]) {
      const order = asked === undefined ? firstDraft() : lockOrder(firstDraft(), { owner: asked }, NOW).order;
      const after = hold(order);
      assert.deepEqual([after.lock?.owner, findCompensation(after)], [owner(order), REFUND]);
      assert.equal(after.lock?.compensation, REFUND);
      assert.equal(hold(after), after);
    }
  });

  it('takes no lock of others, and none of a draft that has ended', () => {
    const other = lockOrder(firstDraft(), { owner: 'capture/8/9' }, NOW).order;
    assert.throws(() => hold(other), { code: 'ORDER_LOCKED' });
    for (const order of [sold(), firstDraft()]) assert.equal(hold(order, order.status === 'DRAFT' ? 2 : 1), order);
  });

  const mark = (order: Order, more: { readonly orderVersion?: number; readonly refundId?: RefundId } = {}) => {
    const command = { orderVersion: order.version, refundId: REFUND, owner: owner(order), owners: [ASKER, EXPIRY] };
    return markCompensated(order, { ...command, ...more }, NOW).order;
  };

  it('marks the draft of the one who has asked, of its expiry, and its own', () => {
    for (const by of [ASKER, EXPIRY, owner(firstDraft())]) {
      const order = lockOrder(firstDraft(), { owner: by }, NOW).order;
      const marked = mark(order);
      assert.deepEqual([marked.lock?.owner, marked.lock?.compensation], [by, REFUND]);
      assert.equal(mark(marked), marked);
    }
  });

  it('marks no draft that is unlocked, in other hands, or has ended, and none under another mark', () => {
    const other = lockOrder(firstDraft(), { owner: 'capture/8/9' }, NOW).order;
    for (const order of [firstDraft(), other, sold()]) assert.throws(() => mark(order), { code: 'INVALID_STATE' });
    assert.throws(() => mark(asked(firstDraft()), { orderVersion: 2 }), { code: 'INVALID_STATE' });
    const refundId = '00000000-0000-4000-8000-000000000002' as RefundId;
    assert.throws(() => mark(mark(asked(firstDraft())), { refundId }), { code: 'UNAVAILABLE' });
  });

  it('keeps a draft from being confirmed or unlocked while it pays, whoever holds it', () => {
    const paidDraft = mark(asked(paid(firstDraft(), 10_000)));
    const taken = takeOverLock(paidDraft, EXPIRY, NOW).order;
    for (const [order, lockOwner] of [
      [paidDraft, ASKER],
      [taken, EXPIRY],
    ] as const) {
      assert.throws(() => confirmOrder(order, { orderVersion: 1, lockOwner }, NOW), { code: 'INVALID_STATE' });
      assert.throws(() => endLockedDraft(order, 1, lockOwner, NOW), { code: 'INVALID_STATE' });
      assert.equal(unlockOrder(order, { owner: lockOwner }, NOW).order, order);
    }
    const after = end(taken, 0).order;
    assert.deepEqual(after.lock, { owner: EXPIRY, since: NOW });
    assert.equal(endLockedDraft(after, 1, EXPIRY, NOW).order.status, 'CONFIRMED');
  });

  it('ends a draft under its mark once all is paid back', () => {
    const draft = paid(firstDraft(), 10_000);
    const order = mark(asked({ ...draft, money: { ...draft.money, creditedMinor: 10_000 } }));
    assert.equal(endLockedDraft(order, 1, ASKER, NOW).order.status, 'EXPIRED');
  });

  it('takes its mark away when it has ended, and its own lock', () => {
    const release = (order: Order) => releaseCompensated(order, { refundId: REFUND, owner: owner(order) }, NOW).order;
    assert.deepEqual(release(mark(asked(firstDraft()))).lock, { owner: ASKER, since: NOW });
    assert.equal(release(mark(held(firstDraft()))).lock, undefined);
    const other = asked(firstDraft());
    assert.equal(release(other), other);
  });

  it('leaves tickets of what was sold as they are', () => {
    const order = held(changed());
    assert.ok(order.orderLines.every(({ id }) => !isUnderRefund(order, id)));
  });

  it('ends a first draft whose money is given up; its balance shows the money', () => {
    const { order, events } = end(held(paid(firstDraft(), 10_000)), 10_000);
    assert.deepEqual([order.status, order.lock, balanceMinor(order)], ['EXPIRED', undefined, -10_000]);
    assert.deepEqual(named(events), ['OrderExpired']);
  });

  it('keeps what is given up as a fee of what was sold', () => {
    const { order, events } = end(held(changed()), 500);
    assert.deepEqual([order.status, order.version, order.lock, balanceMinor(order)], ['CONFIRMED', 3, undefined, 0]);
    assert.deepEqual([order.highestVersion, order.confirmed?.version], [3, 3]);
    assert.deepEqual(named(events), ['OrderReset', 'FeeAdded', 'OrderConfirmed']);
    const [fee] = order.fees;
    assert.deepEqual([fee?.id, fee?.type, fee?.price], [REFUND, 'REFUNDING', { amountMinor: 500, taxMinor: 0 }]);
  });

  it('adds no fee where the provider has paid after all', () => {
    const order = changed();
    const after = end(held({ ...order, money: { ...order.money, creditedMinor: 500 } }), 500).order;
    assert.deepEqual([after.status, after.version, after.fees], ['CONFIRMED', 1, []]);
  });

  it('leaves a draft that has less than was sold to its caller', () => {
    const order = changed();
    const lacking = held({ ...order, money: { ...order.money, creditedMinor: 600 }, expireAt: NOW });
    const after = end(lacking, 500).order;
    assert.deepEqual([after.status, after.version, after.lock, after.expireAt], ['DRAFT', 2, undefined, undefined]);
  });

  it('goes back to what was sold when all is paid, and confirms what the rest pays', () => {
    const order = changed();
    const reset = end(held({ ...order, money: { ...order.money, creditedMinor: 500 } }), 0).order;
    assert.deepEqual([reset.status, reset.version, balanceMinor(reset)], ['CONFIRMED', 1, 0]);
    const confirmed = end(held(order), 0).order;
    assert.deepEqual([confirmed.status, confirmed.version, balanceMinor(confirmed)], ['CONFIRMED', 2, 0]);
  });

  it('leaves a draft with other money to its expiry', () => {
    const order = held(paid(firstDraft(), 12_000));
    for (const [givenUpMinor, given] of [
      [2_000, order],
      [0, { ...order, orderLines: [] }],
    ] as const) {
      const after = end(given, givenUpMinor).order;
      assert.deepEqual([after.status, after.lock, excessMinor(after)], ['DRAFT', undefined, 12_000]);
    }
  });

  it('drops no draft with open transactions', () => {
    const order = paid(firstDraft(), 10_000);
    const open = { paymentId: 2, orderVersion: 1, capturedMinor: 0, creditedMinor: 0, openTransactions: 1 };
    assert.throws(() => end(held({ ...order, paymentRefs: [open] }), 10_000), { code: 'INVALID_STATE' });
  });

  it('writes nothing where another one holds the lock, or the draft is another one', () => {
    const other = lockOrder(paid(firstDraft(), 10_000), { owner: EXPIRY }, NOW).order;
    assert.equal(end(other, 10_000).order, other);
    const order = held(changed());
    const command = { orderVersion: 1, refundId: REFUND, givenUpMinor: 500, lockOwner: owner(order) };
    const { lock: _lock, ...unlocked } = order;
    assert.deepEqual(endCompensated(order, command, NOW), { order: unlocked, events: [] });
  });
});
