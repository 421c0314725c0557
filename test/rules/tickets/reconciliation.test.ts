/** Tickets follow the version of their order that is sold, and nothing is signed that was not verified. */
import assert from 'node:assert/strict';
import type { ConfirmedVersion, Order, OrderLine } from '../../../workflows/orders/rules/order.ts';
import type { FareProduct, PreassignedProduct } from '../../../workflows/shared/fares.ts';
import type { CustomerNumber, TravellerId } from '../../../workflows/shared/ids.ts';
import { priceWithTax } from '../../../workflows/shared/price.ts';
import { disableTickets, restoreTickets } from '../../../workflows/tickets/rules/disabling.ts';
import { ticketsOfLine } from '../../../workflows/tickets/rules/line-tickets.ts';
import { reconcile } from '../../../workflows/tickets/rules/reconciliation.ts';
import { moveValidity, transferHolder } from '../../../workflows/tickets/rules/reissuing.ts';
import type { KeyValidity } from '../../../workflows/tickets/rules/signing.ts';
import { hasEffect } from '../../../workflows/tickets/rules/ticket-change.ts';
import type { TicketGroup } from '../../../workflows/tickets/rules/ticket-group.ts';
import { useTicket } from '../../../workflows/tickets/rules/use.ts';
import { verifySale } from '../../../workflows/tickets/rules/verification.ts';
import { later, NOW, sampleFee, sampleLine, sampleTraveller, seatedLine, VAT } from '../../support/sample-orders.ts';
import {
  groupOf,
  newTicketId,
  SINGLE,
  type SoldWish,
  saleOf,
  soldOrder,
  theTicket,
} from '../../support/sample-tickets.ts';

const ANNA = '1000000001' as CustomerNumber;
const BERIT = '1000000009' as CustomerNumber;

/** A seat on a ride within validity. */
function seated(): Order {
  const traveller = sampleTraveller({ customerNumber: ANNA });
  const { line, reservation } = seatedLine({ traveller, departure: later(90), transferable: true });
  const travelSpecification = { ...line.travelSpecification, startOfValidity: later(60) };
  const wish: SoldWish = {
    travellers: [traveller],
    lines: [{ ...line, travelSpecification }],
    reservations: [reservation],
  };
  return soldOrder(wish);
}

type Version = Omit<ConfirmedVersion, 'confirmedAt'>;

/** The next version of the order, confirmed. */
function nextVersion(order: Order, change: (version: Version) => Partial<Version>): Order {
  const before = order.confirmed as ConfirmedVersion;
  const confirmed = { ...before, version: before.version + 1, ...change(before) };
  return { ...order, ...confirmed, confirmed } as Order;
}

const changedLine = (order: Order, change: Partial<OrderLine>) =>
  nextVersion(order, ({ orderLines }) => ({
    orderLines: orderLines.map((line) => ({ ...line, version: line.version + 1, ...change })),
  }));

const follow = (group: TicketGroup, order: Order, keys: readonly KeyValidity[] = []) =>
  reconcile(group, { sold: saleOf(order), sentBy: 'deliver/1', newId: newTicketId, keys }, later(5));

