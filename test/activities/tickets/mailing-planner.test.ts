/** Plans of mails on a real database: a plan that died is made again, and says the same. */
import assert from 'node:assert/strict';
import { MailingPlanner } from '../../../activities/tickets/delivery/mailing-planner.ts';
import { TICKET_MAILS } from '../../../activities/tickets/mail-document.ts';
import { MailingStore } from '../../../activities/tickets/mailing-store.ts';
import type { TicketStore } from '../../../activities/tickets/ticket-store.ts';
import type { CustomerNumber } from '../../../workflows/shared/ids.ts';
import { OURS } from '../../support/sample-orders.ts';
import { ANNA, TicketFixture } from './ticket-fixture.ts';

class DyingStore extends MailingStore {
  override async change(): Promise<never> {
    throw new Error('died');
  }
}

describe('a plan of mails', () => {
  const fixture = new TicketFixture('mailing-planner');
  before(async () => {
    await fixture.open();
    await TICKET_MAILS.ensureIndexes(fixture.orders.here.connection);
  });
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  const plannerOf = (
    mailings: MailingStore,
    tickets: TicketStore,
    reachable: readonly CustomerNumber[] = [],
    listOfOrder: MailingStore['listOfOrder'] = mailings.listOfOrder.bind(mailings),
  ) =>
    new MailingPlanner({
      mailings: {
        listOfOrder,
        now: () => mailings.now(),
        get: mailings.get.bind(mailings),
        change: mailings.change.bind(mailings),
        findAddress: mailings.findAddress.bind(mailings),
      },
      tickets,
      keys: fixture.orders.here.keys,
      customers: { listWithEmail: async () => new Set(reachable), listReachable: async () => new Map() },
      catalogue: { findChannel: async () => ({ autoDistribute: true }) as never },
    });

  it('that died after it has given tickets up counts them again', async () => {
    const { id: orderId, version: orderVersion } = await fixture.sell();
    const { issuer, store } = fixture.here;
    const work = { correlationId: 'c', clientId: 'w' };
    const place = { organisationId: OURS, orderId };
    const { groups } = await issuer.issue(place, { sentBy: `deliver/${orderId}/v${orderVersion}` }, work);
    const mailings = new MailingStore({ connection: fixture.orders.here.connection, now: () => fixture.now });
    const workflow = `deliver/${orderId}/v${orderVersion}`;
    const wish = { kind: 'CONFIRMED' } as const;
    const mailing = await mailings.create({ id: workflow, ...place, orderVersion, workflow, wish, correlationId: 'c' });
    const soldNow = { distributionChannelId: 'app' };
    const context = { ...soldNow, soldNow, orderVersion, underRefund: [], unmade: [] };
    const dying = new DyingStore({ connection: fixture.orders.here.connection, now: () => fixture.now });
    const died = plannerOf(dying, store);
    await assert.rejects(died.plan(mailing, { ...context, groups: groups.map(({ group }) => group) }, work), /died/);
    const found = (await store.listOfOrder(OURS, orderId)).map(({ group }) => group);
    assert.deepEqual(
      found.flatMap((group) => group.ticketDistributions.map(({ status }) => status)),
      ['FAILED'],
    );
    const again = plannerOf(mailings, store);
    await again.plan(mailing, { ...context, groups: found }, work);
    assert.equal((await mailings.get(OURS, workflow)).unaddressed, 1);
    // That of a later version has given nothing up.
    const next = { id: `${workflow}1`, ...place, orderVersion, workflow, wish, correlationId: 'c' };
    await again.plan(await mailings.create(next), { ...context, groups: found }, work);
    assert.equal((await mailings.get(OURS, next.id)).unaddressed, 0);
  });

  // The plan of one reads the tickets, and then the other one plans: each begins what nobody has begun.
  for (const [first, second] of [
    ['RESTORED', 'CONFIRMED'],
    ['CONFIRMED', 'RESTORED'],
  ] as const) {
    async function given() {
      const { id: orderId } = await fixture.sell();
      const { issuer, store, access } = fixture.here;
      const work = { correlationId: 'c', clientId: 'w' };
      const place = { organisationId: OURS, orderId };
      await issuer.issue(place, { sentBy: `deliver/${orderId}/v1` }, work);
      const [
        {
          group: { id: groupId, ticketDistributions, orderLineId },
        } = assert.fail(),
      ] = await store.listOfOrder(OURS, orderId);
      const ticketIds = ticketDistributions.map(({ id }) => id);
      const lines = { ...place, orderLineIds: [orderLineId] };
      await access.disable(lines, { reason: 'REFUNDED', disabledBy: 'refund/1' }, work);
      const lost = { ticketIds, outcome: { kind: 'DROPPED' } } as const;
      await store.noteMailing(OURS, groupId, lost, { ...work, workId: 'lost' });
      await access.restore(lines, 'refund/1', work);
      const mailings = new MailingStore({ connection: fixture.orders.here.connection, now: () => fixture.now });
      const mailingOf = async (kind: typeof first) => {
        const version = kind === 'RESTORED' ? 1 : 2;
        const id = kind === 'RESTORED' ? `restored/1/${groupId}/9` : `deliver/${orderId}/v2`;
        const wish = kind === 'RESTORED' ? { kind, groupId } : { kind };
        const workflow = `deliver/${orderId}/v${version}`;
        return await mailings.create({ id, ...place, orderVersion: version, workflow, wish, correlationId: 'c' });
      };
      const [one, other] = [await mailingOf(first), await mailingOf(second)];
      const planner = plannerOf(mailings, store, [ANNA]);
      const groups = (await store.listOfOrder(OURS, orderId)).map(({ group }) => group);
      const soldNow = { distributionChannelId: 'app' };
      const context = { ...soldNow, soldNow, orderVersion: 2, underRefund: [], unmade: [], groups };
      const groupsNow = async () => (await store.listOfOrder(OURS, orderId)).map(({ group }) => group);
      return { mailings, planner, one, other, context, work, groupsNow, groupId, ticketIds };
    }

    it(`leaves a ticket that was given back to the ${first} mailing, where the ${second} one has read it before`, async () => {
      const { mailings, planner, one, other, context, work, groupsNow } = await given();
      // It has read the other mailing before that was planned, too.
      const early = plannerOf(mailings, fixture.here.store, [ANNA], async () => [one, other]);
      assert.equal((await planner.plan(one, context, work)).mails.length, 1);
      assert.equal((await early.plan(other, context, work)).mails.length, 0);
      // A repeat of a plan that died finds what it has begun.
      await TICKET_MAILS.open(fixture.orders.here.connection).updateOne({ _id: one.id }, {
        $set: { state: 'NEW', mails: [], pendingStart: true },
      } as never);
      assert.equal((await planner.plan(one, { ...context, groups: await groupsNow() }, work)).mails.length, 1);
    });

    it(`leaves a ticket that the ${first} mailing has sent since the ${second} one has read it`, async () => {
      const { planner, one, other, context, work, groupsNow, groupId, ticketIds } = await given();
      await planner.plan(one, context, work);
      const outcome = { kind: 'DISTRIBUTED', at: fixture.now } as const;
      await fixture.here.store.noteMailing(OURS, groupId, { ticketIds, outcome }, { ...work, workId: 'sent' });
      await TICKET_MAILS.open(fixture.orders.here.connection).updateOne({ _id: one.id }, {
        $set: { state: 'DONE', 'mails.0.state': 'SENT' },
      } as never);
      assert.equal((await planner.plan(other, context, work)).mails.length, 0);
      const statuses = (await groupsNow()).flatMap(({ ticketDistributions }) =>
        ticketDistributions.map(({ status }) => status),
      );
      assert.deepEqual(statuses, ['DISTRIBUTED']);
    });
  }
});
