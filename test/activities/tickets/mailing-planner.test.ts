/** Plans of mails on a real database: a plan that died is made again, and says the same. */
import assert from 'node:assert/strict';
import { MailingPlanner } from '../../../activities/tickets/delivery/mailing-planner.ts';
import { TICKET_MAILS } from '../../../activities/tickets/mail-document.ts';
import { MailingStore } from '../../../activities/tickets/mailing-store.ts';
import { OURS } from '../../support/sample-orders.ts';
import { TicketFixture } from './ticket-fixture.ts';

class DyingStore extends MailingStore {
  override async change(): Promise<never> {
    throw new Error('died');
  }
}

describe('a plan of mails that died', () => {
  const fixture = new TicketFixture('mailing-planner');
  before(async () => {
    await fixture.open();
    await TICKET_MAILS.ensureIndexes(fixture.orders.here.connection);
  });
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  it('after it has given tickets up counts them again', async () => {
    const { id: orderId, version: orderVersion } = await fixture.sell();
    const { issuer, store } = fixture.here;
    const work = { correlationId: 'c', clientId: 'w' };
    const place = { organisationId: OURS, orderId };
    const { groups } = await issuer.issue(place, { status: 'DISTRIBUTING' }, work);
    const mailings = new MailingStore({ connection: fixture.orders.here.connection, now: () => fixture.now });
    const workflow = `deliver/${orderId}/v${orderVersion}`;
    const wish = { kind: 'CONFIRMED' } as const;
    const mailing = await mailings.create({ id: workflow, ...place, orderVersion, workflow, wish, correlationId: 'c' });
    const plannerOf = (planned: MailingStore) =>
      new MailingPlanner({
        mailings: planned,
        tickets: store,
        keys: fixture.orders.here.keys,
        customers: { listWithEmail: async () => new Set(), listReachable: async () => new Map() },
        catalogue: { findChannel: async () => ({ autoDistribute: true }) as never },
      });
    const soldNow = { distributionChannelId: 'app' };
    const context = { ...soldNow, soldNow, orderVersion, underRefund: [], unmade: [] };
    const died = plannerOf(new DyingStore({ connection: fixture.orders.here.connection, now: () => fixture.now }));
    await assert.rejects(died.plan(mailing, { ...context, groups: groups.map(({ group }) => group) }, work), /died/);
    const found = (await store.listOfOrder(OURS, orderId)).map(({ group }) => group);
    assert.deepEqual(
      found.flatMap((group) => group.ticketDistributions.map(({ status }) => status)),
      ['FAILED'],
    );
    const again = plannerOf(mailings);
    await again.plan(mailing, { ...context, groups: found }, work);
    assert.equal((await mailings.get(OURS, workflow)).unaddressed, 1);
    // That of a later version has given nothing up.
    const next = { id: `${workflow}1`, ...place, orderVersion, workflow, wish, correlationId: 'c' };
    await again.plan(await mailings.create(next), { ...context, groups: found }, work);
    assert.equal((await mailings.get(OURS, next.id)).unaddressed, 0);
  });
});
