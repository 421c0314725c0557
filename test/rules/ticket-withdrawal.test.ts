/** What the confirmation that pays money back writes on its order about the tickets that it withdraws. */
import assert from 'node:assert/strict';
import { confirmOrder } from '../../workflows/orders/rules/confirmation.ts';
import { assessDue, endLockedDraft, needsTicketsBack } from '../../workflows/orders/rules/due-draft.ts';
import { abandonDraft, resetOrder } from '../../workflows/orders/rules/endings.ts';
import { cancelLines } from '../../workflows/orders/rules/line-removal.ts';
import { addLines } from '../../workflows/orders/rules/lines.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import { isUnderRefund } from '../../workflows/orders/rules/refunding.ts';
import { dueMinor } from '../../workflows/orders/rules/spent-draft.ts';
import {
  ATTEMPT_LOST_MS,
  type Attempt,
  beginGivingBack,
  endGivingBack,
  isWithdrawn,
  keptLineIds,
  lockToPay,
  lockToReset,
  markGivingBack,
  noteGivenBack,
  noteWithdrawn,
  takeUpGivingBack,
  withdrawalStep,
} from '../../workflows/orders/rules/ticket-withdrawal.ts';
import { noteUse } from '../../workflows/orders/rules/use.ts';
import { draftOrder, later, NOW, sampleLine } from '../support/sample-orders.ts';

const OWNER = 'order-confirmation/K7QW2MXP/v2';
const MANY_DAYS = later(90 * 24 * 60);
const LATER = new Date(NOW.getTime() + ATTEMPT_LOST_MS);

const FIRST = sampleLine();
const SECOND = sampleLine();
/** Sold for 20000; the draft of version 2 cancels one line. */
const owing = (): Order => {
  const draft = addLines(draftOrder(), { lines: [FIRST, SECOND] }, NOW).order;
  const paid = { ...draft, money: { capturedMinor: 20_000, creditedMinor: 0 } };
  const sold = confirmOrder(paid, { orderVersion: 1 }, NOW).order;
  return cancelLines(sold, { orderLineIds: [FIRST.id] }, NOW).order;
};
const credited = (order: Order, creditedMinor: number): Order => ({
  ...order,
  money: { ...order.money, creditedMinor },
});
const used = (order: Order) => noteUse(order, { orderLineId: FIRST.id, usedAt: NOW }, NOW).order;
const locked = (order = owing()) => lockToPay(order, { owner: OWNER }, NOW).order;
const attemptOf = ({ lock }: Order): Attempt => lock ?? assert.fail();
const withdrawn = (order = locked()) => noteWithdrawn(order, attemptOf(order), NOW).order;
const ending = (order = withdrawn(), now = NOW) => beginGivingBack(order, { owner: OWNER }, now).order;