describe('tickets of a sold line', () => {
  it('say what the line and the catalogue say', () => {
    const order = seated();
    const group = groupOf(order, 'DISTRIBUTING');
    const [line] = order.orderLines as [OrderLine];
    const { id: _id, status, distributionDetails, ...ticket } = theTicket(group);
    assert.deepEqual([status, distributionDetails.channel], ['DISTRIBUTING', 'EMAIL']);
    assert.deepEqual(ticket.travellers, [
      { travellerId: line.travellers[0]?.travellerId, customerNumber: ANNA, userTypeId: 'ADULT' },
    ]);
    assert.deepEqual([ticket.productName, ticket.fareClass], [SINGLE.name, 'STANDARD']);
    assert.deepEqual(
      ticket.seatReservations.map(({ legId, seatNumber }) => [legId, seatNumber]),
      [['leg-1', '1']],
    );
    assert.equal(ticket.legs, line.travelSpecification.legs);
    assert.deepEqual([group.soldAt, group.orderVersion, group.updatedForOrderLineVersion], [NOW, 1, 1]);
  });

  it('are one for each main product, and share the price exactly', () => {
    const parts = [3_333, 3_333, 3_335].map((amount) => priceWithTax(amount, VAT));
    const fareProducts = parts.map((price, at) => ({
      ...{ id: at === 2 ? 'BICYCLE' : `PASS${at}`, version: 1, price },
      kind: at === 2 ? ('SUPPLEMENT' as const) : ('PREASSIGNED' as const),
    }));
    const traveller = sampleTraveller();
    const line = sampleLine({ traveller, fareProducts, amountMinor: 10_001 });
    const order = soldOrder({ travellers: [traveller], lines: [line] });
    const tickets = groupOf(order).ticketDistributions;
    assert.deepEqual(
      tickets.map(({ productId }) => productId),
      ['PASS0', 'PASS1'],
    );
    assert.equal(
      tickets.reduce((sum, { price }) => sum + price.amountMinor, 0),
      10_001,
    );
    assert.equal(
      tickets.reduce((sum, { price }) => sum + price.taxMinor, 0),
      line.price.taxMinor,
    );
    // The catalogue does not know it any more.
    assert.deepEqual(tickets[0]?.productName, line.description);
  });

  it('keep the names of supplements, as they were called when the ticket was made', () => {
    const price = priceWithTax(5_000, VAT);
    const product = (id: string, kind: 'PREASSIGNED' | 'SUPPLEMENT') => ({ id, version: 1, kind, price });
    const traveller = sampleTraveller({ customerNumber: ANNA });
    const fareProducts = [
      product('SINGLE', 'PREASSIGNED'),
      product('LUNCH', 'SUPPLEMENT'),
      product('GONE', 'SUPPLEMENT'),
    ];
    const line = sampleLine({ traveller, fareProducts, amountMinor: 15_000 });
    const order = soldOrder({ travellers: [traveller], lines: [line] });
    const { area: _area, ...facts } = SINGLE;
    const called = (value: string): readonly FareProduct[] => [
      SINGLE,
      { ...facts, id: 'LUNCH', kind: 'SUPPLEMENT', modifiesSeating: false, name: [{ lang: 'nob', value }] },
    ];
    const [content] = ticketsOfLine(saleOf(order, called('Nistepakke')), order.orderLines[0] as OrderLine);
    const names = [[{ lang: 'nob', value: 'Nistepakke' }], [{ lang: 'nob', value: 'GONE' }]];
    assert.deepEqual(content?.supplementNames, names);

    const group = groupOf(order);
    const [made] = group.ticketDistributions;
    assert.ok(made && content);
    const named = { ...group, ticketDistributions: [{ ...made, ...content }] };
    const { supplementNames: _none, ...old } = made;
    const next = nextVersion(order, ({ travellers }) => ({
      travellers: travellers.map((each) => ({ ...each, customerNumber: BERIT })),
    }));
    const made_ = { sentBy: 'deliver/1', newId: newTicketId, keys: [] } as const;
    const reconciling = { sold: saleOf(next, called('Matpakke')), ...made_ };
    const successorOf = (before: TicketGroup) => theTicket(reconcile(before, reconciling, later(5)).group);
    assert.equal(successorOf(named).replaces, made.id);
    assert.deepEqual(successorOf(named).supplementNames, names);
    const oldSuccessor = successorOf({ ...group, ticketDistributions: [old] });
    assert.equal(oldSuccessor.replaces, made.id);
    assert.ok(!('supplementNames' in oldSuccessor));
  });

  it('are one for a line without a product, at the price that refunds have left', () => {
    const traveller = sampleTraveller();
    const order = soldOrder({ travellers: [traveller], lines: [sampleLine({ traveller, fareProducts: [] })] });
    const [line] = order.orderLines as [OrderLine];
    const [ticket] = ticketsOfLine(saleOf(order), { ...line, refundedShareMinor: 2_500 });
    assert.deepEqual([ticket?.productId, ticket?.price.amountMinor], [line.id, 7_500]);
  });

  const topologies: readonly [string, Partial<PreassignedProduct>, object, object][] = [
    [
      'of a zone product are its zones',
      { area: { kind: 'ZONES' } },
      { zones: ['Z1', 'Z2'], zoneType: 'POINT_TO_POINT', fromStopPlaceId: 'A', toStopPlaceId: 'B' },
      { fareZones: ['Z1', 'Z2'], fromFareZone: 'Z1', toFareZone: 'Z2', zoneType: 'POINT_TO_POINT', full: false },
    ],
    [
      'of a zone product without zones are those of its area',
      { area: { kind: 'ZONES', zoneIds: ['Z1', 'Z2'] } },
      {},
      { fareZones: ['Z1', 'Z2'], full: true },
    ],
    [
      'of a ticket that names all zones of the area are everywhere',
      { area: { kind: 'ZONES', zoneIds: ['Z1', 'Z2'] } },
      { zones: ['Z2', 'Z1'] },
      { fareZones: ['Z2', 'Z1'], fromFareZone: 'Z2', toFareZone: 'Z1', full: true },
    ],
    [
      'of a line product are its ends',
      { area: { kind: 'LINES' } },
      { fromStopPlaceId: 'A', toStopPlaceId: 'B' },
      { fareZones: [], fromStopPlace: 'A', toStopPlace: 'B', full: false },
    ],
    ['of a line product without ends are everywhere', { area: { kind: 'LINES' } }, {}, { fareZones: [], full: true }],
  ];
  for (const [name, product, travel, expected] of topologies) {
    it(`have places that ${name}`, () => {
      const traveller = sampleTraveller();
      const { legs, startOfValidity, endOfValidity } = sampleLine().travelSpecification;
      const line = sampleLine({ traveller, travelSpecification: { legs, startOfValidity, endOfValidity, ...travel } });
      const order = soldOrder({ travellers: [traveller], lines: [line] });
      const sold = {
        ...saleOf(order),
        products: new Map<string, FareProduct>([['SINGLE', { ...SINGLE, ...product }]]),
      };
      const [ticket] = ticketsOfLine(sold, order.orderLines[0] as OrderLine);
      assert.deepEqual({ ...ticket?.topology, full: ticket?.fullAreaValidity }, expected);
    });
  }
});

