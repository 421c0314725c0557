/** An order whose documents cannot be made holds up no other, and piles nothing up. */
import '../../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import type { Client } from '@temporalio/client';
import type { TemporalClient } from '../../../platform/temporal/temporal.ts';
import { OURS } from '../../support/sample-orders.ts';
import { until } from '../../support/until.ts';
import { DeliveryWorld } from './delivery-world.ts';

/** The sweep tells a workflow again. */
const AGAIN_MS = 31_000;

describe('beside an order whose documents cannot be made', () => {
  let world: DeliveryWorld;
  before(async () => {
    world = await DeliveryWorld.open('blocked-orders');
  });
  beforeEach(async () => await world.reset());
  after(async () => await world.close());

  it('the sweep starts the others, and tells the workflow of each mailing once', async () => {
    const blocked = await world.sold();
    world.blocked.add(blocked.id);
    await world.start(blocked);
    await until(async () => world.ran.length > 0, { what: 'a step that fails' });
    const sweep = world.sweep();
    const { fixture } = world.money;
    for (let times = 0; times < 3; times += 1) {
      fixture.now = new Date(fixture.now.getTime() + AGAIN_MS);
      await sweep.startPending();
    }
    const other = await world.sold();
    await world.follow(other);
    await sweep.startPending();
    await world.untilStatus(other, 'DISTRIBUTED');
    const updates = async () => {
      const { events } = await world.handle(blocked).fetchHistory();
      return events?.filter(({ workflowExecutionUpdateAcceptedEventAttributes: accepted }) => accepted).length;
    };
    await until(async () => (await updates()) === 1, { what: 'the update' });
    const [mailing] = await world.parts.mailings.listOfOrder(OURS, blocked.id);
    assert.equal(mailing?.state, 'NEW');
    world.blocked.clear();
    await world.untilStatus(blocked, 'DISTRIBUTED');
    assert.equal(world.gate.mails.length, 2);
  });

  it('the sweep waits for no workflow that takes no update', async () => {
    const deaf = await world.sold();
    world.blocked.add(deaf.id);
    await world.start(deaf);
    const other = await world.sold();
    await world.follow(other);
    await world.sweep(deafTo(world.money.server.temporal)).startPending();
    await world.untilStatus(other, 'DISTRIBUTED');
  });
});

/** No update is ever answered. */
function deafTo(temporal: TemporalClient): TemporalClient {
  const never = async () => await new Promise<never>(() => undefined);
  const updates = { executeUpdateWithStart: never, startUpdateWithStart: never };
  const deaf = (client: Client) => ({ workflow: { start: client.workflow.start.bind(client.workflow), ...updates } });
  const withDeadline: TemporalClient['withDeadline'] = async (call, timeoutMs) =>
    await temporal.withDeadline((client) => call(deaf(client) as unknown as Client), timeoutMs);
  return { withDeadline } as TemporalClient;
}
