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
  const compulsory = offer.supplements.filter(({ isCompulsory }) => isCompulsory);
  assertEachSeatOnce(optional, compulsory, `${pointer}/selectableProductIds`);
  const supplements = [...compulsory, ...optional];
  const products = [...offer.preassignedProducts.map(lineProduct), ...supplements.map(lineSupplement)];
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

/** Kept with the line: the catalogue may say otherwise later. */
function lineSupplement(offered: OfferedSupplement): LineProduct {
  return { ...lineProduct(offered), isCompulsory: offered.isCompulsory };
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
export function sellSameSeat(one: OfferedSupplement, other: OfferedSupplement): boolean {
  return one.id === other.id ? takesSeat(one) : one.reservesSeat && other.reservesSeat;
}

function assertEachSeatOnce(
  chosen: readonly OfferedSupplement[],
  compulsory: readonly OfferedSupplement[],
  pointer: string,
): void {
  for (const [at, supplement] of chosen.entries()) {
    const earlier = [...compulsory, ...chosen.slice(0, at)].find((other) => sellSameSeat(other, supplement));
    if (earlier) throw sameSeat(earlier, supplement, pointer);
  }
}

function sameSeat(
  { selectableId: one, isCompulsory }: OfferedSupplement,
  { selectableId: other }: OfferedSupplement,
  pointer: string,
): ServiceError {
  const both =
    one === other
      ? `names ${one} twice, which chooses the one seat of a traveller: name it once`
      : `names ${one} and ${other}, which both reserve the one seat of a traveller: name one of them`;
  const detail = isCompulsory
    ? `names ${other}, but each line has ${one}, which reserves its seat: leave it out`
    : both;
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
