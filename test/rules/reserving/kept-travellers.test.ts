/** A change of lines keeps their travellers. */
import assert from 'node:assert/strict';
import type { Offer, SearchedTraveller } from '../../../workflows/offers/rules/offer.ts';
import type { OrderTraveller } from '../../../workflows/orders/rules/order.ts';
import { keepTravellers } from '../../../workflows/orders/rules/reserving/kept-travellers.ts';
import { derivedTravellerId } from '../../../workflows/orders/rules/reserving/order-travellers.ts';
import type { WantedOffer } from '../../../workflows/orders/rules/reserving/wanted-offer.ts';
import type { CustomerNumber } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { adults, IDS, offer, wanted } from './samples.ts';

const CUSTOMER = '7340021956' as CustomerNumber;

function searched(id: string, age?: number, userTypeId = 'ADULT'): SearchedTraveller {
  return { id, userTypeId, entitlementIds: [], ...(age !== undefined && { age }) };
}

/** As reserving an offer of a search with this traveller has added it. */
function onOrder(of: SearchedTraveller, customerNumber?: CustomerNumber): OrderTraveller {
  const { userTypeId, age } = of;
  const customer = customerNumber === undefined ? {} : { customerNumber };
  const id = derivedTravellerId({ searched: of, ...customer }, IDS);
  return { id, userTypeId, ...(age !== undefined && { age }), ...customer };
}

function keep(
  of: Offer,
  want: Partial<WantedOffer>,
  known: readonly OrderTraveller[],
  replaced: readonly OrderTraveller[] = known,
) {
  const replacedIds = replaced.map(({ id }) => id);
  const { kept, wanted: selected } = keepTravellers(of, wanted(want), { known, replacedIds, ids: IDS });
  assert.deepEqual([...kept.keys()], selected.selectedTravellerIds);
  return [...kept].map(([id, travellerId]) => [id, known.findIndex((each) => each.id === travellerId)]);
}

function refused(named: string, ...given: Parameters<typeof keep>): void {
  assert.throws(
    () => keep(...given),
    (error: unknown) =>
      error instanceof ServiceError && error.code === 'TRAVELLER_NOT_IN_OFFER' && error.message.includes(named),
  );
}

describe('travellers of changed lines', () => {
  const [a1, a2] = adults('a1', 'a2') as readonly [SearchedTraveller, SearchedTraveller];
  const known = [onOrder(a1), onOrder(a2)];
  const both = offer({ travellers: [a2, a1] });

  it('are found by the id of the search, in the order of the lines', () => {
    assert.deepEqual(keep(both, {}, known), [
      ['a1', 0],
      ['a2', 1],
    ]);
    assert.deepEqual(keep(both, {}, known, known.slice(1)), [['a2', 1]]);
  });

  it('are found by their customer', () => {
    const travellers = [onOrder(searched('x')), onOrder(searched('y'), CUSTOMER)];
    const customers = [{ customerNumber: CUSTOMER, entitlementIds: [] }];
    assert.deepEqual(keep(offer({ travellers: adults('p', 'q') }), { customers }, travellers), [
      ['q', 0],
      ['p', 1],
    ]);
    assert.deepEqual(keep(offer({ travellers: adults('q', 'p') }), { customers }, travellers, travellers.slice(1)), [
      ['q', 1],
    ]);
  });

  it('are found by user type and age otherwise', () => {
    const travellers = [onOrder(searched('x', 40)), onOrder(searched('y', 30))];
    const found = offer({ travellers: [searched('p', 30), searched('q', 40), searched('r', 50)] });
    assert.deepEqual(keep(found, {}, travellers), [
      ['q', 0],
      ['p', 1],
    ]);
  });

  it('are nobody else of the order, of the search, of another type or age', () => {
    refused('a1', both, { selectedTravellerIds: ['a1'] }, known, known.slice(1));
    refused('a1', both, { selectedTravellerIds: ['a1', 'a2'] }, known, known.slice(1));
    refused(known[1]?.id ?? '', offer({ travellers: [a1] }), {}, known, known.slice(1));
    refused('c', offer({ travellers: [searched('c', 10, 'CHILD')] }), { selectedTravellerIds: ['c'] }, known.slice(1));
    refused(known[0]?.id ?? '', offer({ travellers: [searched('c', 10, 'CHILD')] }), {}, known.slice(0, 1));
    refused('p', offer({ travellers: [searched('p', 41)] }), { selectedTravellerIds: ['p'] }, [
      onOrder(searched('x', 40)),
    ]);
  });

  it('are all of the replaced lines', () => {
    refused(known[1]?.id ?? '', both, { selectedTravellerIds: ['a1'] }, known);
  });
});