describe('tickets that a confirmation withdraws', () => {
  it('are those of changed and cancelled lines, and nothing is signed for them meanwhile', () => {
    const order = locked();
    assert.deepEqual(order.withdrawal, { orderLineIds: [FIRST.id], doneIds: [] });
    assert.deepEqual(
      [FIRST, SECOND].map(({ id }) => isUnderRefund(order, id)),
      [true, false],
    );
    assert.deepEqual([withdrawalStep(order), isWithdrawn(order)], ['WITHDRAW', false]);
    assert.deepEqual([withdrawalStep(withdrawn()), isWithdrawn(withdrawn())], ['PAY', true]);
    assert.deepEqual([withdrawalStep(ending()), isWithdrawn(ending())], ['GIVE_BACK', false]);
  });

  it('say since when they are given back, whoever goes on with it', () => {
    const { endingSince } = ending().withdrawal ?? assert.fail();
    assert.deepEqual(endingSince, NOW);
    for (const next of [
      takeUpGivingBack(ending(), { owner: OWNER }, LATER).order,
      lockToPay(ending(), { owner: OWNER }, LATER).order,
    ]) {
      assert.deepEqual([next.withdrawal?.endingSince, next.lock?.since], [NOW, LATER]);
    }
    // The next round begins anew.
    const again = locked(endGivingBack(ending(), { ...attemptOf(ending()), keptIds: [] }, LATER).order);
    assert.equal(again.withdrawal?.endingSince, undefined);
  });

  it('are none where the draft changes no line that was sold', () => {
    const order = locked({ ...owing(), orderLines: owing().confirmed?.orderLines ?? [] });
    assert.deepEqual([order.withdrawal, withdrawalStep(order)], [undefined, 'PAY']);
  });

  it('are written by one attempt at a time; a lost one is taken over, and has no effect any more', () => {
    for (const order of [locked(), ending()]) {
      assert.throws(() => lockToPay(order, { owner: OWNER }, NOW), { code: 'ORDER_LOCKED' });
      const again = lockToPay(order, { owner: OWNER }, LATER).order;
      assert.deepEqual(again.lock?.since, LATER);
      assert.throws(() => noteWithdrawn(again, attemptOf(order), LATER), { code: 'UNAVAILABLE' });
      assert.equal(endGivingBack(again, { ...attemptOf(order), keptIds: [] }, LATER).order, again);
    }
    // Once they are disabled, every request of the confirmation may ask for the money, and none of them counts as lost.
    const order = withdrawn();
    const again = lockToPay(order, { owner: OWNER }, LATER).order;
    assert.deepEqual(again, { ...order, lock: { owner: OWNER, since: LATER } });
  });

  it('are taken up by the sweep, whose note alone counts then', () => {
    const order = ending();
    const taken = takeUpGivingBack(order, { owner: OWNER }, LATER).order;
    assert.deepEqual([taken.lock?.since, taken.withdrawal], [LATER, order.withdrawal]);
    assert.equal(endGivingBack(taken, { ...attemptOf(order), keptIds: [] }, LATER).order, taken);
    assert.deepEqual(takeUpGivingBack(withdrawn(), { owner: OWNER }, LATER).order.withdrawal?.isEnding, true);
    const { withdrawal: _withdrawal, ...plain } = order;
    assert.equal(takeUpGivingBack(plain, { owner: OWNER }, LATER).order.lock, undefined);
    for (const other of [order, withdrawn()]) {
      assert.equal(takeUpGivingBack(other, { owner: 'order-reset/K7QW2MXP/v2' }, LATER).order, other);
    }
  });

  it('are given back under a lock that stays, for one attempt to reset at a time', () => {
    const owner = 'order-reset/K7QW2MXP/v2';
    const { lock: _lock, ...open } = withdrawn();
    const held = lockToReset(open, { owner }, NOW).order;
    const marked = markGivingBack(held, { owner }, NOW).order;
    assert.throws(() => lockToReset(marked, { owner }, NOW), { code: 'ORDER_LOCKED' });
    assert.throws(() => lockToReset(marked, { owner: OWNER }, LATER), { code: 'ORDER_LOCKED' });
    assert.deepEqual(lockToReset(marked, { owner }, LATER).order.lock?.since, LATER);
    const { order: returned } = noteGivenBack(marked, { ...attemptOf(marked), keptIds: [] }, NOW);
    assert.deepEqual([returned.lock?.owner, returned.withdrawal], [owner, undefined]);
    assert.equal(resetOrder(returned, { lockOwner: owner }, NOW).order.status, 'CONFIRMED');
  });

  it('are not noted as withdrawn once they are given back', () => {
    const order = ending(locked());
    assert.throws(() => noteWithdrawn(order, attemptOf(order), NOW), { code: 'UNAVAILABLE' });
    assert.equal(ending(order, LATER), order, 'another attempt gives them back');
  });

  it('are given back, and the order is unlocked; also where money is reported to be paid right afterwards', () => {
    const order = ending();
    for (const told of [order, credited(order, 4_000)]) {
      const { order: free } = endGivingBack(told, { ...attemptOf(order), keptIds: keptLineIds(order) }, NOW);
      assert.deepEqual([free.lock, free.withdrawal], [undefined, undefined]);
    }
  });

  it('are withdrawn anew under a lock of a build that noted none', () => {
    const order = { ...owing(), lock: { owner: OWNER, since: NOW } };
    const again = lockToPay(order, { owner: OWNER }, LATER).order;
    assert.deepEqual(again.withdrawal, { orderLineIds: [FIRST.id], doneIds: [] });
    assert.deepEqual(again.lock?.since, LATER);
    assert.equal(withdrawalStep(withdrawn(again)), 'PAY');
  });

  it('are withdrawn anew where nobody knows whether they were given back', () => {
    const { lock: _lock, ...left } = ending();
    assert.deepEqual(locked(left).withdrawal, { orderLineIds: [FIRST.id], doneIds: [] });
    assert.equal(withdrawalStep(locked(left)), 'WITHDRAW');
  });

  it('do not stay with a draft that was paid in part before they were withdrawn', () => {
    const order = ending(credited(locked(), 4_000));
    const keptIds = keptLineIds(order);
    const { order: free } = endGivingBack(order, { ...attemptOf(order), keptIds }, NOW);
    assert.deepEqual([keptIds, free.lock, free.withdrawal], [[], undefined, undefined]);
  });

  it('stay with the draft where money of what was sold is paid, and come back with the sold version', () => {
    const order = ending(credited(withdrawn(), 4_000));
    const { order: free } = endGivingBack(order, { ...attemptOf(order), keptIds: keptLineIds(order) }, NOW);
    assert.deepEqual([free.lock, free.withdrawal], [undefined, { orderLineIds: [FIRST.id], doneIds: [FIRST.id] }]);
    assert.equal(assessDue({ ...free, expireAt: NOW }, NOW), 'WORKFLOW');
    const paidAgain = credited(free, 0);
    assert.equal(assessDue({ ...paidAgain, expireAt: NOW }, NOW), 'WORKFLOW');
    assert.throws(() => resetOrder(paidAgain, {}, NOW), { code: 'INVALID_STATE' });
    assert.throws(() => abandonDraft(paidAgain, { orderVersion: 2 }, NOW), { code: 'INVALID_STATE' });
    const { withdrawal: _withdrawal, ...givenBack } = paidAgain;
    assert.equal(resetOrder(givenBack, {}, NOW).order.status, 'CONFIRMED');
    // The next confirmation has nothing to withdraw.
    assert.equal(withdrawalStep(locked(free)), 'PAY');
  });

  it('are none of the next draft, whatever a build of before has left on what was sold', () => {
    const left = {
      ...resetOrder(owing(), {}, NOW).order,
      withdrawal: { orderLineIds: [FIRST.id], doneIds: [FIRST.id] },
    };
    const draft = cancelLines(left, { orderLineIds: [FIRST.id] }, NOW).order;
    assert.deepEqual([draft.version, draft.withdrawal], [3, undefined]);
    const kept = withdrawn();
    const { lock: _lock, ...open } = kept;
    assert.deepEqual(cancelLines(open, { orderLineIds: [SECOND.id] }, NOW).order.withdrawal, kept.withdrawal);
  });

  it('keep a line as unused that is told of later, and only such a one', () => {
    assert.equal(
      confirmOrder(credited(used(withdrawn()), 10_000), { orderVersion: 2, lockOwner: OWNER }, NOW).order.status,
      'CONFIRMED',
    );
    const early = credited(used(locked()), 10_000);
    assert.throws(() => confirmOrder(early, { orderVersion: 2, lockOwner: OWNER }, NOW), {
      code: 'TICKET_ALREADY_USED',
    });
  });

  it('are asked back by the expiry, also while money is credited, but not where it confirms the draft', () => {
    const asks = (order: Order) => needsTicketsBack(order, 2, OWNER, MANY_DAYS);
    assert.deepEqual([withdrawn(), locked(), ending()].map(asks), [true, true, true]);
    assert.equal(asks(locked({ ...owing(), orderLines: [] })), false);
    const paid = credited(withdrawn(), 10_000);
    assert.deepEqual([asks(paid), endLockedDraft(paid, 2, OWNER, MANY_DAYS).order.version], [false, 2]);
    const partly = credited(withdrawn(), 4_000);
    assert.equal(asks(partly), true, 'those that were not withdrawn');
    const waiting = endLockedDraft(partly, 2, OWNER, MANY_DAYS).order;
    assert.deepEqual([waiting.status, waiting.withdrawal?.doneIds], ['DRAFT', [FIRST.id]]);
    const open = { paymentId: 1, orderVersion: 2, capturedMinor: 0, creditedMinor: 0, openTransactions: 1 };
    assert.equal(asks({ ...withdrawn(), paymentRefs: [open] }), true);
    const extra = { ...withdrawn(), money: { capturedMinor: 20_500, creditedMinor: 0 } };
    assert.equal(asks(extra), true);
  });

  it('have what the sold version lacks captured, where a use alone forbids the confirmation', () => {
    const unpaid = credited(owing(), 10_000);
    assert.equal(dueMinor(unpaid), 0, 'it may be confirmed');
    assert.equal(dueMinor(used(unpaid)), 10_000);
    assert.equal(dueMinor(used(owing())), -10_000, 'it may be reset');
    assert.equal(dueMinor({ ...used(unpaid), withdrawal: { orderLineIds: [FIRST.id], doneIds: [FIRST.id] } }), 0);
  });
});
