/** Products of lines that are written by hand, with their parts of the price. */
import type { Fares } from '../../activities/shared/fares.ts';
import type { LineProduct } from '../../workflows/orders/rules/order.ts';
import type { FareProduct } from '../../workflows/shared/fares.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import { sumOf } from '../../workflows/shared/money.ts';
import type { Price } from '../../workflows/shared/price.ts';
import { readPrice } from '../shared/prices.ts';
import type { Schemas } from './contract.gen.ts';
import { invalidMember } from './requests.ts';

type GivenPrice = Schemas['GivenPrice'];
type GivenProduct = Schemas['GivenProduct'];

export interface ProductOptions {
  readonly fares: Pick<Fares, 'products'>;
  readonly currency: string;
  /** JSON pointer of the line. */
  readonly pointer: string;
  /** Of the line that is written again: a product that it has keeps its carrier. */
  readonly before?: readonly LineProduct[] | undefined;
}

/** Not negative. Its tax is that of the rate that is given, else of the product. */
export function readLinePrice(
  given: GivenPrice,
  product: FareProduct | undefined,
  currency: string,
  pointer: string,
): Price {
  const isTaxed = given.taxRate !== undefined || given.taxAmount !== undefined;
  const taxed =
    isTaxed || !product
      ? given
      : { ...given, taxRate: product.tax.basisPoints / 100, taxCode: given.taxCode ?? product.tax.code };
  const price = readPrice(taxed, currency, pointer);
  if (price.amountMinor < 0) throw invalidMember(`${pointer}/amount`, 'MINIMUM', 'must not be negative');
  if (price.taxMinor < 0 || price.taxMinor > price.amountMinor) {
    throw invalidMember(`${pointer}/taxAmount`, 'RANGE', 'must be a part of the amount');
  }
  return price;
}

/** The parts add up to the price; one part may be left out. Throws VALIDATION_FAILED. */
export function readProducts(
  given: readonly GivenProduct[],
  price: Price,
  options: ProductOptions,
): readonly LineProduct[] {
  const { currency, pointer, fares, before = [] } = options;
  const parts = given.map(({ id, priceContribution }, at) => {
    const product = fares.products.get(id);
    const place = `${pointer}/fareProducts/${at}/priceContribution`;
    return priceContribution && readLinePrice(priceContribution, product, currency, place);
  });
  const missing = parts.filter((part) => part === undefined).length;
  if (missing > 1) throw invalidMember(`${pointer}/fareProducts`, 'REQUIRED', 'may lack one price contribution');
  const rest = restOf(price, parts);
  if (missing === 1 ? rest.amountMinor < 0 : given.length > 0 && (rest.amountMinor !== 0 || rest.taxMinor !== 0)) {
    throw invalidMember(`${pointer}/fareProducts`, 'SUM', 'must have contributions that add up to the price', 422);
  }
  return given.map(({ id, version, kind, selectableId }, at) => {
    const product = fares.products.get(id);
    const sold = before.find((each) => each.id === id);
    const { carrierOrganisationId } = sold ?? product ?? {};
    return {
      id,
      version: version ?? product?.version ?? 1,
      kind: product?.kind ?? kind ?? 'PREASSIGNED',
      ...(selectableId !== undefined && { selectableId }),
      ...(sold?.isCompulsory !== undefined && { isCompulsory: sold.isCompulsory }),
      ...(carrierOrganisationId !== undefined && { carrierOrganisationId }),
      price: parts[at] ?? rest,
    };
  });
}

function restOf(price: Price, parts: readonly (Price | undefined)[]): Price {
  const given = parts.filter((part) => part !== undefined);
  return {
    ...price,
    amountMinor: price.amountMinor - sumOf(given.map(({ amountMinor }) => amountMinor)),
    taxMinor: price.taxMinor - sumOf(given.map(({ taxMinor }) => taxMinor)),
  };
}

/** Throws VALIDATION_FAILED (422). A line that is sent back as it was sold may have them: channels sell others' products. */
export function assertOwnProducts(
  given: readonly GivenProduct[],
  { fares, organisationId, pointer }: Pick<ProductOptions, 'fares' | 'pointer'> & { organisationId: OrganisationId },
): void {
  const at = given.findIndex(({ id }) => {
    const product = fares.products.get(id);
    return product !== undefined && product.organisationId !== organisationId;
  });
  if (at < 0) return;
  throw invalidMember(
    `${pointer}/fareProducts/${at}/id`,
    'FOREIGN_PRODUCT',
    'is a product of another organisation',
    422,
  );
}
