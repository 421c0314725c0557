/** The products of a line that is made from an offer, and its price. Pure. */
import { takesSeat } from '../../../offers/rules/needed-seats.ts';
import type { Offer, OfferedProduct, OfferedSupplement } from '../../../offers/rules/offer.ts';
import { type Price, totalPrice } from '../../../shared/price.ts';
import { ServiceError } from '../../../shared/service-error.ts';
import type { LineProduct } from '../order.ts';

export interface ChosenProducts {
  readonly products: readonly LineProduct[];
  /** Compulsory ones and those that were selected. */
  readonly supplements: readonly OfferedSupplement[];
  readonly price: Price;
}

/**
 * What every line of the offer has needs no selection; naming it changes nothing. Throws VALIDATION_FAILED (422) for a
 * product that the offer lacks, and for two supplements that sell the same seat.
 */
export function chooseProducts(offer: Offer, selectableProductIds: readonly string[], pointer: string): ChosenProducts {
  const optional = selectableProductIds.flatMap((selectableId, at) =>
    optionalOf(offer, selectableId, `${pointer}/selectableProductIds/${at}`),
  );
  assertEachSeatOnce(optional, `${pointer}/selectableProductIds`);
  const compulsory = offer.supplements.filter(({ isCompulsory }) => isCompulsory);
  const supplements = [...compulsory, ...optional];
  const products = [...offer.preassignedProducts, ...supplements].map(lineProduct);
  return {
    products,
    supplements,
    price: totalPrice([offer.totalPrice, ...optional.map(({ price }) => price)]),
  };
}

export function lineProduct(offered: OfferedProduct): LineProduct {
  const { id, version, kind, selectableId, carrierOrganisationId, price } = offered;
  return {
    ...{ id, version, kind, selectableId, price },
    ...(carrierOrganisationId !== undefined && { carrierOrganisationId }),
  };
}

function optionalOf(offer: Offer, selectableId: string, pointer: string): readonly OfferedSupplement[] {
  const supplement = offer.supplements.find((each) => each.selectableId === selectableId);
  if (supplement) return supplement.isCompulsory ? [] : [supplement];
  if (offer.preassignedProducts.some((each) => each.selectableId === selectableId)) return [];
  const names = offer.supplements.filter(({ isCompulsory }) => !isCompulsory).map((each) => each.selectableId);
  throw unknownProduct(selectableId, `it is no supplement of the offer, which has ${namesOf(names)}`, pointer);
}

/**
 * A traveller has one seat on a ride. Supplements that only say which seat may be combined, as window and table; two that
 * reserve a seat may not, and none may be chosen twice.
 */
function assertEachSeatOnce(chosen: readonly OfferedSupplement[], pointer: string): void {
  for (const [at, supplement] of chosen.entries()) {
    const sellsSameSeat = (other: OfferedSupplement) =>
      other.id === supplement.id ? takesSeat(supplement) : other.reservesSeat && supplement.reservesSeat;
    const earlier = chosen.slice(0, at).find(sellsSameSeat);
    if (earlier) throw sameSeat(earlier, supplement, pointer);
  }
}

function sameSeat(
  { selectableId: one }: OfferedSupplement,
  { selectableId: other }: OfferedSupplement,
  pointer: string,
): ServiceError {
  const detail =
    one === other
      ? `names ${one} twice, which chooses the one seat of a traveller: name it once`
      : `names ${one} and ${other}, which both reserve the one seat of a traveller: name one of them`;
  return new ServiceError('VALIDATION_FAILED', `${pointer} ${detail}.`, {
    status: 422,
    errors: [{ pointer, code: 'SAME_SEAT', detail }],
  });
}

/** `pointer` names the member of the request. */
export function unknownProduct(selectableId: string, reason: string, pointer: string): ServiceError {
  const detail = `${selectableId} cannot be chosen here: ${reason}`;
  return new ServiceError('VALIDATION_FAILED', `${detail}.`, {
    status: 422,
    errors: [{ pointer, code: 'UNKNOWN_PRODUCT', detail }],
  });
}

export function namesOf(selectableIds: readonly string[]): string {
  return selectableIds.length > 0 ? [...new Set(selectableIds)].join(', ') : 'none';
}
