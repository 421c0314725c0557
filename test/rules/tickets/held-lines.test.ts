/** Lines of a mailing that are held: planned once they are free, by one plan, however many come at once. */
import assert from 'node:assert/strict';
import type {
  CustomerNumber,
  OrderId,
  OrderLineId,
  TicketDistributionId,
  TicketGroupId,
} from '../../../workflows/shared/ids.ts';
import {
  afterPlan,
  afterRefusal,
  isToPlan,
  type Planned,
  releaseLines,
} from '../../../workflows/tickets/rules/held-lines.ts';
import { afterAttempts } from '../../../workflows/tickets/rules/mailing-steps.ts';
import type { Mailing, TicketMail } from '../../../workflows/tickets/rules/ticket-mailing.ts';
import { later, NOW, OURS } from '../../support/sample-orders.ts';

const [A, B] = ['a', 'b'] as [OrderLineId, OrderLineId];
const NEW: Mailing = {
  ...{ id: 'deliver/K7QW2MXP/v1', workflow: 'deliver/K7QW2MXP/v1', organisationId: OURS, createdAt: NOW },
  ...{ orderId: 'K7QW2MXP' as OrderId, orderVersion: 1, wish: { kind: 'CONFIRMED' }, state: 'NEW' },
  ...{ mails: [], unaddressed: 0 },
};
const mail = (messageId: string): TicketMail => ({
  ...{ messageId, recipient: '1000000001' as CustomerNumber, state: 'DUE', attempts: 0, nextTryAt: NOW },
  tickets: [{ groupId: 1 as TicketGroupId, ticketId: 1 as TicketDistributionId }],
});
const plan = (of: Mailing, more: Partial<Planned> = {}): Planned => ({
  ...{ of, mails: [], unaddressed: 0, underRefund: [], unmade: [] },
  ...more,
});
const sent = (mailing: Mailing) =>
  afterAttempts(
    mailing,
    mailing.mails.map(({ messageId }) => ({ messageId, attempt: { kind: 'SENT' } })),
    undefined,
    NOW,
  );
const idsOf = ({ mails }: Mailing) => mails.map(({ messageId }) => messageId);

describe('lines that are held', () => {
  it('keep the mailing open once the mails of the others are sent, until the refund has ended', () => {
    const planned = afterPlan(NEW, plan(NEW, { mails: [mail('1')], underRefund: [A] }), NOW);
    assert.deepEqual([planned.held, planned.unmade, isToPlan(planned)], [[A], undefined, true]);
    const waiting = sent(planned);
    assert.equal(waiting.state, 'OPEN');
    assert.equal(releaseLines(waiting, [B], NOW), waiting);
    const woken = releaseLines(waiting, [A], NOW);
    assert.ok(isToPlan(woken));
    const after = sent(afterPlan(woken, plan(woken, { mails: [mail('2')] }), NOW));
    assert.deepEqual([after.state, idsOf(after), after.held, isToPlan(after)], ['DONE', ['1', '2'], undefined, false]);
  });

  it('are planned by one of two plans that come at once', () => {
    const planned = afterPlan(NEW, plan(NEW, { underRefund: [A, B] }), NOW);
    assert.equal(afterPlan(planned, plan(NEW, { mails: [mail('0')] }), NOW), planned);
    const woken = releaseLines(planned, [A, B], NOW);
    const first = afterPlan(woken, plan(woken, { mails: [mail('1')], underRefund: [B] }), NOW);
    assert.deepEqual([idsOf(first), first.held], [['1'], [B]]);
    const again = releaseLines(first, [B], later(1));
    assert.equal(afterPlan(again, plan(woken, { mails: [mail('1')], underRefund: [B] }), NOW), again);
  });

  it('are planned again where a refund ends while a plan is made', () => {
    const planned = afterPlan(NEW, plan(NEW, { underRefund: [A, B] }), NOW);
    const woken = releaseLines(planned, [A], NOW);
    const wokenAgain = releaseLines(woken, [B], later(1));
    const after = afterPlan(wokenAgain, plan(woken, { mails: [mail('1')], underRefund: [B] }), later(2));
    assert.deepEqual([after.held, after.planAgainAt], [[B], later(1)]);
  });

  for (const why of ['unmade', 'underRefund'] as const)
    it(`are tried again by themselves where they are ${why}, ever more seldom`, () => {
      const pauseAt = (now: Date) => {
        const { planAgainAt } = afterPlan(NEW, plan(NEW, { [why]: [A] }), now);
        return ((planAgainAt?.getTime() ?? 0) - now.getTime()) / 1_000;
      };
      assert.deepEqual([NOW, later(5), later(600)].map(pauseAt), [30, 150, 600]);
      const planned = afterPlan(NEW, plan(NEW, { [why]: [A] }), NOW);
      assert.ok(isToPlan(sent(planned)));
      const again = afterPlan(planned, plan(planned, { [why]: [A] }), later(1));
      assert.deepEqual([again.held, again.planAgainAt], [[A], new Date(later(1).getTime() + 30_000)]);
    });

  it('are tried again as seldom where the sweep has postponed them while a slow plan was made', () => {
    const planned = afterPlan(NEW, plan(NEW, { unmade: [A] }), NOW);
    const postponed = { ...planned, planAgainAt: later(600.5) };
    const after = afterPlan(postponed, plan(planned, { unmade: [A] }), later(600));
    assert.deepEqual(after.planAgainAt, later(610));
  });

  it('are told apart: those that could not be made, as long as that lasts', () => {
    const planned = afterPlan(NEW, plan(NEW, { underRefund: [A], unmade: [B] }), NOW);
    assert.deepEqual([planned.held, planned.unmade], [[A, B], [B]]);
    const after = afterPlan(planned, plan(planned, { underRefund: [A] }), later(1));
    assert.deepEqual([after.held, after.unmade], [[A], undefined]);
  });

  it('are given up with an order that does not add up, and mails that are due go on', () => {
    const planned = afterPlan(NEW, plan(NEW, { mails: [mail('1')], unmade: [A] }), NOW);
    const refused = afterRefusal(planned, ['NOT_PAID (order)'], undefined);
    const { state, held, unmade: left } = refused;
    assert.deepEqual([state, held, left, isToPlan(refused)], ['OPEN', undefined, undefined, false]);
    assert.equal(sent(refused).state, 'DONE');
    assert.equal(afterRefusal(NEW, ['NOT_PAID (order)'], undefined).state, 'REFUSED');
    assert.equal(afterRefusal(refused, ['NOT_PAID (order)'], undefined), refused);
  });
});
