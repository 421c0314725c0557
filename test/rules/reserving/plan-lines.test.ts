/** Which lines, travellers and seats are made of an offer. */
import assert from 'node:assert/strict';
import type { Offer, OfferedSeating } from '../../../workflows/offers/rules/offer.ts';
import type { WantedOffer } from '../../../workflows/orders/rules/reserving/wanted-offer.ts';
import type { CustomerNumber, TravellerId } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { adults, emptyOrder, offer, plan, price, supplement } from './samples.ts';

const CUSTOMER = '7340021956' as CustomerNumber;
const SEAT: OfferedSeating = {
  ...{
    legId: 'leg-1',
    seatReservation: 'COMPULSORY',
    seatPlanId: 'P',
    accommodation: 'SEATING',
    wholeCompartment: false,
  },
};
const PARTY: Partial<Offer> = { isPerParty: true, party: { minTravellers: 2, maxTravellers: 3 } };

function refused(code: string, of: Offer, want: Partial<WantedOffer> = {}): void {
  assert.throws(
    () => plan(of, want),
    (error: unknown) => error instanceof ServiceError && error.code === code,
  );
}

describe('lines of an offer', () => {
  it('are one for each traveller', () => {
    const { lines, travellers } = plan(offer({ travellers: adults('t1', 't2') }));
    assert.equal(lines.length, 2);
    assert.equal(new Set(lines.map(({ line }) => line.travellers[0]?.travellerId)).size, 2);
    assert.deepEqual(
      travellers.map(({ userTypeId }) => userTypeId),
      ['ADULT', 'ADULT'],
    );
  });

  it('are for the selected travellers alone', () => {
    const { lines } = plan(offer({ travellers: adults('t1', 't2') }), { selectedTravellerIds: ['t2'] });
    assert.deepEqual(
      lines.map(({ line }) => line.travellers.map(({ travellerId }) => travellerId)),
      [['order/traveller/t2/ADULT//']],
    );
  });

  it('are one for a party', () => {
    const { lines } = plan(offer({ ...PARTY, travellers: adults('t1', 't2', 't3') }));
    assert.deepEqual(
      lines.map(({ line }) => line.travellers.length),
      [3],
    );
  });

  it('are as many as are counted, for the travellers in turn', () => {
    const { lines } = plan(offer({ travellers: adults('t1', 't2') }), { lineCount: 3 });
    const ids = lines.map(({ line }) => line.travellers[0]?.travellerId);
    assert.equal(ids.length, 3);
    assert.equal(ids[0], ids[2]);
    assert.equal(new Set(lines.map(({ line }) => line.id)).size, 3);
  });

  it('cost the total price and the chosen supplements, however often they are chosen', () => {
    const of = offer({
      totalPrice: price(120),
      supplements: [supplement('BOOKING', 20, { isCompulsory: true }), supplement('MEAL', 55)],
    });
    const { lines } = plan(of, { selectableProductIds: ['MEAL', 'BOOKING', 'SINGLE', 'MEAL'] });
    assert.equal(lines[0]?.line.price.amountMinor, 23_000);
    assert.deepEqual(
      lines[0]?.line.fareProducts.map(({ id }) => id),
      ['SINGLE', 'BOOKING', 'MEAL', 'MEAL'],
    );
    const parts = lines[0]?.line.fareProducts.map((product) => product.price.amountMinor) ?? [];
    assert.equal(
      parts.reduce((sum, part) => sum + part, 0),
      23_000,
    );
  });

  it('have the terms of their product', () => {
    const { line } = plan(offer()).lines[0] ?? assert.fail();
    assert.deepEqual([line.refundRuleSetId, line.changeRuleSetId, line.transferable], ['REFUND', 'CHANGE', true]);
  });

  it('keep the zones of the offer with their names', () => {
    const area = { zoneIds: ['RUT:FareZone:1', 'RUT:FareZone:2'], zoneNames: ['Sone 1', 'Sone 2'] };
    const { lines } = plan(offer({ geographicalValidity: area }));
    const { zones, zoneNames } = lines[0]?.line.travelSpecification ?? {};
    assert.deepEqual([zones, zoneNames], [area.zoneIds, area.zoneNames]);
  });

  it('refuse a traveller that is not in the offer', () => {
    refused('TRAVELLER_NOT_IN_OFFER', offer(), { selectedTravellerIds: ['t2'] });
    refused('TRAVELLER_NOT_IN_OFFER', offer(), {
      customers: [{ entitlementIds: [] }, { entitlementIds: [] }],
    });
  });

  for (const size of [1, 4]) {
    it(`refuse a party of ${size} where 2 to 3 may travel`, () => {
      const travellers = adults(...Array.from({ length: 4 }, (_, at) => `t${at}`));
      const selectedTravellerIds = travellers.slice(0, size).map(({ id }) => id);
      refused('COMPARTMENT_SIZE', offer({ ...PARTY, travellers }), { selectedTravellerIds });
      const seating = [{ legId: 'leg-1', wholeCompartment: true }] as unknown as Offer['seating'];
      refused('COMPARTMENT_SIZE', offer({ ...PARTY, travellers, seating }), { selectedTravellerIds });
    });
  }

  describe('that choose a seat', () => {
    const seat = { modifiesSeating: true, reservesSeat: true };
    const of = offer({
      supplements: [
        supplement('SEAT', 49, seat),
        supplement('WINDOW', 69, { ...seat, seatFacility: 'WINDOW' }),
        supplement('SEAT_AT_TABLE', 39, { modifiesSeating: true, seatFacility: 'TABLE' }),
        supplement('QUIET', 29, { modifiesSeating: true, seatFacility: 'QUIET_ZONE' }),
      ],
    });

    for (const [pair, named] of [
      [['WINDOW', 'SEAT'], 'WINDOW and SEAT,'],
      [['SEAT', 'SEAT'], 'SEAT twice,'],
      [['QUIET', 'SEAT_AT_TABLE', 'QUIET'], 'QUIET twice,'],
    ] as const) {
      it(`refuse ${pair.join(' beside ')}`, () => {
        assert.throws(
          () => plan(of, { selectableProductIds: pair }),
          (error: unknown) =>
            error instanceof ServiceError &&
            error.status === 422 &&
            error.errors?.[0]?.code === 'SAME_SEAT' &&
            error.errors[0].pointer === '/offerConfigurations/0/selectableProductIds' &&
            error.message.includes(named),
        );
      });
    }

    it('refuse one beside a compulsory one', () => {
      const given = [supplement('SEAT', 49, { ...seat, isCompulsory: true }), supplement('WINDOW', 69, seat)];
      const table = supplement('SEAT_AT_TABLE', 39, { modifiesSeating: true, seatFacility: 'TABLE' });
      const withSeat = offer({ supplements: [...given, table] });
      assert.throws(
        () => plan(withSeat, { selectableProductIds: ['WINDOW'] }),
        (error: unknown) =>
          error instanceof ServiceError && /names WINDOW, but each line has SEAT.* leave it out/u.test(error.message),
      );
      assert.equal(plan(withSeat, { selectableProductIds: ['SEAT', 'SEAT_AT_TABLE'] }).lines.length, 1);
    });

    it('may combine what the one seat must have', () => {
      const { line } = plan(of, { selectableProductIds: ['SEAT', 'QUIET', 'SEAT_AT_TABLE'] }).lines[0] ?? assert.fail();
      assert.equal(line.price.amountMinor, 21_700);
    });
  });

  it('refuse a product that the offer lacks', () => {
    refused('VALIDATION_FAILED', offer(), { selectableProductIds: ['MEAL'] });
  });
});

