/** Money never moves twice at Stripe, and no outcome is invented, whatever is lost between Stripe and the adapter. */
import assert from 'node:assert/strict';
import { ProviderUnknown } from '../../../../activities/payments/provider/payment-provider.ts';
import { StripeProvider } from '../../../../activities/payments/provider/stripe/stripe-provider.ts';
import { findStripeMock, StripeMock } from '../../../support/stripe-mock.ts';
import { type Fault, StripeWithMemory } from './stripe-with-memory.ts';
import { ACCESS, request } from './support.ts';

/** The library itself repeats a call once whose connection was closed. */
function twice(fault: Fault): readonly Fault[] {
  return [fault, fault];
}

describe('money at Stripe', () => {
  let mock: StripeMock;
  let stripe: StripeWithMemory;
  let provider: StripeProvider;
  let authorisationId: string;
  let sessionId: string;

  before(async function () {
    const command = findStripeMock();
    if (command === undefined) return this.skip();
    mock = await StripeMock.start(command);
  });
  after(async () => await mock?.stop());
  beforeEach(async () => {
    stripe = new StripeWithMemory(mock.address);
    provider = new StripeProvider({ ...ACCESS, apiBase: await stripe.start(), timeoutMs: 2_000 });
    sessionId = (await provider.openSession(request())).sessionId;
    authorisationId = stripe.state.authorise(sessionId);
  });
  afterEach(async () => await stripe.stop());

  const money = (key: string, amountMinor = 34_900) => ({ key, authorisationId, amountMinor, currency: 'NOK' });
  /** As the workflow does it: the outcome is asked by key until it is known, and a call that was never seen is repeated. */
  const persist = async (call: 'capture' | 'refund' | 'void', { key, ...of }: ReturnType<typeof money>) => {
    const known = async (ask: () => ReturnType<StripeProvider['capture']>) =>
      await ask().catch((error) => (error instanceof ProviderUnknown ? undefined : Promise.reject(error)));
    for (let tries = 0; tries < 20; tries += 1) {
      const made = await known(() => provider[call]({ key, ...of }));
      const found = made ?? (await known(() => provider.outcomeOf(key, of)));
      if (found && found.outcome !== 'NEVER_SEEN') return found;
    }
    throw new Error('The outcome is never known');
  };

  it('opens no page where Stripe refuses it', async () => {
    stripe.faults.push('REFUSED');
    await assert.rejects(provider.openSession({ ...request(), key: 'auth-2-2' }), {
      code: 'PSP_ERROR',
      message: 'Stripe opens no page for this payment: amount_too_small.',
    });
  });

  for (const fault of ['LOST', 'DROP', 'FAULT', 'FAULT_AFTER', 'BUSY', 'SLOW_DOWN', 'NOT_OURS'] as const) {
    it(`captures once when Stripe answers ${fault}`, async () => {
      stripe.faults.push(...twice(fault));
      assert.deepEqual(await persist('capture', money('cap-2-1')), { outcome: 'DONE', rrn: `net-${authorisationId}` });
      assert.deepEqual(stripe.state.captured, [[authorisationId, 34_900]]);
    });

    it(`voids when Stripe answers ${fault}`, async () => {
      stripe.faults.push(...twice(fault));
      assert.deepEqual(await persist('void', money('void-2')), { outcome: 'DONE' });
      assert.deepEqual(stripe.state.captured, []);
      assert.deepEqual(await persist('capture', money('cap-2-1')), { outcome: 'REFUSED' });
    });
  }

  for (const fault of ['LOST', 'DROP', 'FAULT_AFTER', 'BUSY', 'SLOW_DOWN', 'NOT_OURS'] as const) {
    it(`refunds a part once when Stripe answers ${fault}`, async () => {
      await provider.capture(money('cap-2-1'));
      stripe.faults.push(...twice(fault));
      assert.equal((await persist('refund', money('cr-8-2', 10_000))).outcome, 'DONE');
      assert.deepEqual(
        stripe.state.refunds.map(({ amount }) => amount),
        [10_000],
      );
    });
  }

  it('repeats a refund only when Stripe has forgotten its fault: whether it was made is not sure before', async () => {
    await provider.capture(money('cap-2-1'));
    stripe.faults.push('FAULT');
    const refund = money('cr-8-2', 10_000);
    for (let tries = 0; tries < 3; tries += 1) await assert.rejects(provider.refund(refund), ProviderUnknown);
    assert.deepEqual(stripe.state.refunds, []);
    stripe.forgetKeys();
    assert.equal((await provider.refund(refund)).outcome, 'DONE');
  });

  it('knows captures and refunds after Stripe has forgotten their keys', async () => {
    await provider.capture(money('cap-2-1'));
    await provider.refund(money('cr-8-2', 10_000));
    stripe.forgetKeys();
    assert.equal((await provider.capture(money('cap-2-1'))).outcome, 'DONE');
    assert.equal((await provider.refund(money('cr-8-2', 10_000))).outcome, 'DONE');
    assert.equal((await provider.refund(money('cr-9-2', 10_000))).outcome, 'DONE', 'another credit is another refund');
    assert.equal(stripe.state.captured.length, 1);
    assert.deepEqual(
      stripe.state.refunds.map(({ amount }) => amount),
      [10_000, 10_000],
    );
  });

  it('captures once however many calls run at the same time', async () => {
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => persist('capture', money('cap-2-1'))));
    assert.ok(outcomes.every(({ outcome }) => outcome === 'DONE'));
    assert.equal(stripe.state.captured.length, 1);
  });

  it('tells a declined capture, and one that was never made', async () => {
    assert.equal((await provider.outcomeOf('cap-2-1', money(''))).outcome, 'NEVER_SEEN');
    assert.equal((await provider.outcomeOf('cr-8-2', money(''))).outcome, 'NEVER_SEEN');
    stripe.state.declines.push('insufficient_funds');
    assert.deepEqual(await provider.capture(money('cap-2-1')), { outcome: 'REFUSED' });
    assert.deepEqual(await provider.outcomeOf('cap-2-1', money('')), { outcome: 'REFUSED' });
  });

  for (const fault of [undefined, 'DROP', 'FAULT', 'FAULT_AFTER'] satisfies (Fault | undefined)[]) {
    it(`asks for the customer in a new session after a soft decline, ${fault ?? 'without a fault'}`, async () => {
      stripe.state.declines.push('authentication_required');
      // The first call declines, the second takes the authorisation back.
      if (fault) stripe.faults.push('BUSY', ...twice(fault), ...twice(fault));
      const declined = { outcome: 'SOFT_DECLINE', sessionEnded: true };
      assert.deepEqual(await persist('capture', money('cap-2-1')), declined);
      assert.equal(stripe.state.intents.get(authorisationId)?.status, 'canceled');
      assert.deepEqual(await provider.outcomeOf('cap-2-1', money('')), declined, 'also for a caller that has lost it');
      assert.equal((await provider.session(sessionId)).status, 'EXPIRED');

      const next = await provider.openSession({ ...request(), key: 'auth-2-2', challenge: true });
      assert.notEqual(next.sessionId, sessionId);
      stripe.state.challenge = 'authenticated';
      authorisationId = stripe.state.authorise(next.sessionId);
      assert.equal((await provider.session(next.sessionId)).challengeDone, true);
      assert.equal((await provider.capture(money('cap-2-2'))).outcome, 'DONE');
      assert.equal(stripe.state.captured.length, 1);
    });
  }

  it('waits for a refund that Stripe carries out later, and tells one that failed', async () => {
    await provider.capture(money('cap-2-1'));
    stripe.state.refundStatus = 'pending';
    assert.equal((await provider.refund(money('cr-8-2', 10_000))).outcome, 'PENDING');
    assert.equal((await provider.outcomeOf('cr-8-2', money(''))).outcome, 'PENDING');
    for (const refund of stripe.state.refunds) refund.status = 'failed';
    assert.equal((await provider.outcomeOf('cr-8-2', money(''))).outcome, 'REFUSED');
  });

  it('never takes a part for the whole', async () => {
    await provider.capture(money('cap-2-1', 20_000));
    await assert.rejects(provider.outcomeOf('cap-2-1', money('')), /captured 20000 nok of .* in place of 34900/);
  });

  it('ends an open session, and one that has ended by itself', async () => {
    const { sessionId: other } = await provider.openSession({ ...request(), key: 'auth-3-1' });
    assert.equal((await provider.session(other)).status, 'OPEN');
    stripe.faults.push(...twice('DROP'));
    await assert.rejects(provider.cancelSession(other, 'void-3'), ProviderUnknown);
    await provider.cancelSession(other, 'void-3');
    await provider.cancelSession(sessionId, 'void-2');
    assert.equal((await provider.session(other)).status, 'EXPIRED');
    assert.equal((await provider.session(sessionId)).status, 'AUTHORISED');
  });

  it('opens one session for one key, also after a fault that Stripe repeats', async () => {
    stripe.faults.push('FAULT');
    await assert.rejects(provider.openSession({ ...request(), key: 'auth-4-1' }), ProviderUnknown);
    const opened = await provider.openSession({ ...request(), key: 'auth-4-1' });
    assert.deepEqual(await provider.openSession({ ...request(), key: 'auth-4-1' }), opened);
  });

  it('tells a call that cannot be right from money that was refused', async () => {
    const unknown = { ...money('cap-2-1'), authorisationId: 'pi_of_another_account' };
    await assert.rejects(provider.capture(unknown), { name: 'StripeRefusal', code: 'resource_missing' });
    await assert.rejects(provider.outcomeOf('auth-2-1', money('')), RangeError);
  });
});
