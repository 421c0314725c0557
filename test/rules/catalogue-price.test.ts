/** Lines that are written by hand have the prices of the catalogue, unless their caller may set prices. */
import assert from 'node:assert/strict';
import type { FareTable } from '../../workflows/offers/rules/wanted-travel.ts';
import { assertCataloguePrice } from '../../workflows/orders/rules/catalogue-price.ts';
import type { OrderTraveller } from '../../workflows/orders/rules/order.ts';
import { totalPrice } from '../../workflows/shared/price.ts';
import { sampleLine, sampleTraveller } from '../support/sample-orders.ts';

const VAT = { code: 'VAT_LOW', basisPoints: 1_200 };
const MARKET = { tax: VAT, currency: 'NOK' };
const FARES = {
  products: new Map([
    ['SINGLE', { id: 'SINGLE', kind: 'PREASSIGNED', ...MARKET, compulsorySupplements: [], optionalSupplements: [] }],
    ['OTHER', { id: 'OTHER', kind: 'PREASSIGNED', ...MARKET, compulsorySupplements: [], optionalSupplements: [] }],
    ['DOG', { id: 'DOG', kind: 'SUPPLEMENT', ...MARKET }],
  ]),
  prices: new Map(
    ['SINGLE', 'OTHER', 'DOG'].map((id) => [id, [{ productId: id, basis: { kind: 'FLAT', amountMinor: 10_000 } }]]),
  ),
} as unknown as FareTable;

function check(
  amountMinor: number,
  traveller: OrderTraveller,
  travellers: readonly OrderTraveller[],
  currency = 'NOK',
  ...further: readonly string[]
): void {
  const plain = sampleLine({ amountMinor, traveller });
  const added = further.map((id) => ({ id, version: 1, kind: 'PREASSIGNED' as const, price: plain.price }));
  const fareProducts = [...plain.fareProducts, ...added];
  const line = { ...plain, fareProducts, price: totalPrice(fareProducts.map(({ price }) => price)) };
  assertCataloguePrice({ line, travelOf: () => ({}), travellers, fares: FARES, currency, pointer: '/orderLines/3' });
}

describe('the price of a line that is written by hand', () => {
  const traveller = sampleTraveller();

  it('is that of the catalogue', () => {
    check(10_000, traveller, [traveller]);
    assert.throws(() => check(9_999, traveller, [traveller]), { code: 'PRICE_MISMATCH' });
  });

  it('is in the currency of the order', () => {
    assert.throws(() => check(10_000, traveller, [traveller], 'EUR'), { code: 'PRICE_MISMATCH' });
  });

  it('is that of one fare, with supplements of it', () => {
    for (const id of ['OTHER', 'DOG']) {
      assert.throws(() => check(10_000, traveller, [traveller], 'NOK', id), { code: 'PRICE_MISMATCH' });
    }
  });

  it('is no matter for a traveller whom the order lacks', () => {
    assert.throws(() => check(10_000, traveller, [sampleTraveller()]), { code: 'UNKNOWN_TRAVELLER' });
  });
});