describe('entitlements', () => {
  const of = offer({ travellers: adults('t1', 't2'), requiredEntitlements: ['STUDENT_CARD'] });
  const card = { entitlementIds: ['STUDENT_CARD'] };

  it('are kept for each traveller', () => {
    const { lines } = plan(of, { customers: [card, { ...card, customerNumber: CUSTOMER }] });
    assert.deepEqual(
      lines.map(({ line }) => line.travellers[0]?.entitlementIds),
      [['STUDENT_CARD'], ['STUDENT_CARD']],
    );
  });

  it('may be claimed for all at once', () => {
    assert.equal(plan(of, card).lines.length, 2);
  });

  it('are exactly those that the offer requires', () => {
    refused('ENTITLEMENT_MISMATCH', of);
    refused('ENTITLEMENT_MISMATCH', of, { customers: [card] });
    refused('ENTITLEMENT_MISMATCH', of, { entitlementIds: ['STUDENT_CARD', 'STAFF_CARD'] });
    refused('ENTITLEMENT_MISMATCH', offer(), card);
  });

  for (const [about, wanted, pointer, traveller] of [
    ['are missing', {}, 'customers/0/entitlements', 't1'],
    ['of the second are missing', { customers: [card] }, 'customers/1/entitlements', 't2'],
    [
      'of a customer are listed elsewhere now',
      { customers: [card, { entitlementIds: [], position: 4 }] },
      'customers/4/entitlements',
      't2',
    ],
    ['are wrong for all', { entitlementIds: ['STAFF_CARD'] }, 'entitlements', 't1'],
  ] as const) {
    it(`that ${about} are named with their traveller`, () => {
      assert.throws(
        () => plan(of, wanted),
        (error: unknown) =>
          error instanceof ServiceError &&
          error.errors?.[0]?.pointer === `/offerConfigurations/0/${pointer}` &&
          error.message.includes(`requires of traveller ${traveller}: STUDENT_CARD.`),
      );
    });
  }
});

