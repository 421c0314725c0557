/** What a new line keeps of the lines that it replaces. */
import assert from 'node:assert/strict';
import type { OrderLine } from '../../../workflows/orders/rules/order.ts';
import { keepContent } from '../../../workflows/orders/rules/reserving/kept-content.ts';
import type { TravellerId } from '../../../workflows/shared/ids.ts';
import { NOW, offer, plan, supplement } from './samples.ts';

const SEAT = supplement('SEAT', 50, { modifiesSeating: true, reservesSeat: true });
const MEAL = supplement('MEAL', 79);

describe('the supplements of replaced lines', () => {
  const supplements = [SEAT, MEAL];
  const sold = (id: string): OrderLine => {
    const [planned = assert.fail()] = plan(offer({ supplements }), { selectableProductIds: ['SEAT', 'MEAL'] }).lines;
    const state = { version: 1, status: 'CONFIRMED', createdAt: NOW } as const;
    return { ...planned.line, ...state, id: id as OrderLine['id'], refundedShareMinor: 0, refundedAmountMinor: 0 };
  };

  it('go to one new line, whose travellers have one seat each', () => {
    const replaced = [sold('one'), sold('other')];
    const travellerIds = replaced.flatMap(({ travellers }) => travellers.map(({ travellerId }) => travellerId));
    assert.equal(new Set<TravellerId>(travellerIds).size, 1);
    const keep = keepContent(offer({ supplements }), {
      ...{ replaced, products: new Map(), keepsSupplements: true, pointer: '/changeOfferConfigurations/0' },
    });
    assert.deepEqual(keep(travellerIds).selectableProductIds, ['SEAT', 'MEAL', 'MEAL']);
    assert.deepEqual(keep(travellerIds).selectableProductIds, []);
  });
});
