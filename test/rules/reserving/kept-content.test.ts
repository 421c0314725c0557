/** What a new line keeps of the lines that it replaces. */
import assert from 'node:assert/strict';
import type { OrderLine } from '../../../workflows/orders/rules/order.ts';
import { keepContent } from '../../../workflows/orders/rules/reserving/kept-content.ts';
import type { FareProduct } from '../../../workflows/shared/fares.ts';
import type { TravellerId } from '../../../workflows/shared/ids.ts';
import type { ServiceError } from '../../../workflows/shared/service-error.ts';
import { NOW, offer, plan, price, supplement } from './samples.ts';

const SEAT = supplement('SEAT', 50, { modifiesSeating: true, reservesSeat: true });
const MEAL = supplement('MEAL', 79);

describe('the supplements of replaced lines', () => {
  const supplements = [SEAT, MEAL];
  const sold = (id: string): OrderLine => {
    const [planned = assert.fail()] = plan(offer({ supplements }), { selectableProductIds: ['SEAT', 'MEAL'] }).lines;
    const state = { version: 1, status: 'CONFIRMED', createdAt: NOW } as const;
    return { ...planned.line, ...state, id: id as OrderLine['id'], refundedShareMinor: 0, refundedAmountMinor: 0 };
  };

  const facts = { products: new Map(), keepsSupplements: true, pointer: '/changeOfferConfigurations/0' };

  it('go to one new line, whose travellers have one seat each: a second one for the seat is refused', () => {
    const replaced = [sold('one'), sold('other')];
    const travellerIds = replaced.flatMap(({ travellers }) => travellers.map(({ travellerId }) => travellerId));
    assert.equal(new Set<TravellerId>(travellerIds).size, 1);
    const content = keepContent(offer({ supplements }), { ...facts, replaced });
    assert.deepEqual(content.keep(travellerIds).selectableProductIds, ['SEAT', 'MEAL', 'MEAL']);
    assert.throws(content.assertAllKept, ({ code, message, errors }: ServiceError) => {
      assert.equal(code, 'VALIDATION_FAILED');
      assert.match(message, /Left: SEAT\. Name the supplements/);
      assert.deepEqual(
        errors?.map((each) => [each.pointer, each.code]),
        [['/changeOfferConfigurations/0/selectableProductIds', 'SAME_SEAT']],
      );
      return true;
    });
    const chosen = keepContent(offer({ supplements }), { ...facts, replaced, keepsSupplements: false });
    chosen.keep(travellerIds);
    chosen.assertAllKept();
  });

  it('of a line without travellers go to the first new line', () => {
    const ofNobody = { ...sold('written'), travellers: [], externalReference: 'by hand' };
    const content = keepContent(offer({ supplements }), { ...facts, replaced: [ofNobody] });
    const travellerIds = sold('one').travellers.map(({ travellerId }) => travellerId);
    assert.deepEqual(content.keep(travellerIds), {
      externalReference: 'by hand',
      selectableProductIds: ['SEAT', 'MEAL'],
    });
    content.assertAllKept();
    assert.deepEqual(content.keep(travellerIds).selectableProductIds, []);
  });

  it('that reserve different seats go to the lines of their travellers', () => {
    const WINDOW = supplement('WINDOW', 69, { modifiesSeating: true, reservesSeat: true, seatFacility: 'WINDOW' });
    const both = offer({ supplements: [SEAT, WINDOW, MEAL] });
    const line = (id: string, supplementId: string, ...travellers: string[]): OrderLine => {
      const made = sold(id);
      const fareProducts = made.fareProducts.filter(({ kind }) => kind === 'PREASSIGNED');
      const product = {
        id: supplementId,
        version: 1,
        kind: 'SUPPLEMENT',
        price: price(10),
        isCompulsory: false,
      } as const;
      const ofLine = travellers.map((travellerId) => ({ travellerId: travellerId as TravellerId }));
      return { ...made, fareProducts: [...fareProducts, product], travellers: ofLine };
    };
    const keepOf = (...replaced: OrderLine[]) => {
      const { keep } = keepContent(both, { ...facts, replaced });
      return (...travellers: string[]) => keep(travellers as TravellerId[]).selectableProductIds;
    };
    const shared = keepOf(line('shared', 'SEAT', 'a', 'b'), line('own', 'WINDOW', 'b'));
    assert.deepEqual([shared('b'), shared('a')], [['WINDOW'], ['SEAT']]);
    const joined = keepOf(line('first', 'SEAT', 'a'), line('second', 'WINDOW', 'b'));
    assert.deepEqual(joined('a', 'b'), ['SEAT'], 'one line has one of them');
  });

  it('are those that were chosen when the line was sold, whatever the catalogue makes compulsory since', () => {
    const single = {
      ...{ id: 'SINGLE', kind: 'PREASSIGNED', compulsorySupplements: ['MEAL'] },
    } as unknown as FareProduct;
    const products = new Map([['SINGLE', single]]);
    const keepOf = (line: OrderLine) => {
      const of = offer({ supplements: [SEAT, MEAL] });
      const { keep } = keepContent(of, { ...facts, replaced: [line], products });
      return keep(line.travellers.map(({ travellerId }) => travellerId)).selectableProductIds;
    };
    assert.deepEqual(keepOf(sold('chosen')), ['SEAT', 'MEAL']);
    const [compulsory = assert.fail()] = plan(offer({ supplements: [{ ...SEAT, isCompulsory: true }] })).lines;
    assert.deepEqual(keepOf({ ...sold('given'), ...compulsory.line }), []);
    const older = sold('older');
    const fareProducts = older.fareProducts.map(({ isCompulsory: _unknown, ...product }) => product);
    assert.deepEqual(keepOf({ ...older, fareProducts }), ['SEAT'], 'the catalogue tells of lines that do not');
  });
});
