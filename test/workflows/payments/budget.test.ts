/** What one paid order costs: workflow tasks, activities and writes of documents. */
import assert from 'node:assert/strict';
import { payByCard } from '../../support/provider-simulator.ts';
import { until } from '../../support/until.ts';
import { GOOD_CARD, MoneyWorld } from './money-world.ts';

/** Of the whole order, with its delivery: two workflows, 14 tasks, 8 activities, 20 writes. */
const MOST = { tasks: 7, activities: 3, writes: 13 };

describe('the cost of a paid order', function () {
  this.timeout(60_000);
  let world: MoneyWorld;
  before(async () => {
    world = await MoneyWorld.open('payment-budget');
  });
  after(async () => await world.close());

  it('is one workflow within its budget, from the terminal to the confirmation', async () => {
    const place = await world.payment();
    const before = await world.fixture.here.store.get('ANY', place.orderId);
    await payByCard(await world.terminal(place), GOOD_CARD);
    await world.callback(place);
    await until(async () => (await world.transaction(place)).authorisationId !== undefined, { what: 'it' });
    assert.equal(await world.capture(place), 'CAPTURED');
    await world.ended(place);
    const { events } = await world.handle(place).fetchHistory();
    const tasks = events?.filter(({ workflowTaskCompletedEventAttributes: each }) => each).length ?? 0;
    const { organisationId, paymentId, orderId } = place;
    const { revision } = await world.payments.get(organisationId, paymentId);
    const order = await world.fixture.here.store.get('ANY', orderId);
    // Twice the mark that the order has yet to be told goes by a write that raises no revision.
    const writes = revision + 2 + (order.revision - before.revision) + 1;
    const cost = { tasks, activities: world.ran.length, writes };
    for (const [name, most] of Object.entries(MOST)) {
      assert.ok(cost[name as keyof typeof cost] <= most, `${name}: ${JSON.stringify(cost)}`);
    }
    process.stdout.write(`      ${JSON.stringify(cost)}\n`);
  });
});