describe('travellers of an offer', () => {
  const known = { id: 't1' as TravellerId, userTypeId: 'ADULT' };

  it('are those of the order when they have the same id', () => {
    const { travellers } = plan(offer(), {}, { ...emptyOrder(), travellers: [known] });
    assert.deepEqual(travellers, [known]);
  });

  it('become a customer when the request says so', () => {
    const want = { customers: [{ customerNumber: CUSTOMER, entitlementIds: [] }] };
    const { travellers } = plan(offer(), want, { ...emptyOrder(), travellers: [known] });
    assert.deepEqual(travellers, [{ ...known, customerNumber: CUSTOMER }]);
  });

  it('are new when the one with their id is someone else', () => {
    const child = { ...known, userTypeId: 'CHILD' };
    const { travellers } = plan(offer(), {}, { ...emptyOrder(), travellers: [child] });
    assert.notEqual(travellers[0]?.id, known.id);
  });
});

describe('seats of an offer', () => {
  const seated = offer({ travellers: adults('t1', 't2'), seating: [SEAT] });

  it('are one for each traveller on a train with compulsory seats', () => {
    const { lines } = plan(seated);
    assert.deepEqual(
      lines.map(({ seats }) => seats.map(({ places }) => places.length)),
      [[1], [1]],
    );
    assert.deepEqual(lines[0]?.line.reservationIds, ['work/reservation/0/0/leg-1/0']);
    assert.deepEqual(lines[0]?.line.compulsoryLegIds, ['leg-1']);
  });

  it('are none on another train without a supplement', () => {
    const optional = offer({ seating: [{ ...SEAT, seatReservation: 'OPTIONAL' }] });
    assert.deepEqual(plan(optional).lines[0]?.seats, []);
  });

  it('follow a supplement that takes a seat, and have what it asks for', () => {
    const window = supplement('WINDOW', 30, { modifiesSeating: true, reservesSeat: true, seatFacility: 'WINDOW' });
    const optional = offer({ seating: [{ ...SEAT, seatReservation: 'OPTIONAL' }], supplements: [window] });
    const [seats] = plan(optional, { selectableProductIds: ['WINDOW'] }).lines[0]?.seats ?? [];
    assert.deepEqual(seats?.facilities, ['WINDOW']);
    assert.equal(seats?.isCompulsory, false);
  });

  it('are a compartment for a party', () => {
    const berth: OfferedSeating = {
      ...SEAT,
      seatReservation: 'OPTIONAL',
      accommodation: 'SLEEPER',
      wholeCompartment: true,
    };
    const { lines } = plan(offer({ ...PARTY, travellers: adults('t1', 't2'), seating: [berth] }));
    const [seats] = lines[0]?.seats ?? [];
    assert.deepEqual([seats?.wholeCompartment, seats?.places.length], [true, 2]);
    assert.deepEqual(lines[0]?.line.compulsoryLegIds, ['leg-1']);
  });
});
