/** Tickets are issued once, signed, and in step with what is sold, whatever is repeated, raced or confirmed meanwhile. */
import assert from 'node:assert/strict';
import { UnverifiedOrder } from '../../../activities/tickets/unverified-order.ts';
import { readBarcode, verifyBarcode } from '../../../barcode/signed-barcode.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import { cancelLines } from '../../../workflows/orders/rules/line-removal.ts';
import type { Order, OrderLine } from '../../../workflows/orders/rules/order.ts';
import { unlockOrder } from '../../../workflows/orders/rules/order-lock.ts';
import { lockForRefund, refundLines } from '../../../workflows/orders/rules/refunding.ts';
import { replaceTravellers } from '../../../workflows/orders/rules/travellers.ts';
import type { OrderLineId } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { disableTickets } from '../../../workflows/tickets/rules/disabling.ts';
import { checkSequence } from '../../support/order-checks.ts';
import { OURS, sampleFee, sampleTraveller } from '../../support/sample-orders.ts';
import { theTicket } from '../../support/sample-tickets.ts';
import { ANNA, BERIT, TicketFixture, work } from './ticket-fixture.ts';

describe('issuing tickets', () => {
  const fixture = new TicketFixture('ticket-issuer');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  const barcodeOf = async (group: Parameters<typeof theTicket>[0] & { readonly orderId: Order['id'] }) => {
    const opened = await fixture.there.barcodes.open(
      { organisationId: OURS, orderId: group.orderId },
      theTicket(group),
    );
    assert.ok(opened);
    return opened;
  };
  const statuses = async (order: Order) => {
    const groups = await fixture.there.store.listOfOrder(OURS, order.id);
    return groups.flatMap(({ group }) => group.ticketDistributions.map(({ status }) => status)).toSorted();
  };

  /** As docs/operations/ticket-keys.md tells operators. */
  const ordersOfKey = async (keyId: number) => {
    const live = { status: { $nin: ['DISABLED', 'REPLACED'] }, endOfValidity: { $gt: fixture.now } };
    const ofKey = { ticketDistributions: { $elemMatch: { ...live, 'signed.signingKeyId': keyId } } };
    return await fixture.here.collection.distinct('orderId', ofKey as never);
  };

  it('makes one signed ticket of each line, with its event', async () => {
    const order = await fixture.sell();
    const [stored] = await fixture.issue(order);
    assert.ok(stored);
    // Made by the first write, signed by the second.
    assert.equal(stored.revision, 2);
    const ticket = theTicket(stored.group);
    assert.equal(ticket.signed?.pdfKey, `tickets/${order.id}/v1/${ticket.id}.pdf`);
    const barcode = await barcodeOf(stored.group);
    assert.equal(
      verifyBarcode(
        barcode,
        (issuer, key) => (issuer === 9_901 && key === 7 ? fixture.keyPair.publicKey : undefined),
        fixture.now,
      ),
      'VALID',
    );
    const { ticket: content, validUntil } = readBarcode(barcode);
    assert.deepEqual(
      content.travelerDetail?.traveler?.map(({ firstName, lastName }) => [firstName, lastName]),
      [['Anna', 'Ødegård']],
    );
    assert.deepEqual([content.travelerDetail?.preferredLanguage, validUntil], ['nn', ticket.endOfValidity]);
    const [event] = await fixture.outbox(stored.group.id);
    assert.equal(event?.type, 'service.ticket-distribution.TicketDistributionGenerated.v1');
    assert.equal(event?.id, `ticket-distribution-group/${stored.group.id}/1`);
    assert.deepEqual([event?.key, event?.topic], [order.id, 'ticket-distribution-events-dev']);
  });

  it('makes those of lines that are not refunded while a refund of others runs', async () => {
    const order = await fixture.sell({ travellers: [sampleTraveller({ customerNumber: ANNA }), sampleTraveller()] });
    const [refunded, kept] = order.orderLines.map(({ id }) => id);
    assert.ok(refunded && kept);
    const owner = `refund/${order.id}/1`;
    const { price } = order.orderLines[0] ?? assert.fail();
    const part = { orderLineId: refunded, shareMinor: price.amountMinor, refundMinor: price.amountMinor, feeId: 'fee' };
    await fixture.orders.change(order.id, (before, now) =>
      lockForRefund(before, { orderVersion: order.version, lines: [part], owner }, now),
    );
    const place = { organisationId: OURS, orderId: order.id };
    const ofAll = {};
    const { underRefund, unmade } = await fixture.here.issuer.issue(place, ofAll, work());
    assert.deepEqual([underRefund, unmade], [[refunded], []]);
    const lines = async () =>
      (await fixture.there.store.listOfOrder(OURS, order.id)).map(({ group: { orderLineId } }) => orderLineId);
    assert.deepEqual(await lines(), [kept]);
    const ofLine = (id: OrderLineId) => ({ orderLineIds: [id] });
    const { groups } = await fixture.here.issuer.issue(place, ofLine(kept), work());
    assert.deepEqual(
      groups.map(({ group: { orderLineId } }) => orderLineId),
      [kept],
    );
    assert.deepEqual((await fixture.here.issuer.issue(place, ofLine(refunded), work())).groups, []);
    await fixture.orders.change(order.id, (before, now) => unlockOrder(before, { owner }, now));
    await fixture.issue(order);
    assert.deepEqual(new Set(await lines()), new Set([refunded, kept]));
  });

  const raised = async (order: Order, spoilt: boolean) => {
    const raise = (line: OrderLine) => ({
      ...line,
      version: line.version + 1,
      price: { ...line.price, amountMinor: line.price.amountMinor + (spoilt ? 1 : 0) },
    });
    await fixture.orders.change(order.id, (before) => {
      const { confirmed } = before;
      const orderLines = before.orderLines.map(raise);
      const after = confirmed && { ...confirmed, orderLines: confirmed.orderLines.map(raise) };
      return { order: { ...before, orderLines, ...(after && { confirmed: after }) }, events: [] };
    });
  };

  it('ends the ticket of a changed line also where the new version does not add up, and signs none', async () => {
    const order = await fixture.sell();
    await fixture.issue(order);
    await raised(order, true);
    await assert.rejects(fixture.issue(order), UnverifiedOrder);
    assert.deepEqual(await statuses(order), ['GENERATED', 'REPLACED']);
    const [stored] = await fixture.there.store.listOfOrder(OURS, order.id);
    const [, successor] = stored?.group.ticketDistributions ?? [];
    assert.equal(successor?.signed, undefined);
    await assert.rejects(fixture.issue(order), UnverifiedOrder);
    assert.equal((await statuses(order)).length, 2);
  });

  it('ends the ticket of a changed line also where nothing can be signed, and signs its successor later', async () => {
    const order = await fixture.sell();
    await fixture.issue(order);
    await raised(order, false);
    fixture.beforeSigning = async () => {
      throw new Error('the key management is away');
    };
    const place = { organisationId: OURS, orderId: order.id };
    const { groups, unmade } = await fixture.here.issuer.issue(place, {}, work());
    assert.deepEqual([groups, unmade], [[], order.orderLines.map(({ id }) => id)]);
    assert.deepEqual(await statuses(order), ['GENERATED', 'REPLACED']);
    fixture.beforeSigning = async () => undefined;
    const [issued] = await fixture.issue(order);
    assert.ok(issued?.group.ticketDistributions.at(-1)?.signed);
    assert.equal((await statuses(order)).length, 2);
  });

  it('signs the other lines where one cannot be signed', async () => {
    const order = await fixture.sell({ travellers: [sampleTraveller({ customerNumber: ANNA }), sampleTraveller()] });
    let left = 1;
    fixture.beforeSigning = async () => {
      left -= 1;
      if (left === 0) throw new Error('the key management is away');
    };
    const place = { organisationId: OURS, orderId: order.id };
    const { groups, unmade } = await fixture.here.issuer.issue(place, {}, work());
    assert.deepEqual([groups.length, unmade.length], [1, 1]);
    assert.equal((await fixture.issue(order)).length, 2);
  });

  describe('beside a refund that begins', () => {
    let order: Order;
    let owner: string;
    beforeEach(async () => {
      order = await fixture.sell();
      owner = `refund/${order.id}/1`;
    });

    const lines = () => ({
      organisationId: OURS,
      orderId: order.id,
      orderLineIds: order.orderLines.map(({ id }) => id),
    });
    const withoutId = () => {
      const { workId: _workId, ...others } = work();
      return others;
    };
    const refunding = () => {
      const [line = assert.fail()] = order.orderLines;
      const { amountMinor } = line.price;
      const part = { orderLineId: line.id, shareMinor: amountMinor, refundMinor: amountMinor, feeId: 'fee' };
      return { orderVersion: order.version, lines: [part], owner };
    };
    /** As the activities do: what it answers was disabled before the credit. */
    const begin = async () => {
      await fixture.orders.change(order.id, (before, now) => lockForRefund(before, refunding(), now));
      const disabled = { reason: 'REFUNDED', disabledBy: owner, upToVersion: order.version } as const;
      return await fixture.there.access.disable(lines(), disabled, withoutId());
    };
    const fail = async () => {
      await fixture.there.access.restore(lines(), owner, withoutId());
      await fixture.orders.change(order.id, (before, now) => unlockOrder(before, { owner }, now));
    };
    const complete = async () => {
      const { lines: parts } = refunding();
      const creditedMinor = parts[0]?.refundMinor ?? assert.fail();
      await fixture.orders.change(order.id, (before) => ({
        order: { ...before, money: { ...before.money, creditedMinor } },
        events: [],
      }));
      await fixture.orders.change(order.id, (before, now) =>
        refundLines(before, { ...refunding(), lockOwner: owner }, now),
      );
    };
    /** An issuer that does more after it has read the order for the given time. */
    const issueWith = async (onRead: (time: number) => Promise<void>) => {
      let time = 0;
      const orders = {
        get: async () => {
          const read = (await fixture.orders.here.store.get('ANY', order.id)).order;
          time += 1;
          await onRead(time);
          return read;
        },
      };
      const place = { organisationId: OURS, orderId: order.id };
      return await fixture.here.issuerReading(orders).issue(place, {}, work());
    };
    /** Which of them an inspector accepts: it has a barcode, and is not revoked. */
    const accepted = async () => {
      const groups = (await fixture.there.store.listOfOrder(OURS, order.id)).map(({ group }) => group);
      const tickets = groups.flatMap(({ ticketDistributions }) => ticketDistributions);
      const place = { organisationId: OURS, orderId: order.id };
      const barcodes = await fixture.there.barcodes.openAll(place, tickets);
      const revoked = new Set((await fixture.there.revoked.list(fixture.now)).numbers);
      return tickets.filter(({ id }) => barcodes.has(id) && !revoked.has(id)).map(({ status }) => status);
    };

    it('signs no ticket that it writes after the refund has looked for tickets, and signs it where the refund fails', async () => {
      const beginOnce = async (time: number) => {
        if (time === 1) assert.deepEqual(await begin(), []);
        if (time === 2) assert.deepEqual([(await statuses(order)).length, await accepted()], [1, []]);
      };
      assert.deepEqual((await issueWith(beginOnce)).groups, []);
      assert.deepEqual(await accepted(), []);
      assert.deepEqual(await fixture.issue(order), []);
      assert.deepEqual(await accepted(), []);
      await fail();
      await fixture.issue(order);
      assert.deepEqual(await accepted(), ['GENERATED']);
    });

    it('leaves none that is accepted where it dies after its write, and never signs it where the refund completes', async () => {
      const death = new Error('The process has died');
      const dieAfterWrite = async (time: number) => {
        if (time === 1) await begin();
        if (time === 2) throw death;
      };
      await assert.rejects(issueWith(dieAfterWrite), death);
      assert.deepEqual(await accepted(), []);
      await complete();
      assert.deepEqual(await accepted(), []);
      await fixture.issue(order);
      assert.deepEqual([await statuses(order), await accepted()], [['DISABLED'], []]);
    });

    it('goes on where it has died after its write without a refund', async () => {
      const death = new Error('The process has died');
      await assert.rejects(
        issueWith(async (time) => {
          if (time === 2) throw death;
        }),
        death,
      );
      const [written] = await fixture.there.store.listOfOrder(OURS, order.id);
      const [issued] = await fixture.issue(order);
      assert.deepEqual(issued && theTicket(issued.group).id, written && theTicket(written.group).id);
      assert.deepEqual(await accepted(), ['GENERATED']);
    });

    it('does not sign what the refund disables between its read of the order and its second write', async () => {
      fixture.beforeSigning = async () => {
        fixture.beforeSigning = async () => undefined;
        assert.equal((await begin()).length, 1);
      };
      assert.deepEqual(await fixture.issue(order), []);
      assert.deepEqual([await statuses(order), await accepted()], [['DISABLED'], []]);
      await fail();
      await fixture.issue(order);
      assert.deepEqual(await accepted(), ['GENERATED']);
    });

    it('does not sign a successor of tickets that the refund disables meanwhile', async () => {
      await fixture.issue(order);
      // Sold anew, as after a refund of a part.
      const { order: changed } = await fixture.orders.change(order.id, (before) => {
        const raise = (line: OrderLine) => ({ ...line, version: line.version + 1 });
        const orderLines = before.orderLines.map(raise);
        const confirmed = before.confirmed && {
          ...before.confirmed,
          orderLines: before.confirmed.orderLines.map(raise),
        };
        return { order: { ...before, orderLines, ...(confirmed && { confirmed }) }, events: [] };
      });
      order = changed;
      const beginOnce = async (time: number) => {
        if (time === 1) assert.equal((await begin()).length, 1);
        if (time === 2) assert.deepEqual([(await statuses(order)).length, await accepted()], [2, []]);
      };
      assert.deepEqual((await issueWith(beginOnce)).groups, []);
      assert.deepEqual(await accepted(), []);
      await complete();
      await fixture.issue(order);
      assert.deepEqual([...new Set(await statuses(order)), ...(await accepted())], ['DISABLED']);
    });
  });

  it('tells the same in `meta` and, flat, in the deprecated `metaData`, and names nobody', async () => {
    const [stored] = await fixture.issue(await fixture.sell());
    assert.ok(stored);
    const [event] = await fixture.outbox(stored.group.id);
    assert.ok(event);
    const { meta, metaData } = event.data as unknown as {
      meta: Record<string, unknown>;
      metaData: Record<string, string>;
    };
    assert.deepEqual(Object.keys(metaData), Object.keys(meta));
    assert.deepEqual([metaData.orderId, metaData.organisationId], [stored.group.orderId, '1']);
    assert.equal(metaData.occurredAt, (meta.occurredAt as Date).toISOString());
    const stored_ = JSON.stringify(await fixture.here.collection.find().toArray());
    assert.ok(!/Anna|Ødegård/.test(stored_));
  });

  it('repeated and raced makes each ticket once', async () => {
    const order = await fixture.sell({ travellers: [sampleTraveller(), sampleTraveller(), sampleTraveller()] });
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, at) => fixture.issue(order, at % 2 ? fixture.here : fixture.there)),
    );
    const again = await fixture.issue(order);
    const idsOf = (groups: typeof again) => groups.map(({ group }) => theTicket(group).id).toSorted();
    for (const groups of all) assert.deepEqual(idsOf(groups), idsOf(again));
    const revisionsOf = (groups: typeof again) => groups.map(({ revision }) => revision);
    assert.deepEqual(revisionsOf(await fixture.issue(order)), revisionsOf(again));
    for (const { group } of again) {
      checkSequence(await fixture.outbox(group.id));
      assert.ok(await barcodeOf(group));
    }
  });

  it('replaces the tickets of a changed version once, also when it is raced', async () => {
    const traveller = sampleTraveller();
    const order = await fixture.sell({ travellers: [traveller] });
    await fixture.issue(order);
    await fixture.orders.change(order.id, (before, now) =>
      replaceTravellers(before, { travellers: [{ ...traveller, customerNumber: BERIT }] }, now),
    );
    await fixture.confirm(order.id);
    await Promise.all(
      Array.from({ length: 8 }, (_, at) => fixture.issue(order, at % 2 ? fixture.here : fixture.there)),
    );
    assert.deepEqual(await statuses(order), ['GENERATED', 'REPLACED']);
    const [stored] = await fixture.issue(order);
    assert.equal(stored?.group.orderVersion, 2);
    assert.ok(await barcodeOf(stored.group));
    const events = await fixture.outbox(stored.group.id);
    checkSequence(events);
    assert.equal(events.length, 3);
  });

  it('leaves no live ticket of a line that is cancelled while its tickets are signed', async () => {
    const order = await fixture.sell({ travellers: [sampleTraveller(), sampleTraveller()] });
    const [first] = order.orderLines;
    assert.ok(first);
    // The next version is confirmed, and its delivery runs, before the tickets of this one are written.
    let isCancelled = false;
    fixture.beforeSigning = async () => {
      if (isCancelled) return;
      isCancelled = true;
      await fixture.orders.change(order.id, (before, now) => cancelLines(before, { orderLineIds: [first.id] }, now));
      await fixture.confirm(order.id);
      await fixture.issue(order, fixture.there);
    };
    await fixture.issue(order);
    const groups = await fixture.there.store.listOfOrder(OURS, order.id);
    const ofCancelled = groups.find(({ group }) => group.orderLineId === first.id);
    assert.equal(ofCancelled && theTicket(ofCancelled.group).status, 'DISABLED');
    assert.deepEqual(await statuses(order), ['DISABLED', 'GENERATED']);
  });

  it('disables all tickets of a cancelled order', async () => {
    const order = await fixture.sell();
    await fixture.issue(order);
    await fixture.orders.change(order.id, (before) => ({
      order: { ...before, status: 'CANCELLED' as const },
      events: [],
    }));
    await fixture.issue(order);
    assert.deepEqual(await statuses(order), ['DISABLED']);
  });

  it('follows what is sold, not the draft that is open', async () => {
    const order = await fixture.sell();
    await fixture.orders.change(order.id, (before, now) => addFee(before, { fee: sampleFee('MANUAL', 500) }, now));
    const place = { organisationId: OURS, orderId: order.id };
    const { orderVersion, groups } = await fixture.here.issuer.issue(place, { sentBy: 'deliver/1' }, work());
    assert.equal(orderVersion, 1);
    assert.deepEqual(
      groups.map(({ group }) => theTicket(group).status),
      ['DISTRIBUTING'],
    );
  });

  it('signs nothing that is not paid, and still disables what is cancelled', async () => {
    const order = await fixture.sell({ travellers: [sampleTraveller(), sampleTraveller()] });
    const [first, second] = order.orderLines as [Order['orderLines'][0], Order['orderLines'][0]];
    const place = { organisationId: OURS, orderId: order.id };
    await fixture.here.issuer.issue(place, { orderLineIds: [first.id] }, work());
    await fixture.orders.change(order.id, (before, now) => cancelLines(before, { orderLineIds: [first.id] }, now));
    await fixture.confirm(order.id);
    await fixture.orders.change(order.id, (before) => ({
      order: { ...before, money: { capturedMinor: 1, creditedMinor: 0 } },
      events: [],
    }));
    await assert.rejects(fixture.issue(order), (error) => {
      assert.ok(error instanceof UnverifiedOrder);
      assert.deepEqual(error.faults, [{ place: 'order', fault: 'NOT_PAID' }]);
      return true;
    });
    assert.deepEqual(await statuses(order), ['DISABLED']);
    assert.equal(
      (await fixture.here.store.listOfOrder(OURS, order.id)).some(({ group }) => group.orderLineId === second.id),
      false,
    );
  });

  it('takes the lines that it is asked for, and refuses an unknown one and an order that was never sold', async () => {
    const order = await fixture.sell({ travellers: [sampleTraveller(), sampleTraveller()] });
    const place = { organisationId: OURS, orderId: order.id };
    const [line] = order.orderLines;
    const some = await fixture.here.issuer.issue(place, { orderLineIds: [line?.id as OrderLineId] }, work());
    assert.deepEqual(
      some.groups.map(({ group }) => group.orderLineId),
      [line?.id],
    );
    const unknown = { orderLineIds: [sampleTraveller().id as never] };
    const code = (expected: string) => (error: unknown) => error instanceof ServiceError && error.code === expected;
    await assert.rejects(fixture.here.issuer.issue(place, unknown, work()), code('UNKNOWN_ORDER_LINE'));
    const { order: draft } = await fixture.orders.create();
    await assert.rejects(fixture.issue(draft), code('INVALID_STATE'));
    const foreign = { organisationId: 2 as typeof OURS, orderId: order.id };
    await assert.rejects(fixture.here.issuer.issue(foreign, {}, work()), code('NOT_FOUND'));
  });

  it('signs again what an erasure has left without a barcode, with another key', async () => {
    const order = await fixture.sell();
    const [stored] = await fixture.issue(order);
    assert.ok(stored);
    await fixture.orders.here.keys.destroyOf(`order/${order.id}` as never);
    await fixture.here.collection.updateMany({}, { $unset: { 'ticketDistributions.$[].signed': '' } as never });
    fixture.customers.clear();
    const all = await Promise.all(
      Array.from({ length: 4 }, (_, at) =>
        (at % 2 ? fixture.here : fixture.there).issuer.sign(OURS, stored.group.id, work()),
      ),
    );
    const barcodes = await Promise.all(
      all.map(async ({ group }) => Buffer.from(await barcodeOf(group)).toString('hex')),
    );
    assert.equal(new Set(barcodes).size, 1);
    const { ticket } = readBarcode(Buffer.from(barcodes[0] ?? '', 'hex'));
    assert.deepEqual(ticket.travelerDetail?.traveler, [{ ticketHolder: true }]);
  });

  it('replaces the tickets of a withdrawn key once, also when it is raced, and revokes them', async () => {
    const order = await fixture.sell({ travellers: [sampleTraveller({ customerNumber: ANNA }), sampleTraveller()] });
    const before = (await fixture.issue(order)).map(({ group }) => theTicket(group));
    assert.deepEqual(
      before.map(({ signed }) => signed?.signingKeyId),
      [7, 7],
    );
    fixture.withdrawKey(7);
    const other = fixture.signingKeys;
    assert.deepEqual(await ordersOfKey(7), [order.id]);
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, at) => fixture.issue(order, at % 2 ? fixture.here : fixture.there)),
    );
    assert.deepEqual(await statuses(order), ['GENERATED', 'GENERATED', 'REPLACED', 'REPLACED']);
    const again = await fixture.issue(order);
    for (const { group } of again) {
      const barcode = await barcodeOf(group);
      const keyOf = (_issuer: number, keyId: number) =>
        other.some((key) => key.keyId === keyId && key.validTo > fixture.now) ? fixture.keyPair.publicKey : undefined;
      assert.equal(verifyBarcode(barcode, keyOf, fixture.now), 'VALID');
      assert.equal(theTicket(group).signed?.pdfKey, `tickets/${order.id}/v1/${theTicket(group).id}.pdf`);
      const events = await fixture.outbox(group.id);
      checkSequence(events);
      assert.deepEqual(
        events.map(({ type }) => type.split('.').at(-2)),
        ['TicketDistributionGenerated', 'TicketDistributionDisabled', 'TicketDistributionGenerated'],
      );
    }
    assert.deepEqual([await ordersOfKey(7), await ordersOfKey(8)], [[], [order.id]]);
    const idsOf = (groups: typeof again) => groups.map(({ group }) => theTicket(group).id).toSorted();
    for (const groups of all) assert.deepEqual(idsOf(groups), idsOf(again));
    const revoked = await fixture.here.revocations.list({ page: 1, perPage: 10 });
    assert.deepEqual(
      revoked.items.map(({ ticketDistributionId }) => ticketDistributionId).toSorted(),
      before.map(({ id }) => id).toSorted(),
    );
  });

  it('replaces no ticket of a withdrawn key while the order is not paid', async () => {
    const order = await fixture.sell();
    await fixture.issue(order);
    fixture.withdrawKey(7);
    await fixture.orders.change(order.id, (before) => ({
      order: { ...before, money: { capturedMinor: 1, creditedMinor: 0 } },
      events: [],
    }));
    await assert.rejects(fixture.issue(order), UnverifiedOrder);
    assert.deepEqual(await statuses(order), ['GENERATED']);
  });

  it('does not sign a ticket that is disabled meanwhile', async () => {
    const order = await fixture.sell();
    const [stored] = await fixture.issue(order);
    assert.ok(stored);
    const { id } = stored.group;
    await fixture.here.collection.updateMany({}, { $unset: { 'ticketDistributions.$[].signed': '' } as never });
    fixture.beforeSigning = async () => {
      await fixture.there.store.change(OURS, id, work(), ({ group }, now) =>
        disableTickets(group, { reason: 'REFUNDED' }, now),
      );
    };
    const { group } = await fixture.here.issuer.sign(OURS, id, work());
    assert.deepEqual([theTicket(group).status, theTicket(group).signed], ['DISABLED', undefined]);
  });
});
