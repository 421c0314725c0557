/** Tickets as callers and inspectors search and list them. */
import assert from 'node:assert/strict';
import type { TicketSearchTerm } from '../../../activities/tickets/ticket-filter.ts';
import { LISTS_AT_ONCE, LISTS_WAITING } from '../../../activities/tickets/ticket-revocations.ts';
import type { OrganisationId } from '../../../workflows/shared/ids.ts';
import type { TicketGroup } from '../../../workflows/tickets/rules/ticket-group.ts';
import { later, OURS, sampleTraveller, THEIRS } from '../../support/sample-orders.ts';
import { theTicket } from '../../support/sample-tickets.ts';
import { ANNA, TicketFixture, work } from './ticket-fixture.ts';

describe('tickets', () => {
  const fixture = new TicketFixture('ticket-search');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  async function issued(startsIn = 60): Promise<TicketGroup> {
    const [stored] = await fixture.issue(await fixture.sell({ startsIn }));
    assert.ok(stored);
    return stored.group;
  }
  const read = async ({ id }: TicketGroup) => (await fixture.there.store.get(OURS, id)).group;
  const linesOf = ({ organisationId, orderId, orderLineId }: TicketGroup) => ({
    organisationId,
    orderId,
    orderLineIds: [orderLineId],
  });

  describe('searched', () => {
    const search = (terms: readonly TicketSearchTerm[], tenancy: OrganisationId | 'ANY' = OURS) => {
      const request = { page: 1, perPage: 10, sortBy: 'asc', terms } as const;
      return Promise.all([
        fixture.here.search.searchGroups(tenancy, request),
        fixture.here.search.searchTickets(tenancy, request),
      ]);
    };
    const totals = async (terms: readonly TicketSearchTerm[], tenancy: OrganisationId | 'ANY' = OURS) =>
      (await search(terms, tenancy)).map(({ totalItems }) => totalItems);

    it('answer groups and tickets by every field, and one ticket meets all terms on tickets', async () => {
      const group = await issued();
      const other = await issued(24 * 60);
      await fixture.here.updates.updateValidities(OURS, [{ groupId: group.id, startOfValidity: later(90) }], work());
      const [old, successor] = (await read(group)).ticketDistributions;
      assert.ok(old && successor);
      const eq = (field: TicketSearchTerm['field'], ...values: TicketSearchTerm['values']) =>
        ({ field, operator: values.length > 1 ? 'in' : 'eq', values }) as const;
      assert.deepEqual(await totals([eq('orderId', group.orderId)]), [1, 2]);
      assert.deepEqual(await totals([eq('id', group.id)]), [1, 2]);
      assert.deepEqual(await totals([eq('orderLineId', group.orderLineId)]), [1, 2]);
      assert.deepEqual(await totals([eq('orderVersion', 1)]), [2, 3]);
      assert.deepEqual(await totals([eq('orderOwnerCustomerId', ANNA)]), [2, 3]);
      assert.deepEqual(await totals([eq('customers', ANNA)]), [2, 3]);
      assert.deepEqual(await totals([eq('organisationId', 1)]), [2, 3]);
      assert.deepEqual(await totals([eq('ticketDistributionId', old.id, theTicket(other).id)]), [2, 2]);
      assert.deepEqual(await totals([eq('distributionStatus', 'REPLACED')]), [1, 1]);
      assert.deepEqual(await totals([{ field: 'distributionStatus', operator: 'ne', values: ['REPLACED'] }]), [1, 2]);
      const range = (from: number, to: number): TicketSearchTerm[] => [
        { field: 'startOfValidity', operator: 'gte', values: [later(from)] },
        { field: 'startOfValidity', operator: 'lt', values: [later(to)] },
      ];
      assert.deepEqual(await totals(range(60, 61)), [1, 1]);
      assert.deepEqual(await totals(range(61, 90)), [0, 0]);
      assert.deepEqual(await totals([...range(60, 61), eq('distributionStatus', 'GENERATED')]), [0, 0]);
      assert.deepEqual(await totals([eq('endOfValidity', later(210))]), [1, 1]);
      assert.deepEqual(await totals([], THEIRS), [0, 0]);
      assert.deepEqual(await totals([], 'ANY'), [2, 3]);
      const [, { items }] = await search([eq('ticketDistributionId', successor.id)]);
      assert.deepEqual(
        items.map(({ ticket, group: found }) => [ticket.id, found.ticketDistributions.length]),
        [[successor.id, 1]],
      );
    });

    it('come in the order of their issue within a group, or the newest first', async () => {
      const group = await issued();
      for (const start of [90, 100]) {
        await fixture.here.updates.updateValidities(
          OURS,
          [{ groupId: group.id, startOfValidity: later(start) }],
          work(),
        );
      }
      const ids = (await read(group)).ticketDistributions.map(({ id }) => id);
      const found = async (sortBy: 'asc' | 'desc', page = 1, perPage = 10) => {
        const { items } = await fixture.here.search.searchTickets(OURS, { page, perPage, sortBy, terms: [] });
        return items.map(({ ticket }) => ticket.id);
      };
      assert.deepEqual(await found('asc'), ids);
      assert.deepEqual(await found('desc'), ids.toReversed());
      assert.deepEqual(await found('desc', 2, 1), [ids[1]]);
    });

    it('page over tickets in one order', async () => {
      const order = await fixture.sell({ travellers: Array.from({ length: 7 }, () => sampleTraveller()) });
      await fixture.issue(order);
      const ids: number[] = [];
      for (let page = 1; page <= 4; page += 1) {
        const { items, totalItems } = await fixture.here.search.searchTickets(OURS, {
          page,
          perPage: 2,
          sortBy: 'desc',
          terms: [],
        });
        assert.equal(totalItems, 7);
        ids.push(...items.map(({ ticket }) => ticket.id));
      }
      assert.deepEqual([ids.length, new Set(ids).size], [7, 7]);
    });
  });

  it('list revocations to a few callers at once, and refuse a crowd', async () => {
    const { revocations } = fixture.here;
    const taken = LISTS_AT_ONCE + LISTS_WAITING;
    const crowd = Array.from({ length: taken + 5 }, async () => await revocations.list({ page: 1, perPage: 10 }));
    const refused = (await Promise.allSettled(crowd)).flatMap((each) =>
      each.status === 'rejected' ? each.reason : [],
    );
    assert.deepEqual(
      refused.map(({ code, headers }) => [code, headers['Retry-After']]),
      Array.from({ length: 5 }, () => ['UNAVAILABLE', '2']),
    );
    assert.deepEqual((await revocations.list({ page: 1, perPage: 10 })).items, []);
  });

  it('list revocations from a time on', async () => {
    const [first, second] = [await issued(), await issued(600)];
    const disable = async (group: TicketGroup) =>
      await fixture.here.access.disable(
        linesOf(group),
        { reason: 'CANCELLED', disabledBy: 'x' },
        { correlationId: 'c', clientId: 'c' },
      );
    await disable(first);
    fixture.orders.passes(10);
    await disable(second);
    const { revocations } = fixture.there;
    const idsSince = async (minutes: number) =>
      (await revocations.list({ since: later(minutes), page: 1, perPage: 10 })).items.map(
        (each) => each.ticketDistributionId,
      );
    assert.deepEqual(await idsSince(0), [theTicket(first).id, theTicket(second).id]);
    assert.deepEqual(await idsSince(1), [theTicket(second).id]);
    assert.deepEqual(await idsSince(11), []);
  });
});
