/** Whether a line that is written by hand has the prices of the catalogue, for what its terms count. Pure. */
import { amountOf, findPrice, type PricedTravel } from '../../offers/rules/price-basis.ts';
import type { FareTable } from '../../offers/rules/wanted-travel.ts';
import type { FareProduct, PreassignedProduct } from '../../shared/fares.ts';
import { containedTax, sumOf } from '../../shared/money.ts';
import { ServiceError } from '../../shared/service-error.ts';
import type { NewLine } from './lines.ts';
import type { OrderTraveller } from './order.ts';
import { unknownTraveller } from './travellers.ts';

export interface WrittenPrice {
  readonly line: Pick<NewLine, 'id' | 'price' | 'fareProducts' | 'travellers'>;
  /** What the price of the fare counts, once the line keeps to its terms. */
  readonly travelOf: (fare: PreassignedProduct) => PricedTravel;
  readonly travellers: readonly OrderTraveller[];
  /** That of the order. */
  readonly currency: string;
  readonly fares: Pick<FareTable, 'products' | 'prices'>;
}

/** Throws PRICE_MISMATCH, also where the catalogue has no price for it, and UNKNOWN_TRAVELLER. */
export function assertCataloguePrice(written: WrittenPrice): void {
  const { line, fares, currency } = written;
  const products = line.fareProducts.map(({ id }) => {
    const product = fares.products.get(id);
    if (!product) throw priceMismatch(`${id} is no product`);
    if (product.currency !== currency) throw priceMismatch(`${id} is sold in ${product.currency}`);
    return product;
  });
  const fare = fareOf(products);
  const userTypes = (fare.group ?? fare.compartment) ? [undefined] : userTypesOf(written);
  const travel = written.travelOf(fare);
  const expected = products.map((product) => priceOf(product, userTypes, fares, travel));
  for (const [at, { amountMinor, taxMinor }] of expected.entries()) {
    const given = line.fareProducts[at]?.price;
    if (given?.amountMinor !== amountMinor || given.taxMinor !== taxMinor) {
      throw priceMismatch(`${products[at]?.id} costs another amount`);
    }
  }
  if (sumOf(expected.map(({ amountMinor }) => amountMinor)) !== line.price.amountMinor)
    throw priceMismatch('the sum differs');
}

/** One fare, whose terms the line gets, with every supplement that it must have and none that it cannot have. */
function fareOf(products: readonly FareProduct[]): PreassignedProduct {
  const [fare, second] = products.filter((product) => product.kind === 'PREASSIGNED');
  if (!fare) throw priceMismatch('the line has no fare');
  if (second) throw priceMismatch(`${second.id} needs a line of its own`);
  const ids = new Set(products.map(({ id }) => id));
  const missing = fare.compulsorySupplements.find((id) => !ids.has(id));
  if (missing !== undefined) throw priceMismatch(`the line lacks the compulsory supplement ${missing}`);
  const possible = new Set([fare.id, ...fare.compulsorySupplements, ...fare.optionalSupplements]);
  const foreign = products.find(({ id }) => !possible.has(id));
  if (foreign) throw priceMismatch(`${foreign.id} is no supplement of ${fare.id}`);
  return fare;
}

function priceOf(
  product: FareProduct,
  userTypes: readonly (string | undefined)[],
  fares: WrittenPrice['fares'],
  travel: PricedTravel,
): { readonly amountMinor: number; readonly taxMinor: number } {
  const amounts = userTypes.map((userType) => {
    const found = findPrice(fares.prices.get(product.id) ?? [], userType);
    const amount = found && amountOf(found.basis, travel);
    if (!amount || !('amountMinor' in amount)) throw priceMismatch(`${product.id} has no price for this`);
    return amount.amountMinor;
  });
  const amountMinor = sumOf(amounts);
  return { amountMinor, taxMinor: containedTax(amountMinor, product.tax.basisPoints) };
}

function userTypesOf({ line, travellers }: WrittenPrice): readonly string[] {
  const byId = new Map(travellers.map((traveller) => [traveller.id, traveller.userTypeId]));
  return line.travellers.map(({ travellerId }) => {
    const userType = byId.get(travellerId);
    if (userType === undefined) throw unknownTraveller([travellerId]);
    return userType;
  });
}

export function priceMismatch(why: string): ServiceError {
  return new ServiceError(
    'PRICE_MISMATCH',
    `Prices and terms that differ from the catalogue need the scope orders:price: ${why}.`,
  );
}
