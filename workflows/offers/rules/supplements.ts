/** The supplements of an offer with their prices. Pure. */
import type { PreassignedProduct, SupplementProduct } from '../../shared/fares.ts';
import { priceWithTax } from '../../shared/price.ts';
import { refusalByChannel } from './eligibility.ts';
import type { OfferedSupplement } from './offer.ts';
import { amountOf, findPrice, type PricedTravel } from './price-basis.ts';
import type { UnavailableReason } from './unavailable.ts';
import type { FareTable, SellingChannel } from './wanted-travel.ts';

export interface SupplementQuestion {
  readonly product: PreassignedProduct;
  /** Undefined for a party. */
  readonly userTypeId: string | undefined;
  readonly travel: PricedTravel;
  /** The offer has a ride with a seat plan. Without it nobody can choose or reserve a seat. */
  readonly hasSeats: boolean;
  readonly fares: FareTable;
  readonly channel: SellingChannel;
}

interface LeftOut {
  readonly productId: string;
  readonly reason: UnavailableReason;
}

export type Supplements =
  | { readonly offered: readonly OfferedSupplement[]; readonly leftOut: readonly LeftOut[] }
  | { readonly reason: UnavailableReason };

/** A compulsory supplement that cannot be sold makes the product unavailable; an optional one is left out. */
export function supplementsOf(question: SupplementQuestion): Supplements {
  const { compulsorySupplements, optionalSupplements } = question.product;
  const offered: OfferedSupplement[] = [];
  const leftOut: LeftOut[] = [];
  for (const id of new Set(compulsorySupplements)) {
    const supplement = priceSupplement(id, true, question);
    if ('reason' in supplement) return { reason: supplement.reason };
    offered.push(supplement);
  }
  for (const id of new Set(optionalSupplements)) {
    if (compulsorySupplements.includes(id)) continue;
    const supplement = priceSupplement(id, false, question);
    if ('reason' in supplement) leftOut.push({ productId: id, reason: supplement.reason });
    else offered.push(supplement);
  }
  return { offered, leftOut };
}

function priceSupplement(
  id: string,
  isCompulsory: boolean,
  { userTypeId, travel, hasSeats, fares, channel }: SupplementQuestion,
): OfferedSupplement | { readonly reason: UnavailableReason } {
  const product = fares.products.get(id);
  // The catalogue accepts no reference to another kind of product.
  if (product?.kind !== 'SUPPLEMENT') throw new Error(`The catalogue has no supplement ${id}`);
  const refusal = refusalByChannel(product, channel);
  if (refusal) return { reason: refusal };
  if (!isCompulsory && isAboutSeats(product) && !hasSeats) return { reason: 'NO_SUCH_SEATS' };
  const price = findPrice(fares.prices.get(id) ?? [], userTypeId);
  if (!price) return { reason: 'NO_PRICE_FOR_USER_TYPE' };
  const amount = amountOf(price.basis, travel);
  return 'reason' in amount ? amount : present(product, amount.amountMinor, isCompulsory);
}

function isAboutSeats({ modifiesSeating, reservesSeat }: SupplementProduct): boolean {
  return modifiesSeating || reservesSeat === true;
}

function present(product: SupplementProduct, amountMinor: number, isCompulsory: boolean): OfferedSupplement {
  const { id, version, name, organisationId, carrierOrganisationId, tax } = product;
  const { modifiesSeating, seatFacility, reservesSeat = false } = product;
  return {
    ...{ id, version, selectableId: id, name, organisationId, carrierOrganisationId, kind: 'SUPPLEMENT' },
    price: priceWithTax(amountMinor, tax),
    ...{ modifiesSeating, reservesSeat, isCompulsory },
    ...(seatFacility !== undefined && { seatFacility }),
  };
}
