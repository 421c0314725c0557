/** Transactions that nobody touches, on a server that skips time. */
import assert from 'node:assert/strict';
import { payByCard } from '../../support/provider-simulator.ts';
import { until } from '../../support/until.ts';
import { GOOD_CARD, MoneyWorld } from './money-world.ts';

describe('idle transactions', () => {
  let world: MoneyWorld;
  before(async () => {
    world = await MoneyWorld.open('idle-transactions', { skipping: true });
  });
  beforeEach(async () => await world.reset());
  after(async () => await world.close());

  it('are cancelled after half an hour, also when they were never begun, and a late authorisation is voided', async () => {
    const created = await world.payment();
    const opened = await world.payment();
    const terminal = await world.terminal(opened);
    await world.skip(29);
    assert.equal((await world.transaction(opened)).status, 'INITIATED');
    await world.skip(3);
    await world.sweeps.wakeCaptures();
    for (const place of [opened, created]) {
      await until(async () => (await world.transaction(place)).status === 'CANCELLED', { what: 'it' });
      // The order is told right after.
      const isTold = async () => (await world.order(place)).paymentRefs[0]?.openTransactions === 0;
      await until(isTold, { what: 'the note of the order' });
    }
    // The session has ended, so nothing is authorised any more.
    await payByCard(terminal, GOOD_CARD);
    await world.callback(opened);
    await world.ended(opened);
    assert.equal((await world.transaction(opened)).intent, undefined);
    assert.deepEqual(await world.ledger(opened), { captures: 0, captured: 0, refunded: 0 });
  });

  it('stay when they are invoices, which are paid weeks later', async () => {
    const invoice = await world.payment({ provider: 'BOOK', group: 'INVOICE' });
    const abandoned = await world.payment({ provider: 'BOOK', group: 'CASH' });
    await world.skip(32);
    await world.sweeps.wakeCaptures();
    await until(async () => (await world.transaction(abandoned)).status === 'CANCELLED', { what: 'the other one' });
    assert.deepEqual(await Array.fromAsync(world.payments.pagesOfIdle(world.fixture.now)), []);
    // A look changes nothing, and its workflow waits for nothing.
    await world.callback(invoice);
    assert.deepEqual(await world.ended(invoice), { status: 'CREATED' });
    assert.equal((await world.transaction(invoice)).status, 'CREATED');
  });

  it('give back what was authorised and never captured', async () => {
    const place = await world.authorised();
    await world.callback(place);
    await until(async () => (await world.transaction(place)).authorisationId !== undefined, { what: 'it' });
    await world.skip(31);
    await until(async () => (await world.transaction(place)).status === 'CANCELLED', { what: 'it' });
    assert.ok((await world.transaction(place)).authorisationId);
    assert.deepEqual(await world.ended(place), { status: 'CANCELLED' });
  });
});
