/** Tickets as they are stored: reissues, mails, refunds and validations, each once however many write at once. */
import assert from 'node:assert/strict';
import { OrderUseWriter } from '../../../activities/orders/order-use.ts';
import { MAX_ID_ATTEMPTS, ticketGroupIdOf, ticketIdOf } from '../../../activities/tickets/ticket-ids.ts';
import { TICKET_VALIDATIONS } from '../../../activities/tickets/ticket-validation-document.ts';
import { UnreportedMoves } from '../../../activities/tickets/unreported-moves.ts';
import type { OrderLineId, TicketDistributionId } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { unchanged } from '../../../workflows/tickets/rules/ticket-change.ts';
import type { TicketGroup } from '../../../workflows/tickets/rules/ticket-group.ts';
import { checkSequence } from '../../support/order-checks.ts';
import { later, OURS, THEIRS } from '../../support/sample-orders.ts';
import { SENT_BY, theTicket } from '../../support/sample-tickets.ts';
import { BERIT, TicketFixture, work } from './ticket-fixture.ts';

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw error ?? new Error('nothing was refused');
  return error.code;
}

describe('the stores of tickets', () => {
  const fixture = new TicketFixture('ticket-store');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  const BY = { mailing: SENT_BY, settled: new Set<string>(), wish: { kind: 'CONFIRMED' } } as const;
  const both = (at: number) => (at % 2 ? fixture.here : fixture.there);
  const race = async <Result>(run: (at: number) => Promise<Result>) =>
    await Promise.all(Array.from({ length: 8 }, async (_, at) => await run(at)));
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

  it('answer foreign and missing tickets alike', async () => {
    const group = await issued();
    const { store } = fixture.here;
    assert.equal(await codeOf(store.get(THEIRS, group.id)), 'NOT_FOUND');
    assert.equal(await codeOf(store.get(OURS, 1 as typeof group.id)), 'NOT_FOUND');
    assert.equal(await codeOf(store.getTicket(THEIRS, theTicket(group).id)), 'NOT_FOUND');
    assert.equal(await codeOf(store.getTicket(OURS, 1 as TicketDistributionId)), 'NOT_FOUND');
    assert.equal((await store.getTicket('ANY', theTicket(group).id)).group.id, group.id);
    assert.equal((await store.getTicket(OURS, theTicket(group).id)).ticket.id, theTicket(group).id);
    assert.deepEqual(await store.listOfOrder(THEIRS, group.orderId), []);
    assert.equal(await codeOf(store.change(THEIRS, group.id, work(), (stored) => stored as never)), 'NOT_FOUND');
  });

  it('take other numbers where theirs are taken', async () => {
    const order = await fixture.sell();
    const [line] = order.orderLines;
    assert.ok(line);
    const other = await issued();
    // Another ticket has the number that this line would get.
    const taken = ticketIdOf(order.id, line.id, 0, 0);
    await fixture.here.collection.updateOne(
      { _id: String(other.id) },
      { $set: { 'ticketDistributions.0.id': taken } as never },
    );
    const [stored] = await fixture.issue(order);
    assert.equal(stored && theTicket(stored.group).id, ticketIdOf(order.id, line.id, 0, 1));
    assert.equal(stored?.group.id, ticketGroupIdOf(order.id, line.id, 1));
    assert.equal((await fixture.issue(order))[0]?.revision, stored?.revision);
    const ids = Array.from({ length: 1_000 }, (_, at) =>
      ticketIdOf(order.id, `${at}` as OrderLineId, 0, MAX_ID_ATTEMPTS),
    );
    assert.ok(ids.every((id) => id > 0 && Number.isSafeInteger(id)));
    assert.equal(new Set(ids).size, ids.length);
  });

  describe('reissue', () => {
    it('another validity once for a request, however often it comes', async () => {
      const group = await issued();
      const by = work();
      const update = [{ groupId: group.id, startOfValidity: later(300) }];
      const all = await race(async (at) => await both(at).updates.updateValidities(OURS, update, by));
      for (const [stored] of all)
        assert.equal(stored && theTicket(stored.group).startOfValidity.getTime(), later(300).getTime());
      const after = await read(group);
      assert.deepEqual([after.ticketDistributions.length, after.reissues], [2, 1]);
      checkSequence(await fixture.outbox(group.id));
      assert.equal((await fixture.here.store.get(OURS, group.id)).isPending, true);
      const signed = await fixture.here.issuer.sign(OURS, group.id, work());
      assert.ok(theTicket(signed.group).signed);
      // The same request answers the same after its time has passed.
      fixture.orders.passes(400);
      assert.equal((await fixture.here.updates.updateValidities(OURS, update, by)).length, 1);
    });

    it('of two requests the second replaces what the first has made', async () => {
      const group = await issued();
      await race(async (at) => {
        const update = [{ groupId: group.id, startOfValidity: later(300 + at) }];
        return await both(at).updates.updateValidities(OURS, update, work());
      });
      const after = await read(group);
      const live = after.ticketDistributions.filter(({ status }) => status === 'GENERATED');
      assert.deepEqual([after.ticketDistributions.length, live.length, after.reissues], [9, 1, 8]);
      checkSequence(await fixture.outbox(group.id));
    });

    it('another validity, and tell the order of the last one', async () => {
      const group = await issued(60);
      const told = async () =>
        (await fixture.orders.here.store.get('ANY', group.orderId)).order.orderLines[0]?.movedStart;
      const move = async (minutes: number, by = work()) =>
        await fixture.here.updates.updateValidities(OURS, [{ groupId: group.id, startOfValidity: later(minutes) }], by);
      const of = { startOfValidity: later(60), endOfValidity: later(180) };
      const first = work();
      await move(30, first);
      assert.deepEqual(await told(), { to: later(30), of, reissue: 1 });
      await move(45);
      assert.deepEqual(await told(), { to: later(45), of, reissue: 2 });
      await move(30, first);
      assert.deepEqual(await told(), { to: later(45), of, reissue: 2 });
    });

    it('another validity, which the order learns also where nobody has told it', async () => {
      const [kept, older, same] = [await issued(60), await issued(60), await issued(60)];
      const of = { startOfValidity: later(60), endOfValidity: later(180) };
      const { connection, collection: sold, store: orders, access } = fixture.orders.here;
      for (const { id: groupId } of [kept, older])
        await fixture.here.updates.updateValidities(OURS, [{ groupId, startOfValidity: later(30) }], work());
      const forgotten = { 'orderLines.0.movedStart': '', 'confirmed.orderLines.0.movedStart': '' };
      await sold.updateMany({}, { $unset: forgotten } as never);
      await fixture.here.collection.updateOne({ _id: String(older.id) }, { $unset: { movedStart: '' } } as never);
      const onlyReissued = { $set: { reissues: 1 } };
      await fixture.here.collection.updateOne({ _id: String(same.id) }, onlyReissued as never);
      const options = { connection, store: fixture.here.store, orders: access, use: () => new OrderUseWriter(orders) };
      const moves = () => new UnreportedMoves({ ...options, clientId: 'worker' });
      await Promise.all([moves().report(), moves().report()]);
      for (const [group, movedStart] of [
        [kept, { to: later(30), of }],
        [older, { to: later(30), of }],
        [same, undefined],
      ] as const) {
        const { orderLines, confirmed } = (await orders.get('ANY', group.orderId)).order;
        const told = movedStart && { ...movedStart, reissue: 1 };
        assert.deepEqual([orderLines[0]?.movedStart, confirmed?.orderLines[0]?.movedStart], [told, told]);
        assert.deepEqual((await read(group)).movedStart, movedStart);
      }
    });

    it('nothing when one group of the request is refused', async () => {
      const [good, late] = [await issued(), await issued(0)];
      const updates = [good, late].map(({ id: groupId }) => ({ groupId, startOfValidity: later(300) }));
      assert.equal(await codeOf(fixture.here.updates.updateValidities(OURS, updates, work())), 'INVALID_STATE');
      assert.deepEqual(await read(good), good);
      const foreign = fixture.here.updates.updateValidities(THEIRS, updates, work());
      assert.equal(await codeOf(foreign), 'NOT_FOUND');
    });

    it('of the groups before one that is used between the check and its write, and says so', async () => {
      const [first, second] = [await issued(), await issued()];
      const { store, validations } = fixture.here;
      const validation = { validatedAt: later(0), inspectorOrganisationId: THEIRS };
      const updates = fixture.here.updatesOn({
        ...{ now: store.now, get: store.get.bind(store), isDone: store.isDone.bind(store) },
        change: async (tenancy, groupId, ...others) => {
          if (groupId === second.id) await validations.record(theTicket(second).id, validation, work());
          return await store.change(tenancy, groupId, ...others);
        },
      });
      const wanted = [first, second].map(({ id: groupId }) => ({ groupId, startOfValidity: later(300) }));
      const by = work();
      await assert.rejects(updates.updateValidities(OURS, wanted, by), {
        code: 'TICKET_ALREADY_USED',
        message: `Ticket distribution group ${second.id}: The ticket has been used. Changed already: ${first.id}.`,
      });
      const moved = await fixture.here.store.get(OURS, first.id);
      assert.deepEqual([theTicket(moved.group).startOfValidity, moved.isPending], [later(300), true]);
      assert.equal((await read(second)).ticketDistributions.length, 1);
      assert.equal(await codeOf(updates.updateValidities(OURS, wanted, by)), 'TICKET_ALREADY_USED');
    });

    it('keeps what a refusal tells beside its code', async () => {
      const { id: groupId } = await issued();
      const { store } = fixture.here;
      const told = { headers: { 'retry-after': '2' }, errors: [{ pointer: '/a', code: 'B', detail: 'c' }] };
      const updates = fixture.here.updatesOn({
        ...{ now: store.now, get: store.get.bind(store), isDone: store.isDone.bind(store) },
        change: async () => {
          throw new ServiceError('UNAVAILABLE', 'Too many requests.', told);
        },
      });
      const wanted = [{ groupId, startOfValidity: later(300) }];
      await assert.rejects(updates.updateValidities(OURS, wanted, work()), { code: 'UNAVAILABLE', ...told });
    });

    it('for another holder, who must exist', async () => {
      const group = await issued();
      const wanted = { groupIds: [group.id], toCustomerNumber: BERIT };
      assert.equal(await codeOf(fixture.here.updates.transferHolder(OURS, wanted, work())), 'UNKNOWN_CUSTOMER');
      fixture.customers.set(BERIT, { firstName: 'Berit', language: 'eng' });
      const by = work();
      await race(async (at) => await both(at).updates.transferHolder(OURS, wanted, by));
      const after = await read(group);
      assert.deepEqual([after.distributionHolderCustomerId, after.ticketDistributions.length], [BERIT, 2]);
      const found = await fixture.here.search.searchGroups(OURS, {
        ...{ page: 1, perPage: 10, sortBy: 'asc' },
        terms: [{ field: 'customers', operator: 'eq', values: [BERIT] }],
      });
      assert.equal(found.totalItems, 1);
    });
  });

  it('count each attempt to send once', async () => {
    const group = await issued();
    const ticketIds = [theTicket(group).id];
    await race(
      async (at) =>
        await both(at).store.beginMailing(OURS, group.id, { ticketIds, ...BY }, { correlationId: 'c', clientId: 'c' }),
    );
    assert.equal(theTicket(await read(group)).status, 'DISTRIBUTING');
    const [first, second] = [work(), work()];
    const tried = { ticketIds, outcome: { kind: 'TRIED', code: '421' } } as const;
    await race(async (at) => await both(at).store.noteMailing(OURS, group.id, tried, first));
    const sent = { ticketIds, outcome: { kind: 'DISTRIBUTED', at: later(1) } } as const;
    await race(async (at) => await both(at).store.noteMailing(OURS, group.id, sent, second));
    const { status, distributionDetails } = theTicket(await read(group));
    assert.deepEqual([status, distributionDetails.attempts], ['DISTRIBUTED', 2]);
    checkSequence(await fixture.outbox(group.id));
  });

  it('write nothing where a rule changes nothing', async () => {
    const { id } = await issued();
    const { store } = fixture.here;
    const { group, revision } = await store.get(OURS, id);
    const ids = group.ticketDistributions.map((ticket) => ticket.id);
    const begun = await store.beginMailing(OURS, id, { ticketIds: ids, ...BY }, work());
    const again = await store.beginMailing(OURS, id, { ticketIds: ids, ...BY }, work());
    const kept = await store.change(OURS, id, work(), (stored) => unchanged(stored.group));
    assert.deepEqual([again.revision, kept.revision], [begun.revision, begun.revision]);
    assert.ok(begun.revision >= revision);
  });

  describe('for refunds', () => {
    it('disable the tickets of lines once, and restore them', async () => {
      const group = await issued();
      const disabled = { reason: 'REFUNDED', disabledBy: 'refund/1' } as const;
      const all = await race(
        async (at) => await both(at).access.disable(linesOf(group), disabled, { correlationId: 'c', clientId: 'c' }),
      );
      for (const ids of all) assert.deepEqual(ids, [theTicket(group).id]);
      assert.equal(theTicket(await read(group)).status, 'DISABLED');
      const events = await fixture.outbox(group.id);
      assert.equal(events.filter(({ type }) => type.includes('Disabled')).length, 1);
      checkSequence(events);
      const listed = async () => (await fixture.here.revocations.list({ page: 1, perPage: 10 })).items;
      assert.deepEqual(
        (await listed()).map(({ ticketDistributionId, reason }) => [ticketDistributionId, reason]),
        [[theTicket(group).id, 'REFUNDED']],
      );
      await race(
        async (at) => await both(at).access.restore(linesOf(group), 'refund/1', { correlationId: 'c', clientId: 'c' }),
      );
      assert.equal(theTicket(await read(group)).status, 'GENERATED');
      assert.deepEqual(await listed(), []);
    });

    it('decide between a refund and a use that come at the same time', async () => {
      for (let round = 0; round < 5; round += 1) {
        const group = await issued();
        fixture.orders.passes(0);
        // By an instant earlier than the refund.
        const validatedAt = new Date(fixture.now.getTime() - 1);
        const inspector = { validatedAt, inspectorOrganisationId: THEIRS };
        const disabled = { reason: 'REFUNDED', disabledBy: 'refund/1', unusedOnly: true } as const;
        const [refund] = await Promise.allSettled([
          fixture.here.access.disable(linesOf(group), disabled, { correlationId: 'c', clientId: 'c' }),
          fixture.there.validations.record(theTicket(group).id, inspector, work()),
        ]);
        const ticket = theTicket(await read(group));
        assert.ok(ticket.usedAt);
        // Refused, or told of the use after it.
        assert.equal(ticket.status, refund.status === 'rejected' ? 'GENERATED' : 'DISABLED');
        await assert.rejects(fixture.here.access.assertUnused(linesOf(group)), { code: 'TICKET_ALREADY_USED' });
      }
    });
  });

  describe('of validations', () => {
    const inspector = { validatedAt: later(0), inspectorOrganisationId: THEIRS, deviceId: 'gate-7' };
    const stored = async () => await TICKET_VALIDATIONS.open(fixture.orders.here.connection).find().toArray();

    it('record a request once, tell the ticket and its order, and mark what is not valid', async () => {
      const group = await issued();
      const by = work();
      const all = await race(async (at) => await both(at).validations.record(theTicket(group).id, inspector, by));
      assert.deepEqual(new Set(all.map(({ _id }) => _id)).size, 1);
      const [validation, ...others] = await stored();
      assert.ok(validation);
      assert.deepEqual([others, validation.untoldSince, validation.marks], [[], undefined, ['BEFORE_VALIDITY']]);
      assert.deepEqual(theTicket(await read(group)).usedAt, later(0));
      checkSequence(await fixture.outbox(group.id));
      const { order } = await fixture.orders.here.store.get(OURS, group.orderId);
      assert.deepEqual([order.orderLines[0]?.usedAt, order.confirmed?.orderLines[0]?.usedAt], [later(0), later(0)]);
      assert.deepEqual(await fixture.here.access.listUse(linesOf(group)), [
        { orderLineId: group.orderLineId, usedAt: later(0), usedLegIds: [] },
      ]);
    });

    it('days before the validity are recorded and marked, and use nothing up', async () => {
      const group = await issued(4 * 24 * 60);
      const by = work();
      const { marks } = await fixture.here.validations.record(theTicket(group).id, inspector, by);
      assert.deepEqual(marks, ['BEFORE_VALIDITY']);
      assert.equal((await stored())[0]?.untoldSince, undefined);
      assert.equal(theTicket(await read(group)).usedAt, undefined);
      await fixture.here.access.assertUnused(linesOf(group));
      const { order } = await fixture.orders.here.store.get(OURS, group.orderId);
      assert.equal(order.orderLines[0]?.usedAt, undefined);
    });

    it('of a disabled ticket are recorded and marked, and leave the order alone', async () => {
      const group = await issued(0);
      await fixture.here.access.disable(
        linesOf(group),
        { reason: 'REFUNDED', disabledBy: 'r' },
        { correlationId: 'c', clientId: 'c' },
      );
      const { marks } = await fixture.here.validations.record(theTicket(group).id, inspector, work());
      assert.deepEqual(marks, ['AFTER_DISABLING']);
      assert.deepEqual(await fixture.here.access.listUse(linesOf(group)), []);
      await fixture.here.access.assertUnused(linesOf(group));
      const { order } = await fixture.orders.here.store.get(OURS, group.orderId);
      assert.equal(order.orderLines[0]?.usedAt, undefined);
    });

    it('take no time in the future, none older than a day, and no leg of another ticket', async () => {
      const { id } = theTicket(await issued());
      const record = async (more: object) =>
        await codeOf(fixture.here.validations.record(id, { ...inspector, ...more }, work()));
      assert.equal(await record({ validatedAt: later(1) }), 'VALIDATION_FAILED');
      assert.equal(await record({ validatedAt: later(-24 * 60 - 1) }), 'VALIDATION_FAILED');
      assert.equal(await record({ legId: 'leg-9' }), 'VALIDATION_FAILED');
      assert.deepEqual(await stored(), []);
      fixture.orders.passes(24 * 60);
      await fixture.here.validations.record(id, { ...inspector, validatedAt: later(0) }, work());
      assert.equal(await codeOf(fixture.here.validations.record(1 as never, inspector, work())), 'NOT_FOUND');
    });

    it('take no time before the ticket was issued, but for clocks that differ', async () => {
      fixture.orders.passes(60);
      const group = await issued();
      const { id, issuedAt } = theTicket(group);
      const earlier = (seconds: number) => new Date(issuedAt.getTime() - seconds * 1_000);
      const record = async (validatedAt: Date) =>
        await fixture.here.validations.record(id, { ...inspector, validatedAt }, work());
      await assert.rejects(record(earlier(11)), {
        code: 'VALIDATION_FAILED',
        status: 422,
        message: /before the ticket was issued/,
      });
      assert.deepEqual(await stored(), []);
      assert.equal(theTicket(await read(group)).usedAt, undefined);
      assert.deepEqual((await record(earlier(10))).validatedAt, earlier(10));
    });

    it('that a crash has left untold are told by the sweep', async () => {
      const group = await issued();
      const by = work();
      await fixture.here.validations.record(theTicket(group).id, inspector, by);
      const collection = TICKET_VALIDATIONS.open(fixture.orders.here.connection);
      await collection.updateMany({}, { $set: { untoldSince: later(0) } });
      await fixture.here.collection.updateMany({}, { $unset: { 'ticketDistributions.$[].usedAt': '' } as never });
      await fixture.here.validations.sweep();
      assert.equal(theTicket(await read(group)).usedAt, undefined);
      fixture.orders.passes(1);
      await race(async (at) => await both(at).validations.sweep());
      assert.deepEqual(theTicket(await read(group)).usedAt, later(0));
      assert.equal((await stored())[0]?.untoldSince, undefined);
    });
  });
});