describe('tickets after the next confirmation', () => {
  it('stay where the line stays', () => {
    const order = seated();
    const group = groupOf(order);
    assert.equal(hasEffect(group, follow(group, order)), false);
    const next = nextVersion(order, ({ fees }) => ({
      fees: [...fees, { ...sampleFee('MANUAL', 1), orderVersion: 2 }],
    }));
    assert.equal(hasEffect(group, follow(group, next)), false);
  });

  it('are replaced where the line has changed, once', () => {
    const order = seated();
    const next = changedLine(order, {});
    const { group, events } = follow(groupOf(order), next);
    assert.deepEqual(
      group.ticketDistributions.map(({ status }) => status),
      ['REPLACED', 'DISTRIBUTING'],
    );
    assert.deepEqual([group.orderVersion, group.updatedForOrderLineVersion], [2, 2]);
    assert.deepEqual(
      events.map(({ type, orderVersion }) => [type, orderVersion]),
      [
        ['TicketDistributionDisabled', 2],
        ['TicketDistributionGenerated', 2],
      ],
    );
    // Both events name the other ticket.
    const [old, successor] = group.ticketDistributions;
    assert.deepEqual(
      events.flatMap((event) => [
        ...('replacedBy' in event ? [event.ticketDistributionId, event.replacedBy] : []),
        ...('replaces' in event ? [event.replaces, event.ticketDistributionId] : []),
      ]),
      [old?.id, successor?.id, old?.id, successor?.id],
    );
    assert.equal(hasEffect(group, follow(group, next)), false);
    // A delivery of the version before comes late.
    assert.equal(hasEffect(group, follow(group, order)), false);
  });

  it('are disabled where the line is cancelled, or gone', () => {
    const order = seated();
    for (const next of [changedLine(order, { status: 'CANCELLED' }), nextVersion(order, () => ({ orderLines: [] }))]) {
      const { group, events } = follow(groupOf(order), next);
      assert.deepEqual([theTicket(group).status, theTicket(group).revocationReason], ['DISABLED', 'CANCELLED']);
      assert.equal(events.length, 1);
      assert.equal(hasEffect(group, follow(group, next)), false);
    }
  });

  it('name the travellers and seats of that version, and keep validity and use', () => {
    const order = seated();
    const used = useTicket(groupOf(order), { ticketId: newTicketId(0), validatedAt: later(2) }, later(2)).group;
    const next = nextVersion(order, ({ travellers }) => ({
      travellers: travellers.map((each) => ({ ...each, customerNumber: BERIT })),
    }));
    const { group } = follow(used, next);
    const successor = theTicket(group);
    assert.deepEqual(
      [successor.travellers[0]?.customerNumber, successor.usedAt, successor.replaces],
      [...[BERIT, later(2), newTicketId(0)]],
    );
    const moved = nextVersion(order, ({ reservations }) => ({
      reservations: reservations.map((each) => ({ ...each, seatNumber: '2' })),
    }));
    assert.deepEqual(
      theTicket(follow(groupOf(order), moved).group).seatReservations.map(({ seatNumber }) => seatNumber),
      ['2'],
    );
  });

  it('keep another holder and another validity while the line stays', () => {
    const traveller = sampleTraveller({ customerNumber: ANNA });
    const line = sampleLine({ traveller, transferable: true });
    const travelSpecification = { ...line.travelSpecification, startOfValidity: later(60) };
    const order = soldOrder({ travellers: [traveller], lines: [{ ...line, travelSpecification }] });
    const passed = transferHolder(groupOf(order), { toCustomerNumber: BERIT, newId: newTicketId }, NOW).group;
    const products = new Map([[SINGLE.id, SINGLE]]);
    const wish = { startOfValidity: later(90), products, timeZone: 'Europe/Oslo', newId: newTicketId };
    const { group } = moveValidity(passed, wish, NOW);
    const next = nextVersion(order, () => ({}));
    assert.equal(hasEffect(group, follow(group, next)), false);
    const replaced = follow(group, changedLine(order, {})).group;
    assert.equal(theTicket(replaced).travellers[0]?.customerNumber, BERIT);
  });

  describe('with another validity', () => {
    const traveller = sampleTraveller({ customerNumber: ANNA });
    const line = sampleLine({ traveller });
    const travelSpecification = {
      ...{ ...line.travelSpecification, legs: [] },
      ...{ startOfValidity: later(60), endOfValidity: later(180) },
    };
    const order = soldOrder({ travellers: [traveller], lines: [{ ...line, travelSpecification }] });
    const products = new Map([[SINGLE.id, SINGLE]]);
    const move = (group: TicketGroup, startOfValidity: Date) =>
      moveValidity(group, { startOfValidity, products, timeZone: 'Europe/Oslo', newId: newTicketId }, NOW).group;
    const validityOf = (group: TicketGroup) => [theTicket(group).startOfValidity, theTicket(group).endOfValidity];
    const soldWith = (before: Order, change: Partial<OrderLine['travelSpecification']>) =>
      changedLine(before, { travelSpecification: { ...travelSpecification, ...change } });
    const moved = move(groupOf(order), later(1_000));

    it('keep it when a part of the line is refunded, also where the refund has disabled all', () => {
      const next = changedLine(order, { refundedShareMinor: 2_500 });
      const disabled = disableTickets(moved, { reason: 'REFUNDED', disabledBy: 'refund/1' }, later(2)).group;
      for (const before of [moved, disabled]) {
        const { group } = follow(before, next);
        assert.equal(theTicket(group).status, 'DISTRIBUTING');
        assert.deepEqual(validityOf(group), [later(1_000), later(1_120)]);
      }
    });

    it('keep the last one, and move on from it', () => {
      const twice = move(follow(move(moved, later(500)), changedLine(order, {})).group, later(700));
      const next = nextVersion(changedLine(order, {}), ({ orderLines }) => ({
        orderLines: orderLines.map((each) => ({ ...each, version: 3 })),
      }));
      assert.deepEqual(validityOf(follow(twice, next).group), [later(700), later(820)]);
    });

    it('lose it with another validity that is sold, for good', () => {
      const other = soldWith(order, { startOfValidity: later(90), endOfValidity: later(210) });
      const changed = follow(moved, other).group;
      assert.deepEqual(validityOf(changed), [later(90), later(210)]);
      const back = nextVersion(other, ({ orderLines }) => ({
        orderLines: orderLines.map((each) => ({ ...each, version: 3, travelSpecification })),
      }));
      assert.deepEqual(validityOf(follow(changed, back).group), [later(60), later(180)]);
      const later_ = move(changed, later(800));
      assert.deepEqual(later_.movedStart, {
        to: later(800),
        of: { startOfValidity: later(90), endOfValidity: later(210) },
      });
    });

    it('lose it where the line travels outside it', () => {
      const { line: ridden } = seatedLine({ traveller, departure: later(90) });
      const { legs } = ridden.travelSpecification;
      assert.deepEqual(validityOf(follow(moved, soldWith(order, { legs })).group), [later(60), later(180)]);
    });

    it('are valid for every journey that the line is changed to', () => {
      for (const to of [10, 60, 100, 179, 1_000]) {
        const before = move(groupOf(order), later(to));
        for (let departure = 60; departure <= 180; departure += 10) {
          const { line: ridden } = seatedLine({ traveller, departure: later(departure) });
          const { legs } = ridden.travelSpecification;
          const ticket = theTicket(follow(before, soldWith(order, { legs })).group);
          const isWithin = departure >= to && departure <= to + 120;
          assert.deepEqual(ticket.startOfValidity, later(isWithin ? to : 60), `${to}, ${departure}`);
          assert.equal(ticket.legs.length, 1);
          assert.ok(ticket.startOfValidity <= later(departure) && later(departure) <= ticket.endOfValidity);
        }
      }
    });
  });

  it('keep their use on the legs that the line still has', () => {
    const order = seated();
    const use = { ticketId: newTicketId(0), validatedAt: later(2), legId: 'leg-1' };
    const used = useTicket(groupOf(order), use, later(2)).group;
    const disabled = disableTickets(used, { reason: 'REFUNDED', disabledBy: 'refund/1' }, later(3)).group;
    for (const before of [used, disabled]) {
      const { usedAt, usedLegIds } = theTicket(follow(before, changedLine(order, {})).group);
      assert.deepEqual([usedAt, usedLegIds], [later(2), ['leg-1']]);
    }
    const [line] = order.orderLines as [OrderLine];
    const travelSpecification = { ...line.travelSpecification, legs: [] };
    const gone = theTicket(follow(used, changedLine(order, { travelSpecification })).group);
    assert.deepEqual([gone.usedAt, gone.usedLegIds], [later(2), []]);
    const late = useTicket(disableTickets(groupOf(order), { reason: 'REFUNDED' }, NOW).group, use, later(3)).group;
    const unused = theTicket(follow(late, changedLine(order, {})).group);
    assert.deepEqual([unused.usedAt, unused.usedLegIds], [undefined, []]);
  });

  describe('of a key that was withdrawn', () => {
    const [issuedAt, endOfValidity, now] = [NOW, later(180), later(5)];
    const signed = { keyId: 'order-key', sealedBarcode: Buffer.from('1'), pdfKey: 'tickets/1.pdf' };
    const signedBy = (signingKeyId?: number): TicketGroup => {
      const group = groupOf(order);
      const own = signingKeyId === undefined ? signed : { ...signed, signingKeyId };
      const used = { usedAt: later(1), usedLegIds: ['leg-1'] };
      const ticketDistributions = group.ticketDistributions.map((each) => ({
        ...{ ...each, ...used, endOfValidity, issuedAt, signed: own },
      }));
      return { ...group, ticketDistributions };
    };
    const order = seated();
    const key = (keyId: number, validTo: Date, validFrom = later(-60)) => ({
      ...{ issuerCode: 9_901, keyId, validFrom, validTo },
    });
    const isReplaced = (group: TicketGroup, ...keys: readonly KeyValidity[]) =>
      hasEffect(group, follow(group, order, keys));

    it('are not taken for those of another issuer, whose key has the same number', () => {
      const group = signedBy(7);
      const ticketDistributions = group.ticketDistributions.map((each) => ({
        ...each,
        signed: { ...signed, signingKeyId: 7, signingIssuerCode: 9_902 },
      }));
      const other = { ...group, ticketDistributions };
      const [ofFirst, ofSecond] = [key(7, now), { ...key(7, now), issuerCode: 9_902 }];
      assert.equal(isReplaced(other, ofFirst), false);
      assert.equal(isReplaced(other, ofFirst, ofSecond), true);
      // A ticket that does not tell its issuer may be of either.
      assert.equal(isReplaced(group, ofSecond), true);
    });

    it('get successors once, which say the same and keep their use', () => {
      const before = signedBy(7);
      const keys = [key(7, now), key(8, later(1_000))];
      const { group, events } = follow(before, order, keys);
      const [old, successor] = group.ticketDistributions;
      assert.ok(old && successor);
      assert.deepEqual([old.status, old.revokedAt, old.replacedBy], ['REPLACED', now, successor.id]);
      const { id: _id, status, issuedAt: _at, replaces, distributionDetails: _details, ...said } = successor;
      const {
        id,
        status: _status,
        issuedAt: _then,
        signed: _signed,
        distributionDetails: _,
        ...saidBefore
      } = theTicket(before);
      assert.deepEqual([status, replaces, said], ['DISTRIBUTING', id, saidBefore]);
      assert.deepEqual(
        events.map(({ type }) => type),
        ['TicketDistributionDisabled', 'TicketDistributionGenerated'],
      );
      assert.equal(hasEffect(group, follow(group, order, keys)), false);
    });

    it('stay with a key that ends after them, and with one that is not listed', () => {
      assert.equal(isReplaced(signedBy(7), key(7, endOfValidity)), false);
      assert.equal(isReplaced(signedBy(7), key(6, now), key(8, later(1_000))), false);
      assert.equal(isReplaced(signedBy(7), key(7, later(179))), true);
    });

    it('stay when they have ended, are disabled or have no signature', () => {
      const ended = signedBy(7);
      const past = ended.ticketDistributions.map((each) => ({ ...each, endOfValidity: now }));
      assert.equal(isReplaced({ ...ended, ticketDistributions: past }, key(7, later(1))), false);
      const { group: disabled } = disableTickets(signedBy(7), { reason: 'REFUNDED' }, NOW);
      assert.equal(isReplaced(disabled, key(7, later(1))), false);
      assert.equal(isReplaced(groupOf(order), key(7, later(1))), false);
    });

    it('whose key is not known follow each key that was valid at their issue', () => {
      assert.equal(isReplaced(signedBy(), key(7, later(1))), true);
      assert.equal(isReplaced(signedBy(), key(7, issuedAt)), false);
      assert.equal(isReplaced(signedBy(), key(7, later(2), later(1))), false);
      assert.equal(isReplaced(signedBy(), key(7, endOfValidity)), false);
    });
  });

  it('follow another contact of the order, and stay the same', () => {
    const order = seated();
    const change = follow(groupOf(order), { ...order, contact: BERIT });
    assert.deepEqual([change.group.orderOwnerCustomerId, change.events], [BERIT, []]);
    assert.equal(change.group.ticketDistributions.length, 1);
    assert.equal(hasEffect(change.group, follow(change.group, { ...order, contact: BERIT })), false);
  });

  it('that a refund has disabled stay so while the line stays', () => {
    const order = seated();
    const { group } = disableTickets(groupOf(order), { reason: 'REFUNDED', disabledBy: 'refund/1' }, NOW);
    assert.equal(
      hasEffect(
        group,
        follow(
          group,
          nextVersion(order, () => ({})),
        ),
      ),
      false,
    );
    assert.equal(theTicket(follow(group, changedLine(order, {})).group).status, 'DISTRIBUTING');
  });

  it('that a refund has disabled stay so when it fails, once the line was given others: of that product or of another one', () => {
    const order = seated();
    for (const change of [{}, { fareProducts: [{ ...order.orderLines[0]?.fareProducts[0], id: 'OTHER' }] }]) {
      const by = { reason: 'REFUNDED', disabledBy: 'refund/1' } as const;
      // The tickets of version 2 are issued late: the refund has found those of version 1.
      const found = disableTickets(groupOf(order), by, NOW).group;
      const late = follow(found, changedLine(order, change as Partial<OrderLine>)).group;
      const statuses = (group: TicketGroup) => group.ticketDistributions.map(({ status }) => status);
      assert.deepEqual(statuses(restoreTickets(late, by, NOW).group), ['DISABLED', 'DISTRIBUTING']);
      // It disables the new ones too, before its credit.
      const all = disableTickets(late, by, NOW).group;
      assert.deepEqual(statuses(all), ['DISABLED', 'DISABLED']);
      assert.deepEqual(statuses(restoreTickets(all, by, NOW).group), ['DISABLED', 'DISTRIBUTING']);
    }
  });

  it('that are two of one product come back both', () => {
    const traveller = sampleTraveller();
    const line = sampleLine({ traveller });
    const [product] = line.fareProducts;
    const order = soldOrder({
      travellers: [traveller],
      lines: [{ ...line, fareProducts: product ? [product, product] : assert.fail() }],
    });
    const by = { reason: 'REFUNDED', disabledBy: 'refund/1' } as const;
    const { group } = restoreTickets(disableTickets(groupOf(order), by, NOW).group, by, NOW);
    assert.deepEqual(
      group.ticketDistributions.map(({ status }) => status),
      ['GENERATED', 'GENERATED'],
    );
  });
});

