/** A dispute in another currency than its payment: the transaction is disputed, an event says so, and the ledger has no entry. */
import assert from 'node:assert/strict';
import type {
  PaymentProvider,
  ProviderTrouble,
  RawCallback,
} from '../../../activities/payments/provider/payment-provider.ts';
import { PROVIDER_REPORTS_COLLECTION, ProviderReports } from '../../../activities/payments/provider-reports.ts';
import { ReportIntake, type ReportIntakeOptions } from '../../../activities/payments/report-intake.ts';
import { createLog } from '../../../platform/log.ts';
import { beginCapture, noteCaptured } from '../../../workflows/payments/rules/capture.ts';
import { noteAuthorised, noteTerminal, prepareTerminal } from '../../../workflows/payments/rules/terminal.ts';
import type { PaymentId } from '../../../workflows/shared/ids.ts';
import { OURS } from '../../support/sample-orders.ts';
import { SEALED_ADDRESS } from '../../support/sample-payments.ts';
import { PaymentFixture, work } from './payment-fixture.ts';

describe('a dispute in another currency than its payment', () => {
  const fixture = new PaymentFixture('foreign-dispute');
  before(async () => {
    await fixture.open();
    await PROVIDER_REPORTS_COLLECTION.ensureIndexes(fixture.here.connection);
  });
  after(async () => await fixture.close());

  const captured = async () => {
    const { payment } = await fixture.create();
    const [{ id: transactionId, provider } = assert.fail('it has one')] = payment.transactions;
    const of = { transactionId };
    const session = { sessionId: 's', terminalUri: 'https://psp.example/t', key: `auth-${transactionId}-1` };
    const authorised = { sessionId: 's', authorisationId: 'a', challengeDone: false };
    const steps = [
      (before: typeof payment, now: Date) =>
        prepareTerminal(before, { ...of, kind: 'TERMINAL', redirectUrl: SEALED_ADDRESS }, now),
      (before: typeof payment, now: Date) => noteTerminal(before, { ...of, ...session }, now),
      (before: typeof payment, now: Date) => noteAuthorised(before, { ...of, ...authorised }, now),
      (before: typeof payment, now: Date) => beginCapture(before, of, now),
      (before: typeof payment, now: Date) => noteCaptured(before, { ...of, key: `cap-${transactionId}-1` }, now),
    ];
    for (const step of steps) await fixture.here.store.change(OURS, payment.id, work(), step);
    return { paymentId: payment.id, transactionId, provider };
  };

  const intake = () =>
    new ReportIntake({
      payments: fixture.here.store,
      reports: new ProviderReports(fixture.here.connection),
      notes: { tryToTell: async () => {} },
      log: createLog({ level: 'silent', name: 'intake' }),
    } as unknown as ReportIntakeOptions);

  const eventsOf = async (paymentId: PaymentId) =>
    (await fixture.outbox(paymentId)).map(({ type, data }) => ({ type, data }));

  it('is told once, and given back once, without an entry', async () => {
    const { paymentId, transactionId, provider: name } = await captured();
    const of = { paymentId, transactionId };
    const report = async (id: string, trouble: ProviderTrouble) => {
      const provider = { name, verifyCallback: async () => ({ id, ...of, trouble }) } as unknown as PaymentProvider;
      await intake().take(provider, {} as RawCallback, 'c');
    };
    const statusOf = async () => (await fixture.here.store.get(OURS, paymentId)).payment.transactions[0]?.status;
    const before = (await eventsOf(paymentId)).length;
    const disputed = { amountMinor: 3_050, currency: 'EUR' };
    for (const id of ['d1', 'd1', 'd2']) await report(id, { kind: 'DISPUTED', ...disputed });
    assert.equal(await statusOf(), 'DISPUTED');
    for (const id of ['w1', 'w2']) await report(id, { kind: 'DISPUTE_WON', ...disputed });
    assert.equal(await statusOf(), 'CAPTURED');
    const told = (await eventsOf(paymentId)).slice(before);
    assert.deepEqual(
      told.map(({ type, data: { outcome, disputedAmount, disputedCurrency, entry, amount } }) => [
        ...[type.split('.').at(-2), outcome, disputedAmount, disputedCurrency, entry, amount],
      ]),
      ['TAKEN', 'GIVEN_BACK'].map((outcome) => ['DisputeNotEntered', outcome, '30.50', 'EUR', undefined, undefined]),
    );
  });

  it('is entered where it is in the currency of the payment', async () => {
    const { paymentId, transactionId, provider: name } = await captured();
    const trouble: ProviderTrouble = { kind: 'DISPUTED', amountMinor: 3_050, currency: 'NOK' };
    const provider = { name, verifyCallback: async () => ({ id: 'n1', paymentId, transactionId, trouble }) };
    await intake().take(provider as unknown as PaymentProvider, {} as RawCallback, 'c');
    const last = (await eventsOf(paymentId)).at(-1);
    assert.match(last?.type ?? '', /TransactionDisputed/);
    assert.equal(last?.data.amount, '30.50');
  });
});
