/** Prices one product for one coverage and its travellers. Pure; an id, times and seats make an offer of the draft. */
import type { PreassignedProduct, TravellerCount } from '../../shared/fares.ts';
import { type Price, priceWithTax, totalPrice } from '../../shared/price.ts';
import type { Coverage } from './coverage.ts';
import { byUserType } from './eligibility.ts';
import type { OfferedSeating, OfferedSupplement, TravellerMapping } from './offer.ts';
import { amountOf, findPrice } from './price-basis.ts';
import { supplementsOf } from './supplements.ts';
import type { UnavailableReason } from './unavailable.ts';
import type { OfferSearch, WantingTraveller } from './wanted-travel.ts';

export interface DraftOffer {
  readonly product: PreassignedProduct;
  readonly coverage: Coverage;
  readonly price: Price;
  readonly totalPrice: Price;
  readonly supplements: readonly OfferedSupplement[];
  readonly travellers: readonly WantingTraveller[];
  readonly travellerMapping: readonly TravellerMapping[];
  /** Present when one line is for the party. */
  readonly party?: TravellerCount;
  readonly seating: readonly OfferedSeating[];
}

export interface LeftOutProduct {
  readonly productId: string;
  readonly reason: UnavailableReason;
}

export type Drafted =
  | { readonly draft: DraftOffer; readonly leftOut: readonly LeftOutProduct[] }
  | { readonly reason: UnavailableReason };

/** Travellers of one user type, or all of a party. */
export function draftOffer(
  product: PreassignedProduct,
  coverage: Coverage,
  travellers: readonly WantingTraveller[],
  search: OfferSearch,
): Drafted {
  const party = product.group ?? product.compartment;
  const userTypeId = party ? undefined : travellers[0]?.userTypeId;
  const found = findPrice(search.fares.prices.get(product.id) ?? [], userTypeId);
  if (!found) return { reason: 'NO_PRICE_FOR_USER_TYPE' };
  const amount = amountOf(found.basis, coverage);
  if ('reason' in amount) return amount;
  const seating = seatingOf(product, coverage, search);
  const question = { product, userTypeId, travel: coverage, hasSeats: seating.length > 0 };
  const supplements = supplementsOf({ ...question, fares: search.fares, channel: search.channel });
  if ('reason' in supplements) return supplements;
  const price = priceWithTax(amount.amountMinor, product.tax);
  const compulsory = supplements.offered.filter(({ isCompulsory }) => isCompulsory);
  const draft = {
    product,
    coverage,
    price,
    totalPrice: totalPrice([price, ...compulsory.map((each) => each.price)]),
    supplements: supplements.offered,
    travellers,
    travellerMapping: mappingOf(travellers, party),
    ...(party && { party }),
    seating,
  };
  return { draft, leftOut: supplements.leftOut };
}

function mappingOf(travellers: readonly WantingTraveller[], party: TravellerCount | undefined): TravellerMapping[] {
  return [...byUserType(travellers)].map(([userTypeId, members]) => {
    const { minTravellers, maxTravellers } = party ?? { minTravellers: 1, maxTravellers: members.length };
    return { travellerIds: members.map(({ id }) => id), userTypeId, minTravellers, maxTravellers };
  });
}

function seatingOf(product: PreassignedProduct, { legIndexes }: Coverage, { travel }: OfferSearch): OfferedSeating[] {
  if (travel.kind !== 'RIDES') return [];
  const { accommodation = 'SEATING', fareClass, compartment } = product;
  return legIndexes.flatMap((at) => {
    const { legId, train } = travel.rides[at] ?? {};
    if (legId === undefined || !train) return [];
    const { seatPlanId, seatReservation } = train;
    const kind = { accommodation, wholeCompartment: compartment !== undefined, ...(fareClass && { fareClass }) };
    return [{ legId, seatReservation, seatPlanId, ...kind }];
  });
}