describe('the verification of a sale', () => {
  const faultsOf = (order: Order, version = order.confirmed as ConfirmedVersion) =>
    verifySale(order, version, NOW).map(({ fault }) => fault);
  const withLine = (order: Order, change: (line: OrderLine) => Partial<OrderLine>) => {
    const orderLines = order.orderLines.map((line) => ({ ...line, ...change(line) }));
    return { ...(order.confirmed as ConfirmedVersion), orderLines };
  };
  const withTravel = (order: Order, travel: Partial<OrderLine['travelSpecification']>) =>
    withLine(order, ({ travelSpecification }) => ({ travelSpecification: { ...travelSpecification, ...travel } }));
  const withSeat = (order: Order, seat: object) => {
    const version = order.confirmed as ConfirmedVersion;
    return { ...version, reservations: version.reservations.map((each) => ({ ...each, ...seat })) };
  };

  it('finds nothing in what was sold', () => {
    assert.deepEqual(faultsOf(seated()), []);
    assert.deepEqual(faultsOf(soldOrder()), []);
  });

  it('compares the price with the products and with the money', () => {
    const order = seated();
    const cheaper = withLine(order, ({ price }) => ({ price: { ...price, amountMinor: price.amountMinor - 1 } }));
    assert.deepEqual(faultsOf(order, cheaper), ['PRODUCTS_AND_PRICE_DIFFER']);
    const taxed = withLine(order, ({ price }) => ({ price: { ...price, taxMinor: 0 } }));
    assert.deepEqual(faultsOf(order, taxed), ['PRODUCTS_AND_PRICE_DIFFER']);
    const unpaid = { ...order, money: { capturedMinor: 9_999, creditedMinor: 0 } };
    assert.deepEqual(faultsOf(unpaid), ['NOT_PAID']);
    assert.deepEqual(faultsOf({ ...order, money: { capturedMinor: 10_001, creditedMinor: 2 } }), ['NOT_PAID']);
    // A second payment is credited in a moment.
    assert.deepEqual(faultsOf({ ...order, money: { capturedMinor: 20_000, creditedMinor: 0 } }), []);
  });

  it('lets a draft owe and be paid, and a refund run', () => {
    const order = seated();
    const draft = { ...order, status: 'DRAFT' as const, version: 2 };
    assert.deepEqual(faultsOf(draft), []);
    assert.deepEqual(faultsOf({ ...draft, money: { capturedMinor: 15_000, creditedMinor: 0 } }), []);
    // It is about to be confirmed, and its money is back.
    assert.deepEqual(faultsOf({ ...draft, money: { capturedMinor: 10_000, creditedMinor: 3_000 } }), []);
    const lock = { owner: 'refund/1', since: NOW };
    assert.deepEqual(faultsOf({ ...order, lock, money: { capturedMinor: 10_000, creditedMinor: 3_000 } }), []);
  });

  it('judges a sold version by its own money, whatever its draft and versions before have taken', () => {
    const order = seated();
    const dearer = withLine(order, ({ price, fareProducts: [product = assert.fail(), ...others] }) => {
      const raised = { ...price, amountMinor: price.amountMinor + 1 };
      return { price: raised, fareProducts: [{ ...product, price: raised }, ...others] };
    });
    const draft = {
      ...order,
      status: 'DRAFT' as const,
      version: 2,
      money: { capturedMinor: 15_000, creditedMinor: 0 },
    };
    assert.deepEqual(faultsOf(draft, dearer), ['NOT_PAID']);
    const lock = { owner: 'refund/1', since: NOW };
    assert.deepEqual(faultsOf({ ...draft, status: 'CONFIRMED', version: 1, lock }, dearer), ['NOT_PAID']);
    const { paidMinor: _paid, ...before } = draft;
    assert.deepEqual(faultsOf(before, dearer), []);
    assert.deepEqual(faultsOf({ ...before, money: { capturedMinor: 10_000, creditedMinor: 0 } }, dearer), ['NOT_PAID']);
  });

  const [leg] = seated().orderLines[0]?.travelSpecification.legs ?? [];
  assert.ok(leg);
  const at = (start: number, end: number) => ({ ...leg, expectedStartTime: later(start), expectedEndTime: later(end) });
  const planned = (minutes: number) => ({ stopPlaceId: 'A', name: 'A', departure: later(minutes) });
  const travels: readonly [string, Partial<OrderLine['travelSpecification']>, readonly string[]][] = [
    [
      'ends when it begins',
      { startOfValidity: later(90), endOfValidity: later(90) },
      ['VALIDITY_ENDS_BEFORE_IT_BEGINS'],
    ],
    ['begins after its ride', { startOfValidity: later(91) }, ['LEG_OUTSIDE_VALIDITY']],
    ['begins before its ride is planned', { startOfValidity: later(95), legs: [{ ...leg, calls: [planned(96)] }] }, []],
    ['ends before its ride', { endOfValidity: later(89) }, ['LEG_OUTSIDE_VALIDITY']],
    ['ends during its ride', { endOfValidity: later(91) }, []],
    ['has a ride that arrives before it departs', { legs: [at(90, 80)] }, ['LEGS_OUT_OF_ORDER']],
    [
      'has rides in the wrong order',
      { legs: [at(100, 110), { ...at(90, 95), legId: 'leg-2' }] },
      ['LEGS_OUT_OF_ORDER'],
    ],
    ['has a connection that a delay breaks', { legs: [at(90, 105), { ...at(100, 110), legId: 'leg-2' }] }, []],
  ];
  for (const [name, travel, expected] of travels) {
    it(`${expected.length > 0 ? 'refuses' : 'allows'} a ticket that ${name}`, () => {
      const order = seated();
      assert.deepEqual(faultsOf(order, withTravel(order, travel)), expected);
    });
  }

  it('refuses a ticket that ends later than any key is sure to sign, until its end is near enough', () => {
    const order = seated();
    const version = withTravel(order, { endOfValidity: later(400 * 24 * 60 + 1) });
    assert.deepEqual(faultsOf(order, version), ['VALIDITY_ENDS_TOO_LATE']);
    assert.deepEqual(verifySale(order, version, later(1)), []);
  });

  it('finds seats that belong elsewhere, are missing or taken twice', () => {
    const order = seated();
    const someone = sampleTraveller().id as TravellerId;
    assert.deepEqual(faultsOf(order, withSeat(order, { datedServiceJourneyId: 'other' })), ['SEAT_OF_ANOTHER_JOURNEY']);
    assert.deepEqual(faultsOf(order, withSeat(order, { legId: 'leg-9' })), [
      'SEAT_OF_ANOTHER_JOURNEY',
      'COMPULSORY_SEAT_MISSING',
    ]);
    assert.deepEqual(faultsOf(order, withSeat(order, { travellerId: someone })), [
      'SEAT_OF_ANOTHER_TRAVELLER',
      'COMPULSORY_SEAT_MISSING',
    ]);
    assert.deepEqual(faultsOf(order, { ...(order.confirmed as ConfirmedVersion), reservations: [] }), [
      'COMPULSORY_SEAT_MISSING',
    ]);
    const version = order.confirmed as ConfirmedVersion;
    const twice = withLine(order, ({ reservationIds }) => ({ reservationIds: [...reservationIds, ...reservationIds] }));
    const doubled = { ...twice, reservations: [...version.reservations, ...version.reservations] };
    assert.deepEqual(faultsOf(order, doubled), ['SEAT_TWICE']);
  });

  it('finds travellers that the order lacks', () => {
    const order = soldOrder();
    const unknown = withLine(order, () => ({ travellers: [{ travellerId: sampleTraveller().id }] }));
    assert.deepEqual(faultsOf(order, unknown), ['UNKNOWN_TRAVELLER']);
  });
});
