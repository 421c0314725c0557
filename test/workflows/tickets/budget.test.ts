/** What one paid order costs with its ticket and receipt: workflow tasks, activities and writes of documents. */
import '../../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { payByCard } from '../../support/provider-simulator.ts';
import { until } from '../../support/until.ts';
import { workflowsOfOrder } from '../../support/workflows-of-order.ts';
import { documentsOf, tellWritten, WriteProfile } from '../../support/written-documents.ts';
import { GOOD_CARD } from '../payments/money-world.ts';
import { DeliveryWorld } from './delivery-world.ts';

const MOST = { workflows: 2, tasks: 14, activities: 8, writes: 20 };

describe('the cost of a paid order with its ticket and receipt', () => {
  let world: DeliveryWorld;
  before(async () => {
    world = await DeliveryWorld.open('delivery-budget');
  });
  after(async () => await world.close());

  it('is two workflows within their budget, from the terminal to the mails', async () => {
    const { money } = world;
    const order = await world.draft();
    const place = await money.payment({ order });
    const profile = await WriteProfile.start(money.fixture.here.connection);
    await payByCard(await money.terminal(place), GOOD_CARD);
    await money.callback(place);
    await until(async () => (await money.transaction(place)).authorisationId !== undefined, { what: 'it' });
    assert.equal(await money.capture(place), 'CAPTURED');
    await money.ended(place);
    await world.start(order);
    assert.deepEqual(await world.ended(order), { outcome: 'DELIVERED' });
    assert.equal(world.gate.mails.length, 2);
    const written = await profile.written();
    await profile.stop();
    const workflows = await workflowsOfOrder(money.server.temporal.client, order.id, MOST.workflows);
    const cost = {
      workflows: workflows.length,
      tasks: workflows.reduce((sum, { tasks }) => sum + tasks, 0),
      activities: money.ran.length + world.ran.length,
      writes: documentsOf(written),
    };
    const names = workflows.map(({ workflowId }) => workflowId.split('/')[0]);
    assert.deepEqual(names, ['capture', 'deliver']);
    for (const [name, most] of Object.entries(MOST)) {
      assert.ok(cost[name as keyof typeof cost] <= most, `${name}: ${JSON.stringify(cost)}`);
    }
    process.stdout.write(`      ${JSON.stringify(cost)}: ${tellWritten(written)}\n`);
  });
});
