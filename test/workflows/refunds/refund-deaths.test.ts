/** Refunds whose steps die before or after their effect, or in their midst: they end as if nothing had died. */
import '../../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import type { RefundActivities } from '../../../workflows/refunds/activities.ts';
import { assertAsBefore, assertRefunded, needsAttention } from './refund-outcomes.ts';
import { RefundWorld } from './refund-world.ts';

describe('a refund', () => {
  let world: RefundWorld;
  before(async () => {
    world = await RefundWorld.open('refund-deaths');
  });
  beforeEach(async () => await world.reset());
  after(async () => await world.close());

  const STEPS: readonly (keyof RefundActivities)[] = ['beginRefund', 'creditRefund', 'awaitCredit', 'completeRefund'];
  const OPERATOR_STEPS: readonly (keyof RefundActivities)[] = ['needAttention', 'noteResolution', 'settleCredit'];
  for (const step of OPERATOR_STEPS) {
    for (const when of ['before', 'after'] as const) {
      it(`is resolved once where ${step} dies ${when} its effect`, async () => {
        const { refund } = await world.requested({ keptMinor: 1_000 });
        world.answers = [{ paidMinor: 4_000 }];
        world.breakOn(step, when, 2);
        const running = await world.start(refund);
        await needsAttention(world, refund);
        if (step === 'noteResolution') await world.resolve(refund, 'CREDITED_ELSEWHERE');
        else await world.decide(refund, 'CREDITED_ELSEWHERE');
        assert.deepEqual(await running.result(), { status: 'COMPLETED' });
        await assertRefunded(world, refund, 1_000);
      });
    }
  }
  for (const effect of [
    'lock',
    'disable',
    'noteLocked',
    'credit',
    'noteCrediting',
    'refundLines',
    'noteCompleted',
  ] as const) {
    it(`ends the same where the process dies right after ${effect}`, async () => {
      const { refund } = await world.requested({ keptMinor: 1_000 });
      world.dieAfter(effect, 2);
      assert.deepEqual(await world.end(refund), { status: 'COMPLETED' });
      await assertRefunded(world, refund, 1_000);
    });
  }
  for (const effect of ['restore', 'unlock', 'noteFailed'] as const) {
    it(`is undone where the process dies right after ${effect}`, async () => {
      const { refund } = await world.requested();
      world.answers = ['REFUSED'];
      world.dieAfter(effect, 2);
      assert.deepEqual(await world.end(refund), { status: 'FAILED' });
      await assertAsBefore(world, refund, 'REFUSED_BY_ISSUER');
    });
  }
  for (const step of STEPS) {
    for (const when of ['before', 'after'] as const) {
      it(`ends the same where ${step} dies ${when} its effect`, async () => {
        const { refund } = await world.requested({ keptMinor: 1_000 });
        world.breakOn(step, when, 2);
        assert.deepEqual(await world.end(refund), { status: 'COMPLETED' });
        await assertRefunded(world, refund, 1_000);
      });
    }
  }
  for (const when of ['before', 'after'] as const) {
    it(`is undone where undoRefund dies ${when} its effect`, async () => {
      const { refund } = await world.requested();
      world.answers = ['REFUSED'];
      world.breakOn('undoRefund', when, 2);
      assert.deepEqual(await world.end(refund), { status: 'FAILED' });
      await assertAsBefore(world, refund, 'REFUSED_BY_ISSUER');
    });
  }
});
