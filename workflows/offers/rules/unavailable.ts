/** Why a product is not offered. Reasons are API: never renamed, only added. Pure. */

export const UNAVAILABLE_REASONS = [
  /** The channel sells no product of this organisation, or sells in another currency. */
  ...(['NOT_IN_CHANNEL', 'OTHER_CURRENCY'] as const),
  /** It is not valid there. */
  ...(['OUTSIDE_AREA', 'TOO_MANY_ZONES', 'ZONES_UNKNOWN'] as const),
  /** It is sold for a journey, for named zones, or for some lines of the authority, and the search has none. */
  ...(['NEEDS_JOURNEY', 'NEEDS_ZONES', 'NEEDS_PLACES', 'NO_DIRECT_CONNECTION'] as const),
  ...(['NO_PRICE_FOR_USER_TYPE', 'NO_PRICE_FOR_JOURNEY'] as const),
  ...(['ENTITLEMENT_MISSING', 'GROUP_SIZE'] as const),
  /** The journey has no seats of the kind, or fewer are free than the travellers need. */
  ...(['NO_SUCH_SEATS', 'SOLD_OUT'] as const),
  ...(['SALE_NOT_OPEN', 'JOURNEY_CANCELLED', 'DEPARTED'] as const),
] as const;
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number];

export interface UnavailableProduct {
  readonly productId: string;
  readonly reason: UnavailableReason;
  readonly travellerIds: readonly string[];
  /** Of GROUP_SIZE. */
  readonly minTravellers?: number;
  readonly maxTravellers?: number;
  /** Of ENTITLEMENT_MISSING. */
  readonly requiredEntitlements?: readonly string[];
  /** Of SALE_NOT_OPEN: the first day of its sale for this travel, `2026-11-28`. */
  readonly onSaleFrom?: string;
}

/** One entry for each product and reason, with the travellers that it concerns. Products out of place come last. */
export function mergeUnavailable(found: readonly UnavailableProduct[]): readonly UnavailableProduct[] {
  const merged = new Map<string, UnavailableProduct>();
  for (const one of found) {
    const key = `${one.productId} ${one.reason}`;
    const travellerIds = new Set([...(merged.get(key)?.travellerIds ?? []), ...one.travellerIds]);
    merged.set(key, { ...one, travellerIds: [...travellerIds] });
  }
  const isOutside = ({ reason }: UnavailableProduct) => (reason === 'OUTSIDE_AREA' ? 1 : 0);
  return [...merged.values()].sort((a, b) => isOutside(a) - isOutside(b));
}
