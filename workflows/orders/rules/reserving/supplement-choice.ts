/** Which supplements can be added to a line that exists, and at what price. Pure. */

import { refusalByChannel } from '../../../offers/rules/eligibility.ts';
import type { Offer } from '../../../offers/rules/offer.ts';
import { amountOf, findPrice } from '../../../offers/rules/price-basis.ts';
import type { FareTable } from '../../../offers/rules/wanted-travel.ts';
import type { PreassignedProduct, SupplementProduct } from '../../../shared/fares.ts';
import { type Price, priceWithTax } from '../../../shared/price.ts';
import { ServiceError } from '../../../shared/service-error.ts';
import type { LineProduct, Order, OrderLine } from '../order.ts';
import { lineProduct, namesOf, unknownProduct } from './chosen-products.ts';

export interface SupplementMarket {
  readonly fares: Pick<FareTable, 'products' | 'prices'>;
  /** The organisations whose products the order's channel sells. */
  readonly organisationIds: readonly number[];
  /** Of the line, while it may be bought: its prices are promised. */
  readonly offer?: Offer | undefined;
}

/** Throws SUPPLEMENT_MODIFIES_SEATING, and VALIDATION_FAILED (422) for what cannot be added to this line. */
export function chooseSupplement(
  order: Order,
  line: OrderLine,
  selectableId: string,
  market: SupplementMarket,
  pointer: string,
): LineProduct {
  const product = market.fares.products.get(selectableId);
  if (product?.kind !== 'SUPPLEMENT' || !isPossible(line, product, market)) {
    const names = namesOf(fareOf(line, market).flatMap(({ optionalSupplements }) => optionalSupplements));
    throw unknownProduct(selectableId, `the products of the line have these supplements: ${names}`, pointer);
  }
  if (isAboutSeats(product)) {
    throw new ServiceError(
      'SUPPLEMENT_MODIFIES_SEATING',
      `${selectableId} decides which seat is reserved, so it can only be chosen with the offer.`,
    );
  }
  const offered = market.offer?.supplements.find((each) => each.selectableId === selectableId);
  if (offered) return { ...lineProduct(offered), isCompulsory: false };
  const price = priceOf(order, line, product, market);
  if (!price) throw unknownProduct(selectableId, 'the channel has no price of it for this traveller', pointer);
  const { id, version, carrierOrganisationId } = product;
  return { id, version, kind: 'SUPPLEMENT', selectableId, isCompulsory: false, carrierOrganisationId, price };
}

export function hasSupplements(order: Order, line: OrderLine, market: SupplementMarket): boolean {
  return fareOf(line, market).some(({ optionalSupplements }) =>
    optionalSupplements.some((id) => {
      const product = market.fares.products.get(id);
      if (product?.kind !== 'SUPPLEMENT' || isAboutSeats(product) || !isPossible(line, product, market)) return false;
      return product.currency === order.currency && priceOf(order, line, product, market) !== undefined;
    }),
  );
}

function isAboutSeats({ modifiesSeating, reservesSeat }: SupplementProduct): boolean {
  return modifiesSeating || reservesSeat === true;
}

function isPossible(line: OrderLine, { id, organisationId }: SupplementProduct, market: SupplementMarket): boolean {
  const isSold = market.organisationIds.includes(organisationId);
  const fares = fareOf(line, market);
  return isSold && fares.some(({ optionalSupplements }) => optionalSupplements.includes(id));
}

function priceOf(
  { travellers, currency }: Order,
  line: OrderLine,
  product: SupplementProduct,
  market: SupplementMarket,
): Price | undefined {
  if (refusalByChannel(product, { organisationIds: market.organisationIds, currency })) return undefined;
  const isParty = fareOf(line, market).some(({ group, compartment }) => (group ?? compartment) !== undefined);
  const [first] = line.travellers;
  const userTypeId = isParty ? undefined : travellers.find(({ id }) => id === first?.travellerId)?.userTypeId;
  const found = findPrice(market.fares.prices.get(product.id) ?? [], userTypeId);
  if (!found) return undefined;
  const amount = amountOf(found.basis, {});
  return 'reason' in amount ? undefined : priceWithTax(amount.amountMinor, product.tax);
}

function fareOf({ fareProducts }: OrderLine, { fares }: SupplementMarket): readonly PreassignedProduct[] {
  return fareProducts.flatMap(({ id }) => {
    const product = fares.products.get(id);
    return product?.kind === 'PREASSIGNED' ? [product] : [];
  });
}
