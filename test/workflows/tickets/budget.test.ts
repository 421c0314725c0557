/** What one paid order costs with its ticket and receipt: workflow tasks, activities and writes of documents. */
import '../../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { RECEIPT_DOCUMENTS } from '../../../activities/receipts/receipt-document.ts';
import { TICKET_MAILS } from '../../../activities/tickets/mail-document.ts';
import { TICKET_GROUPS } from '../../../activities/tickets/ticket-group-document.ts';
import { payByCard } from '../../support/provider-simulator.ts';
import { until } from '../../support/until.ts';
import { GOOD_CARD } from '../payments/money-world.ts';
import { DeliveryWorld } from './delivery-world.ts';

const MOST = { workflows: 2, tasks: 14, activities: 8, writes: 20 };

describe('the cost of a paid order with its ticket and receipt', function () {
  this.timeout(60_000);
  let world: DeliveryWorld;
  before(async () => {
    world = await DeliveryWorld.open('delivery-budget');
  });
  after(async () => await world.close());

  it('is two workflows within their budget, from the terminal to the mails', async () => {
    const { money } = world;
    const order = await world.draft();
    const place = await money.payment({ order });
    const before = await money.fixture.here.store.get('ANY', order.id);
    await payByCard(await money.terminal(place), GOOD_CARD);
    await money.callback(place);
    await until(async () => (await money.transaction(place)).authorisationId !== undefined, { what: 'it' });
    assert.equal(await money.capture(place), 'CAPTURED');
    await money.ended(place);
    await world.start(order);
    assert.deepEqual(await world.ended(order), { outcome: 'DELIVERED' });
    assert.equal(world.gate.mails.length, 2);
    const { revision } = await money.payments.get(place.organisationId, place.paymentId);
    const after = await money.fixture.here.store.get('ANY', order.id);
    // Twice the mark that the order has yet to be told goes by a write that raises no revision.
    const paid = revision + 2 + (after.revision - before.revision) + 1;
    const delivered = await revisions(world, order.id);
    const cost = {
      workflows: 2,
      tasks: (await tasksOf(money.handle(place))) + (await tasksOf(world.handle(order))),
      activities: money.ran.length + world.ran.length,
      writes: paid + delivered,
    };
    for (const [name, most] of Object.entries(MOST)) {
      assert.ok(cost[name as keyof typeof cost] <= most, `${name}: ${JSON.stringify(cost)}`);
    }
    process.stdout.write(`      ${JSON.stringify(cost)}\n`);
  });
});

interface Handle {
  fetchHistory(): Promise<{ events?: readonly { workflowTaskCompletedEventAttributes?: unknown }[] | null }>;
}

async function tasksOf(handle: Handle): Promise<number> {
  const { events } = await handle.fetchHistory();
  return events?.filter(({ workflowTaskCompletedEventAttributes: each }) => each).length ?? 0;
}

/** Each write of these documents raises their revision. */
async function revisions(world: DeliveryWorld, orderId: string): Promise<number> {
  const { connection } = world.money.fixture.here;
  const collections = [TICKET_GROUPS, TICKET_MAILS, RECEIPT_DOCUMENTS].map((each) => each.open(connection as never));
  const found = await Promise.all(collections.map((each) => each.find({ orderId } as never).toArray()));
  return found.flat().reduce((sum, document) => sum + ((document as { revision?: number }).revision ?? 0), 0);
}
