/** Whether a line that is written by hand has the prices of the catalogue. Pure. */
import { amountOf, findPrice, type PricedTravel } from '../../offers/rules/price-basis.ts';
import type { FareTable } from '../../offers/rules/wanted-travel.ts';
import type { FareProduct } from '../../shared/fares.ts';
import { containedTax, sumOf } from '../../shared/money.ts';
import { ServiceError } from '../../shared/service-error.ts';
import type { NewLine } from './lines.ts';
import type { OrderTraveller } from './order.ts';
import { unknownTraveller } from './travellers.ts';

export interface WrittenPrice {
  readonly line: Pick<NewLine, 'id' | 'price' | 'fareProducts' | 'travellers'>;
  readonly travel: PricedTravel;
  readonly travellers: readonly OrderTraveller[];
  readonly fares: Pick<FareTable, 'products' | 'prices'>;
}

/** Throws PRICE_MISMATCH, also where the catalogue has no price for it, and UNKNOWN_TRAVELLER. */
export function assertCataloguePrice(written: WrittenPrice): void {
  const { line, fares } = written;
  const products = line.fareProducts.map(({ id }) => fares.products.get(id) ?? mismatch(`${id} is no product`));
  const fare = products.find(({ kind }) => kind === 'PREASSIGNED');
  if (fare?.kind !== 'PREASSIGNED') throw mismatch('the line has no fare');
  const ids = new Set(products.map(({ id }) => id));
  const missing = fare.compulsorySupplements.find((id) => !ids.has(id));
  if (missing !== undefined) throw mismatch(`the line lacks the compulsory supplement ${missing}`);
  const userTypes = (fare.group ?? fare.compartment) ? [undefined] : userTypesOf(written);
  const expected = products.map((product) => priceOf(product, userTypes, written));
  for (const [at, { amountMinor, taxMinor }] of expected.entries()) {
    const given = line.fareProducts[at]?.price;
    if (given?.amountMinor !== amountMinor || given.taxMinor !== taxMinor) {
      throw mismatch(`${products[at]?.id} costs another amount`);
    }
  }
  if (sumOf(expected.map(({ amountMinor }) => amountMinor)) !== line.price.amountMinor)
    throw mismatch('the sum differs');
}

function priceOf(
  product: FareProduct,
  userTypes: readonly (string | undefined)[],
  { fares, travel }: WrittenPrice,
): { readonly amountMinor: number; readonly taxMinor: number } {
  const amounts = userTypes.map((userType) => {
    const found = findPrice(fares.prices.get(product.id) ?? [], userType);
    const amount = found && amountOf(found.basis, travel);
    return amount && 'amountMinor' in amount ? amount.amountMinor : mismatch(`${product.id} has no price for this`);
  });
  const amountMinor = sumOf(amounts);
  return { amountMinor, taxMinor: containedTax(amountMinor, product.tax.basisPoints) };
}

function userTypesOf({ line, travellers }: WrittenPrice): readonly string[] {
  const byId = new Map(travellers.map((traveller) => [traveller.id, traveller.userTypeId]));
  return line.travellers.map(({ travellerId }) => {
    const userType = byId.get(travellerId);
    if (userType === undefined) throw unknownTraveller();
    return userType;
  });
}

function mismatch(why: string): never {
  throw new ServiceError(
    'PRICE_MISMATCH',
    `Prices that differ from the catalogue need the scope orders:price: ${why}.`,
  );
}
