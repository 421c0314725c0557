/** The price of a line, product by product: what the ledger and receipts enter. Pure. */
import { splitAmount, sumOf } from '../../shared/money.ts';
import { lineTaxMinor } from './amounts.ts';
import type { LineProduct, OrderLine } from './order.ts';

export type LinePart = Pick<LineProduct, 'price' | 'carrierOrganisationId'>;

/** The products of a line as they were priced; what refunds have left of it is split in proportion to them. */
export function partsOf(line: OrderLine): readonly LinePart[] {
  const { price, refundedShareMinor, fareProducts } = line;
  const amountMinor = price.amountMinor - refundedShareMinor;
  const taxMinor = lineTaxMinor(line);
  if (fareProducts.length === 0) return [{ price: { ...price, amountMinor, taxMinor } }];
  const prices = fareProducts.map((product) => product.price);
  const isAsPriced =
    sumOf(prices.map((each) => each.amountMinor)) === amountMinor &&
    sumOf(prices.map((each) => each.taxMinor)) === taxMinor;
  if (isAsPriced) return fareProducts;
  const amounts = splitAmount(
    amountMinor,
    prices.map((each) => each.amountMinor),
  );
  const taxes = splitAmount(
    taxMinor,
    prices.map((each) => each.taxMinor),
  );
  return fareProducts.map((product, at) => ({
    ...product,
    price: { ...product.price, amountMinor: amounts[at] ?? 0, taxMinor: taxes[at] ?? 0 },
  }));
}
