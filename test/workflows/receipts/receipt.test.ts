/** The workflow that sends receipts, on a real server: to its end, with further mails, through deaths, and after it was lost. */
import assert from 'node:assert/strict';
import { sweepPendingReceipts } from '../../../activities/receipts/receipt-sweeps.ts';
import { later } from '../../support/sample-orders.ts';
import { until } from '../../support/until.ts';
import { ReceiptWorld } from './receipt-world.ts';

const LATER = '450 4.2.0 later';

describe('the workflow of a receipt', () => {
  let world: ReceiptWorld;
  before(async () => {
    world = await ReceiptWorld.open('receipt-workflow');
  });
  beforeEach(async () => await world.reset());
  after(async () => await world.close());

  const recipients = () => world.taking.mails.map(({ to }) => to[0]);

  it('sends what is wanted, and ends', async () => {
    const stored = await world.wanted();
    await world.start(stored);
    assert.deepEqual(await world.ended(stored), { status: 'SENT' });
    assert.deepEqual(recipients(), ['anna@example.org']);
    assert.equal((await world.read(stored)).status, 'SENT');
  });

  it('ends with a refused address, and begins again with the next mail', async () => {
    const stored = await world.wanted();
    await world.failWith('550 5.1.1 unknown');
    await world.start(stored);
    assert.deepEqual(await world.ended(stored), { status: 'FAILED' });
    world.mend();
    await world.start(await world.further(stored, 'kari@example.org'));
    assert.deepEqual(await world.ended(stored), { status: 'SENT' });
    assert.deepEqual(recipients(), ['kari@example.org']);
  });

  it('sends a further mail while it waits for the next attempt of the first', async () => {
    const stored = await world.wanted();
    await world.failWith(LATER);
    await world.start(stored);
    await until(async () => (await world.read(stored)).mailings[0]?.attempts === 1, { what: 'the first attempt' });
    world.mend();
    await world.start(await world.further(stored, 'kari@example.org'));
    await until(async () => (await world.read(stored)).mailings[1]?.status === 'SENT', { what: 'the second mail' });
    assert.deepEqual(recipients(), ['kari@example.org']);
    const [first] = (await world.read(stored)).mailings;
    assert.deepEqual([first?.status, first?.attempts], ['DUE', 1]);
    await world.handle(stored).terminate();
  });

  for (const when of ['before', 'after'] as const) {
    it(`goes on when the worker dies ${when} the attempt, and sends one mail`, async () => {
      world.breakOn('sendReceipt', when, 2);
      const stored = await world.wanted();
      await world.start(stored);
      assert.deepEqual(await world.ended(stored), { status: 'SENT' });
      assert.deepEqual(recipients(), ['anna@example.org']);
      assert.equal(world.ran, 3);
    });
  }

  it('is started by the sweep where its handler has died, once for each write', async () => {
    const stored = await world.wanted();
    await sweepPendingReceipts(world.sweep);
    assert.equal((await world.read(stored)).status, 'SENDING', 'the handler has two seconds');
    world.fixture.now = later(1, world.fixture.now);
    await sweepPendingReceipts(world.sweep);
    assert.deepEqual(await world.ended(stored), { status: 'SENT' });
    assert.deepEqual(await world.fixture.here.receipts.listPendingStarts(later(9, world.fixture.now), 9), []);
  });

  it('comes back where it was lost', async () => {
    const stored = await world.wanted();
    await world.failWith(LATER);
    await world.start(stored);
    await until(async () => (await world.read(stored)).mailings[0]?.attempts === 1, { what: 'the first attempt' });
    await world.handle(stored).terminate();
    world.mend();
    assert.equal(await world.sweepLate(), 0, 'it waits for the next attempt');
    const { mailDueAt } = (await world.read(stored)).document;
    world.fixture.now = later(6, mailDueAt);
    assert.equal(await world.sweepLate(), 1);
    await until(async () => world.ran === 2, { what: 'the next run' });
    // Its clock is the server's again: the mail is due in a minute.
    await until(async () => (await world.read(stored)).status === 'SENDING', { what: 'the look' });
    await world.handle(stored).terminate();
  });
});

describe('the workflow of a receipt, in time', () => {
  let world: ReceiptWorld;
  before(async () => {
    world = await ReceiptWorld.open('receipt-time', { skipping: true });
  });
  beforeEach(async () => await world.reset());
  after(async () => await world.close());

  it('tries for 24 hours, and gives up', async () => {
    const stored = await world.wanted();
    await world.failWith(LATER);
    await world.start(stored);
    assert.deepEqual(await world.ended(stored), { status: 'FAILED' });
    const [mailing] = (await world.read(stored)).mailings;
    assert.deepEqual([mailing?.status, mailing?.lastFailure, mailing?.attempts], ['FAILED', '450 4.2.0', 30]);
    const triedMs = (mailing?.settledAt?.getTime() ?? 0) - (mailing?.createdAt.getTime() ?? 0);
    assert.ok(triedMs >= 24 * 3_600_000 && triedMs < 24 * 3_600_000 + 60_000, String(triedMs));
  });

  it('sends hours later, when the mail server is back', async () => {
    const stored = await world.wanted();
    await world.failWith(LATER);
    await world.start(stored);
    await world.server.sleep(3 * 3_600_000);
    world.mend();
    assert.deepEqual(await world.ended(stored), { status: 'SENT' });
    assert.equal(world.taking.mails.length, 1);
  });
});
