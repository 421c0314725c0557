/** Lines that are written by hand have the prices of the catalogue, unless their caller may set prices. */
import assert from 'node:assert/strict';
import type { FareTable } from '../../workflows/offers/rules/wanted-travel.ts';
import { assertCataloguePrice } from '../../workflows/orders/rules/catalogue-price.ts';
import type { OrderTraveller } from '../../workflows/orders/rules/order.ts';
import { sampleLine, sampleTraveller } from '../support/sample-orders.ts';

const VAT = { code: 'VAT_LOW', basisPoints: 1_200 };
const FARES = {
  products: new Map([['SINGLE', { id: 'SINGLE', kind: 'PREASSIGNED', tax: VAT, compulsorySupplements: [] }]]),
  prices: new Map([['SINGLE', [{ productId: 'SINGLE', basis: { kind: 'FLAT', amountMinor: 10_000 } }]]]),
} as unknown as FareTable;

function check(amountMinor: number, traveller: OrderTraveller, travellers: readonly OrderTraveller[]): void {
  assertCataloguePrice({ line: sampleLine({ amountMinor, traveller }), travel: {}, travellers, fares: FARES });
}

describe('the price of a line that is written by hand', () => {
  const traveller = sampleTraveller();

  it('is that of the catalogue', () => {
    check(10_000, traveller, [traveller]);
    assert.throws(() => check(9_999, traveller, [traveller]), { code: 'PRICE_MISMATCH' });
  });

  it('is no matter for a traveller whom the order lacks', () => {
    assert.throws(() => check(10_000, traveller, [sampleTraveller()]), { code: 'UNKNOWN_TRAVELLER' });
  });
});
