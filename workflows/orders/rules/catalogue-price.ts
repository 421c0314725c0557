/** Whether a line that is written by hand has the prices of the catalogue, for what its terms count. Pure. */
import { amountOf, findPrice, type PricedTravel } from '../../offers/rules/price-basis.ts';
import type { FareTable } from '../../offers/rules/wanted-travel.ts';
import type { FareProduct, PreassignedProduct } from '../../shared/fares.ts';
import { containedTax, formatAmount, sumOf } from '../../shared/money.ts';
import { ServiceError } from '../../shared/service-error.ts';
import type { NewLine } from './lines.ts';
import type { OrderTraveller } from './order.ts';
import { unknownTraveller } from './travellers.ts';

export interface WrittenPrice {
  /** JSON pointer of the line. */
  readonly pointer: string;
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
  const { line, fares, currency, pointer } = written;
  const products = line.fareProducts.map(({ id }, at) => {
    const product = fares.products.get(id);
    const place = `${pointer}/fareProducts/${at}/id`;
    if (!product) throw priceMismatch(place, `names no product of the catalogue: ${id}`);
    if (product.currency !== currency) throw priceMismatch(place, `is sold in ${product.currency}, not in ${currency}`);
    return product;
  });
  const fare = fareOf(products, `${pointer}/fareProducts`);
  const userTypes = (fare.group ?? fare.compartment) ? [undefined] : userTypesOf(written);
  const travel = written.travelOf(fare);
  const expected = products.map((product, at) =>
    priceOf(product, userTypes, { fares, travel, pointer: `${pointer}/fareProducts/${at}/id` }),
  );
  const asText = (amountMinor: number) => `${formatAmount(amountMinor, currency)} ${currency}`;
  for (const [at, { amountMinor, taxMinor }] of expected.entries()) {
    const given = line.fareProducts[at]?.price;
    if (given?.amountMinor === amountMinor && given.taxMinor === taxMinor) continue;
    const place = products.length === 1 ? 'price' : `fareProducts/${at}/priceContribution`;
    const why = `must be ${asText(amountMinor)} with ${asText(taxMinor)} of tax, which ${products[at]?.id} costs`;
    throw priceMismatch(`${pointer}/${place}`, why);
  }
  const sumMinor = sumOf(expected.map(({ amountMinor }) => amountMinor));
  if (sumMinor !== line.price.amountMinor) {
    throw priceMismatch(`${pointer}/price`, `must be ${asText(sumMinor)}, the sum of its products`);
  }
}

/** One fare, whose terms the line gets, with every supplement that it must have and none that it cannot have. */
function fareOf(products: readonly FareProduct[], pointer: string): PreassignedProduct {
  const idOf = (product: FareProduct) => `${pointer}/${products.indexOf(product)}/id`;
  const [fare, second] = products.filter((product) => product.kind === 'PREASSIGNED');
  if (!fare) throw priceMismatch(pointer, 'must have a fare, as a product of kind PREASSIGNED');
  if (second) throw priceMismatch(idOf(second), `is a second fare, which needs a line of its own: ${second.id}`);
  const ids = new Set(products.map(({ id }) => id));
  const missing = fare.compulsorySupplements.find((id) => !ids.has(id));
  if (missing !== undefined)
    throw priceMismatch(pointer, `must have the compulsory supplement ${missing} of ${fare.id}`);
  const possible = new Set([fare.id, ...fare.compulsorySupplements, ...fare.optionalSupplements]);
  const foreign = products.find(({ id }) => !possible.has(id));
  if (foreign) throw priceMismatch(idOf(foreign), `is no supplement of ${fare.id}: ${foreign.id}`);
  return fare;
}

interface PricedProduct extends Pick<WrittenPrice, 'fares' | 'pointer'> {
  readonly travel: PricedTravel;
}

function priceOf(
  product: FareProduct,
  userTypes: readonly (string | undefined)[],
  { fares, travel, pointer }: PricedProduct,
): { readonly amountMinor: number; readonly taxMinor: number } {
  const amounts = userTypes.map((userType) => {
    const found = findPrice(fares.prices.get(product.id) ?? [], userType);
    const amount = found && amountOf(found.basis, travel);
    if (!amount || !('amountMinor' in amount)) {
      const reason = amount?.reason ?? 'NO_PRICE_FOR_USER_TYPE';
      throw priceMismatch(pointer, `has no price for ${userType ?? 'the party'} on this travel: ${reason}`);
    }
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

/** `why` says what is expected of the member that the pointer names. */
export function priceMismatch(pointer: string, why: string): ServiceError {
  return new ServiceError(
    'PRICE_MISMATCH',
    `${pointer} ${why}. Correct it: prices and terms of one's own need the scope orders:price.`,
    { errors: [{ pointer, code: 'CATALOGUE', detail: why }] },
  );
}
