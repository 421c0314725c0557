/** Stripe ends its session with a soft decline: the customer of a payment page passes the challenge in another one. */
import assert from 'node:assert/strict';
import { OrderMoneyWriter } from '../../../../activities/orders/order-money.ts';
import { createCaptureActivities } from '../../../../activities/payments/capture/capture-activities.ts';
import type { CaptureDependencies } from '../../../../activities/payments/capture/capture-context.ts';
import type { CaptureCalls, TransactionPlace } from '../../../../activities/payments/capture-calls.ts';
import { CREDITS_COLLECTION } from '../../../../activities/payments/credit-document.ts';
import { CreditStore } from '../../../../activities/payments/credit-store.ts';
import { OrderNotes } from '../../../../activities/payments/order-notes.ts';
import { PaymentsOfPages } from '../../../../activities/payments/page-payments.ts';
import { PAYMENTS_COLLECTION } from '../../../../activities/payments/payment-document.ts';
import { PaymentStore } from '../../../../activities/payments/payment-store.ts';
import { Providers } from '../../../../activities/payments/provider/providers.ts';
import { StripeProvider } from '../../../../activities/payments/provider/stripe/stripe-provider.ts';
import type { PaymentPageId } from '../../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../../workflows/shared/service-error.ts';
import { OURS } from '../../../support/sample-orders.ts';
import { PAGE_CHANNEL, VISA } from '../../../support/sample-pages.ts';
import { findStripeMock, StripeMock } from '../../../support/stripe-mock.ts';
import { OrderFixture } from '../../orders/order-fixture.ts';
import { CHANNEL } from '../../payment-page/page-fixture.ts';
import { StripeWithMemory } from './stripe-with-memory.ts';
import { ACCESS } from './support.ts';

const PAGE = '6f0d2a3e-0f3c-8b11-9d4e-5a1f0f2d7c01' as PaymentPageId;
const STRIPE_CHANNEL = {
  ...CHANNEL,
  paymentMethods: CHANNEL.paymentMethods.map((method) => ({ ...method, provider: 'STRIPE' })),
};

describe('a soft decline of Stripe behind a payment page', () => {
  const fixture = new OrderFixture('stripe-pages');
  let mock: StripeMock;
  let stripe: StripeWithMemory;
  let pages: PaymentsOfPages;
  let payments: PaymentStore;
  let activities: ReturnType<typeof createCaptureActivities>;

  before(async function () {
    const command = findStripeMock();
    if (command === undefined) return this.skip();
    mock = await StripeMock.start(command);
    await fixture.open();
    const { connection } = fixture.here;
    await Promise.all([PAYMENTS_COLLECTION, CREDITS_COLLECTION].map((each) => each.ensureIndexes(connection)));
  });
  beforeEach(async () => {
    await fixture.clear();
    await PAYMENTS_COLLECTION.open(fixture.here.connection).deleteMany({});
    // The order is asked for by the real time.
    fixture.now = new Date();
    stripe = new StripeWithMemory(mock.address);
    await begin(new StripeProvider({ ...ACCESS, apiBase: await stripe.start(), timeoutMs: 2_000 }));
  });
  afterEach(async () => await stripe.stop());
  after(async () => {
    await mock?.stop();
    await fixture.close();
  });

  /** The activities are called without their workflow. */
  async function begin(provider: StripeProvider): Promise<void> {
    const { connection, store, access, keys, options } = fixture.here;
    const { log } = options;
    const now = () => fixture.now;
    const money = new OrderMoneyWriter(store, connection);
    payments = new PaymentStore({ connection, environment: 'dev', now });
    const notes = new OrderNotes({ connection, orders: () => money, log, now });
    const nothing = async () => undefined;
    activities = createCaptureActivities({
      ...{ payments, notes, log, now, keys, orders: () => money, orderReads: () => access },
      credits: new CreditStore({ connection, now }),
      compensations: () => ({ find: nothing }) as unknown as ReturnType<CaptureDependencies['compensations']>,
      providers: new Providers([provider]),
      callbacks: { note: nothing },
      needless: { wake: nothing },
      sessions: { publicUrl: 'https://api.example' },
      pageLinks: () => ({ returnUrlOf: ({ orderId }) => `https://pay.example/${orderId}` }),
    });
    const openTerminal: CaptureCalls['openTerminal'] = async (place) => {
      const { status, refusal } = await activities.openTerminal(callOf(place));
      if (refusal) throw new ServiceError('PSP_TIMEOUT', refusal.detail);
      return status;
    };
    pages = new PaymentsOfPages({
      ...{ payments, notes, orders: () => access, usesProvider: () => true, look: nothing },
      catalogue: () => ({ findChannel: async () => STRIPE_CHANNEL }),
      customers: () => ({}) as never,
      calls: { openTerminal } as CaptureCalls,
    });
  }

  async function declined() {
    const { order } = await fixture.withSeat();
    const place = await pages.beginAttempt({
      ...{ organisationId: OURS, distributionChannelId: PAGE_CHANNEL, orderId: order.id, orderVersion: order.version },
      ...{ amountMinor: 10_000, currency: 'NOK', ...VISA, pageId: PAGE, attempt: 1, keyId: 'k1' },
      ...{ language: 'eng', correlationId: 'c' },
    });
    const first = await transaction(place);
    await authorise(place);
    stripe.state.declines.push('authentication_required');
    const { refusal } = await activities.lookAgain(callOf(place));
    assert.equal(refusal?.code, 'SOFT_DECLINE');
    assert.deepEqual(await pages.getAttempt(place), { state: 'RETRY' });
    return { place, first };
  }
  const transaction = async (place: TransactionPlace) => {
    const [found] = (await payments.get(OURS, place.paymentId)).payment.transactions;
    return found ?? assert.fail('no transaction');
  };
  const authorise = async (place: TransactionPlace) => {
    const { session } = await transaction(place);
    stripe.state.authorise(session?.sessionId ?? '');
  };

  it('opens another terminal, once, and captures after the challenge', async () => {
    const { place, first } = await declined();
    const again = await Promise.all([pages.openAgain(place), pages.openAgain(place)]);
    const [{ terminalUri = '' }] = again;
    assert.deepEqual(again[1], again[0]);
    assert.ok(terminalUri);
    const { session, round } = await transaction(place);
    assert.notEqual(session?.sessionId, first.session?.sessionId);
    assert.deepEqual([round, session?.number, session?.pageKeyId, session?.language], [2, 2, 'k1', 'eng']);
    assert.deepEqual(await pages.openAgain(place), again[0]);
    stripe.state.challenge = 'authenticated';
    await authorise(place);
    assert.equal((await activities.lookAgain(callOf(place))).status, 'CAPTURED');
    assert.deepEqual(await pages.getAttempt(place), { state: 'CAPTURED' });
    assert.deepEqual(
      stripe.state.captured.map(([, amount]) => amount),
      [10_000],
    );
    assert.equal((await fixture.here.store.get('ANY', place.orderId)).order.status, 'CONFIRMED');
  });

  it('opens the terminal at a later try where Stripe has not answered', async () => {
    const { place } = await declined();
    stripe.faults.push('LOST', 'LOST', 'LOST', 'LOST');
    assert.equal((await pages.openAgain(place)).terminalUri, undefined);
    stripe.faults.length = 0;
    assert.ok((await pages.openAgain(place)).terminalUri);
  });
});

function callOf({ organisationId, orderId, paymentId, transactionId }: TransactionPlace) {
  return {
    ...{ organisationId, orderId, paymentId, transactionId },
    ...{ paymentPageId: PAGE, correlationId: 'c', callId: crypto.randomUUID() },
  };
}
