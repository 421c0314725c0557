/** Makes the document of a search out of its priced offers. Pure. */
import type { DraftOffer } from '../../workflows/offers/rules/draft-offer.ts';
import type { SoldLeg } from '../../workflows/offers/rules/offer.ts';
import { type RefundAnchor, summariseRefund } from '../../workflows/offers/rules/refund-summary.ts';
import type { Ride, WantedTravel } from '../../workflows/offers/rules/wanted-travel.ts';
import type { Text } from '../../workflows/shared/text.ts';
import type { Fares } from '../shared/fares.ts';
import type { OfferSearchDocument, PackedOffer, StoredProduct } from './offer-document.ts';
import type { SeatedDraft } from './seated-drafts.ts';

type Packed = Pick<OfferSearchDocument, 'legs' | 'products' | 'refundSummaries' | 'offers'>;

/** `nameOfZone`: what tickets call a zone. */
export function packOffers(
  seated: readonly SeatedDraft[],
  travel: WantedTravel,
  fares: Fares,
  nameOfZone: (id: string) => string = (id) => id,
): Packed {
  const summaries = new Map<string, readonly Text[]>();
  const offers = seated.map((each) => {
    const key = summaryKey(each.draft);
    if (!summaries.has(key)) summaries.set(key, summaryOf(each.draft, fares));
    return packOffer(each, [...summaries.keys()].indexOf(key), nameOfZone);
  });
  const products = new Map<string, StoredProduct>();
  for (const { draft } of seated) for (const each of productsOf(draft)) products.set(each.id, each);
  return {
    legs: travel.kind === 'RIDES' ? travel.rides.map(keptLeg) : [],
    products: [...products.values()],
    refundSummaries: [...summaries.values()],
    offers,
  };
}

function packOffer(
  { draft, isAvailable, availableSeats }: SeatedDraft,
  refundSummary: number,
  nameOfZone: (id: string) => string,
): PackedOffer {
  const { product, coverage, price, totalPrice, supplements, party, travellerMapping, seating } = draft;
  const { startOfValidity, endOfValidity, legIndexes } = coverage;
  const { zoneIds } = coverage.geographicalValidity;
  const zoneNames = zoneIds && { zoneNames: zoneIds.map(nameOfZone) };
  const geographicalValidity = { ...coverage.geographicalValidity, ...zoneNames };
  return {
    ...{ productId: product.id, price, totalPrice },
    supplements: supplements.map(({ id, price: ofSupplement, isCompulsory }) => ({
      ...{ id, price: ofSupplement, isCompulsory },
    })),
    ...(party && { party }),
    ...{ travellerMapping, requiredEntitlements: product.requiredEntitlements },
    ...{ startOfValidity, endOfValidity, geographicalValidity, legs: legIndexes, seating },
    ...{ refundSummary, isAvailable },
    ...(availableSeats !== undefined && { availableSeats }),
  };
}

/** Windows of refund count from departure where a seat is bound to it, or the ticket to its journeys. */
function anchorOf({ product, seating }: DraftOffer): RefundAnchor {
  const isBound = seating.some(({ seatReservation }) => seatReservation === 'COMPULSORY');
  return isBound || product.validityDuration === undefined ? 'DEPARTURE' : 'START_OF_VALIDITY';
}

function summaryKey(draft: DraftOffer): string {
  return `${draft.product.refundRuleSetId} ${anchorOf(draft)}`;
}

function summaryOf(draft: DraftOffer, { refundRuleSets }: Fares): readonly Text[] {
  const set = refundRuleSets.get(draft.product.refundRuleSetId);
  // The catalogue accepts no reference to a set that it lacks.
  if (!set) throw new Error(`The catalogue has no refund rule set ${draft.product.refundRuleSetId}`);
  return summariseRefund(set, anchorOf(draft));
}

function productsOf({ product, supplements }: DraftOffer): readonly StoredProduct[] {
  const { id, version, name, organisationId, carrierOrganisationId } = product;
  const { refundRuleSetId, changeRuleSetId, transferable } = product;
  return [
    {
      ...{ id, version, selectableId: id, name, organisationId, carrierOrganisationId, kind: 'PREASSIGNED' },
      ...{ refundRuleSetId, changeRuleSetId, transferable },
    },
    ...supplements.map(({ price: _, isCompulsory: __, ...facts }) => facts),
  ];
}

/** What prices needed to know of a ride is not kept. */
function keptLeg(ride: Ride): SoldLeg {
  const { callZones: _, plannedStart: __, fromPlaceIds: ___, toPlaceIds: ____, isCancelled: _____, ...rest } = ride;
  const { train: ______, ...leg } = rest;
  return leg;
}
