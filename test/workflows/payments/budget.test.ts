/** What one paid order costs: workflow tasks, activities and writes of documents. */
import assert from 'node:assert/strict';
import { payByCard } from '../../support/provider-simulator.ts';
import { until } from '../../support/until.ts';
import { documentsOf, tellWritten, WriteProfile } from '../../support/written-documents.ts';
import { GOOD_CARD, MoneyWorld } from './money-world.ts';

/** Of the whole order, with its delivery: two workflows, 14 tasks, 8 activities, 20 writes. */
const MOST = { tasks: 7, activities: 3, writes: 11 };

describe('the cost of a paid order', () => {
  let world: MoneyWorld;
  before(async () => {
    world = await MoneyWorld.open('payment-budget');
  });
  after(async () => await world.close());

  it('is one workflow within its budget, from the terminal to the confirmation', async () => {
    const place = await world.payment();
    const profile = await WriteProfile.start(world.fixture.here.connection);
    await payByCard(await world.terminal(place), GOOD_CARD);
    await world.callback(place);
    await until(async () => (await world.transaction(place)).authorisationId !== undefined, { what: 'it' });
    assert.equal(await world.capture(place), 'CAPTURED');
    await world.ended(place);
    const { events } = await world.handle(place).fetchHistory();
    const tasks = events?.filter(({ workflowTaskCompletedEventAttributes: each }) => each).length ?? 0;
    const written = await profile.written();
    await profile.stop();
    const cost = { tasks, activities: world.ran.length, writes: documentsOf(written) };
    for (const [name, most] of Object.entries(MOST)) {
      assert.ok(cost[name as keyof typeof cost] <= most, `${name}: ${JSON.stringify(cost)}`);
    }
    process.stdout.write(`      ${JSON.stringify(cost)}: ${tellWritten(written)}\n`);
  });
});
