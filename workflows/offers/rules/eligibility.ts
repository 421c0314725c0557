/** Which products a channel sells, and which travellers ask for a product and may use it. Pure. */
import type { FareProduct, PreassignedProduct } from '../../shared/fares.ts';
import type { UnavailableReason } from './unavailable.ts';
import type { FareTable, SellingChannel, WantingTraveller } from './wanted-travel.ts';

/** A channel sells the products of the organisations that it is granted to, in its currency. */
export function refusalByChannel(product: FareProduct, channel: SellingChannel): UnavailableReason | undefined {
  if (!channel.organisationIds.includes(product.organisationId)) return 'NOT_IN_CHANNEL';
  return product.currency === channel.currency ? undefined : 'OTHER_CURRENCY';
}

/**
 * A traveller who names fares gets those alone; one who names supplements gets the fares that all of them can be added
 * to.
 */
export function asksFor(
  { productIds }: Pick<WantingTraveller, 'productIds'>,
  product: PreassignedProduct,
  { products }: Pick<FareTable, 'products'>,
): boolean {
  const isSupplement = (id: string) => products.get(id)?.kind === 'SUPPLEMENT';
  const fares = productIds.filter((id) => !isSupplement(id));
  if (fares.length > 0 && !fares.includes(product.id)) return false;
  const possible = new Set([...product.compulsorySupplements, ...product.optionalSupplements]);
  return productIds.filter(isSupplement).every((id) => possible.has(id));
}

/** Partners claim entitlements; the inspector on board sees them. */
export function isEntitled(
  { entitlementIds }: Pick<WantingTraveller, 'entitlementIds'>,
  { requiredEntitlements }: Pick<PreassignedProduct, 'requiredEntitlements'>,
): boolean {
  return requiredEntitlements.every((id) => entitlementIds.includes(id));
}

export function byUserType(travellers: readonly WantingTraveller[]): ReadonlyMap<string, readonly WantingTraveller[]> {
  return Map.groupBy(travellers, ({ userTypeId }) => userTypeId);
}
