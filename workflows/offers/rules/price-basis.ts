/** The amount of a price for what a ticket covers. Pure. */
import type { FarePrice, PriceBasis } from '../../shared/fares.ts';
import type { UnavailableReason } from './unavailable.ts';

export interface PricedTravel {
  /** Each end may be known by several ids: the place and its station. */
  readonly fromPlaceIds?: readonly string[];
  readonly toPlaceIds?: readonly string[];
  /** Absent where it is unknown. */
  readonly zoneCount?: number;
  readonly distanceMetres?: number;
}

export type Amount = { readonly amountMinor: number } | { readonly reason: UnavailableReason };

/** The price that names the user type, else the one for all. Of a party there is only the one for all. */
export function findPrice(prices: readonly FarePrice[], userTypeId: string | undefined): FarePrice | undefined {
  const forAll = prices.find((price) => price.userTypeId === undefined);
  return userTypeId === undefined ? forAll : (prices.find((price) => price.userTypeId === userTypeId) ?? forAll);
}

export function amountOf(basis: PriceBasis, travel: PricedTravel): Amount {
  switch (basis.kind) {
    case 'FLAT':
      return { amountMinor: basis.amountMinor };
    case 'ZONES':
      return amountByZones(basis, travel);
    case 'DISTANCE':
      return amountByDistance(basis, travel);
    case 'STOP_PAIRS':
      return amountByStopPair(basis, travel);
  }
}

function amountByZones({ steps }: PriceBasis & { kind: 'ZONES' }, { zoneCount }: PricedTravel): Amount {
  if (zoneCount === undefined) return { reason: 'ZONES_UNKNOWN' };
  const step = steps.find(({ zones }) => zones >= zoneCount);
  return step ? { amountMinor: step.amountMinor } : { reason: 'TOO_MANY_ZONES' };
}

/** Started multiples of `roundToMinor` count whole; thousandths are kept until then. */
function amountByDistance(basis: PriceBasis & { kind: 'DISTANCE' }, { distanceMetres }: PricedTravel): Amount {
  if (distanceMetres === undefined) return { reason: 'NEEDS_JOURNEY' };
  const { baseMinor, perKilometreMinor, minimumMinor, roundToMinor } = basis;
  const thousandths = BigInt(baseMinor) * 1_000n + BigInt(perKilometreMinor) * BigInt(Math.round(distanceMetres));
  const multiple = BigInt(roundToMinor) * 1_000n;
  const rounded = ((thousandths + multiple - 1n) / multiple) * BigInt(roundToMinor);
  return { amountMinor: Math.max(minimumMinor, Number(rounded)) };
}

function amountByStopPair(
  { pairs }: PriceBasis & { kind: 'STOP_PAIRS' },
  { fromPlaceIds, toPlaceIds }: PricedTravel,
): Amount {
  if (!fromPlaceIds || !toPlaceIds) return { reason: 'NEEDS_JOURNEY' };
  const joins = (one: string, other: string) => fromPlaceIds.includes(one) && toPlaceIds.includes(other);
  const pair = pairs.find(
    (each) => joins(each.fromStopPlaceId, each.toStopPlaceId) || joins(each.toStopPlaceId, each.fromStopPlaceId),
  );
  return pair ? { amountMinor: pair.amountMinor } : { reason: 'NO_PRICE_FOR_JOURNEY' };
}
